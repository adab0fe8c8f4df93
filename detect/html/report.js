"use strict";
/* Tables sort by their column's button and filter by a word. Without script they are plain tables. */
(function () {
  function value(row, column) {
    var cell = row.cells[column], text = cell.textContent;
    return cell.className === "n" ? parseFloat(text) || 0 : text.toLowerCase();
  }

  function sort(table, header) {
    var column = header.cellIndex, body = table.tBodies[0];
    var falling = header.getAttribute("aria-sort") === "ascending" ||
      (header.className === "n" && !header.hasAttribute("aria-sort"));
    var rows = Array.from(body.rows);
    rows.sort(function (a, b) {
      var x = value(a, column), y = value(b, column);
      return (x < y ? -1 : x > y ? 1 : 0) * (falling ? -1 : 1);
    });
    Array.from(header.parentNode.cells).forEach(function (cell) { cell.removeAttribute("aria-sort"); });
    header.setAttribute("aria-sort", falling ? "descending" : "ascending");
    body.append.apply(body, rows);
  }

  function filter(table, word, status) {
    var shown = 0, rows = Array.from(table.tBodies[0].rows);
    rows.forEach(function (row) {
      row.hidden = row.textContent.toLowerCase().indexOf(word.toLowerCase()) < 0;
      shown += row.hidden ? 0 : 1;
    });
    status.textContent = word ? shown + " of " + rows.length + " rows" : "";
  }

  function addFilter(table) {
    var label = document.createElement("label"), input = document.createElement("input");
    var status = document.createElement("span");
    label.className = "filter";
    input.type = "search";
    status.setAttribute("role", "status");
    label.append("Filter " + table.caption.textContent.split(",")[0].toLowerCase(), input, status);
    input.addEventListener("input", function () { filter(table, input.value.trim(), status); });
    table.parentNode.before(label);
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    addFilter(table);
    Array.from(table.tHead.rows[0].cells).forEach(function (header) {
      var button = document.createElement("button");
      button.type = "button";
      button.append.apply(button, Array.from(header.childNodes));
      header.append(button);
      button.addEventListener("click", function () { sort(table, header); });
    });
  });
})();
