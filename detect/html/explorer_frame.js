/* The explorer's frame: choices above, three panes, what is chosen in words. */
(function () {
  var element = scalana.element;

  function labelled(bar, text, control) {
    var label = element("label", "", text + " ");
    label.append(control);
    bar.append(label);
    return control;
  }

  function button(bar, text, heard) {
    var made = element("button", "", text);
    made.type = "button";
    made.addEventListener("click", heard);
    bar.append(made);
  }

  function choose(x, select, at) {
    select.selectedIndex = at;
    x.mode = x.all[at];
    x.parts.refresh();
  }

  /* The report of another run becomes a mode of its own. */
  function addReport(x, select, file, told) {
    return file.text().then(function (text) {
      var mode = scalana.againstReport(x.model, scalana.readOther(x.model, text, scalana.visible(file.name)));
      x.all.push(mode);
      select.append(new Option(mode.title, x.all.length - 1));
      told.textContent = "";
      choose(x, select, x.all.length - 1);
    }).catch(function (error) { told.textContent = error.message; });
  }

  function addModes(bar, x) {
    var select = labelled(bar, "Values", element("select")), file = element("input"), told = element("span", "missing");
    x.all = scalana.modes.concat(x.model.runs.slice(0, -1).map(function (_, i) { return scalana.againstRun(x.model, i); }));
    select.id = "x-mode";
    x.all.forEach(function (mode, i) { select.append(new Option(mode.title, i)); });
    select.addEventListener("change", function () { choose(x, select, select.selectedIndex); });
    file.type = "file";
    file.id = "x-other";
    file.title = "The report.json of another run, to compare with";
    file.accept = ".json";
    file.addEventListener("change", function () {
      if (file.files.length)
        addReport(x, select, file.files[0], told);
    });
    told.setAttribute("role", "status");
    labelled(bar, "Compare with a report\u2026", file).parentNode.className = "x-file";
    bar.append(told);
  }

  function addOrder(bar, x) {
    var select = labelled(bar, "Order", element("select"));
    select.id = "x-order";
    select.append(new Option("program, ranks", "program"), new Option("heaviest first", "value"));
    select.addEventListener("change", function () {
      x.order = select.value;
      x.parts.refresh();
    });
  }

  function addSearch(outer, x) {
    var bar = element("div", "x-group"), only = element("input"), label = element("label"), input;
    input = labelled(bar, "Search contexts", element("input"));
    input.type = "search";
    input.id = "x-search";
    input.addEventListener("input", function () { x.parts.search(input.value.trim()); });
    input.addEventListener("keydown", function (event) {
      if (event.key === "Enter")
        x.parts.nextMatch(event.shiftKey ? -1 : 1);
    });
    button(bar, "Next", function () { x.parts.nextMatch(1); });
    only.type = "checkbox";
    only.id = "x-only";
    x.onlyBox = only;
    only.addEventListener("change", function () {
      x.only = only.checked;
      x.parts.search(input.value.trim());
    });
    label.append(only, " these alone");
    bar.append(label);
    outer.append(bar);
    x.count = element("span", "x-count");
    x.count.setAttribute("role", "status");
    bar.append(x.count);
  }

  function pane(x, row, name, title) {
    var outer = element("div", "x-pane x-" + name), head = element("h3", "", title);
    head.id = "x-h-" + name;
    outer.append(head);
    x.boxes[name] = element("div", name === "system" ? "x-box" : "x-tree");
    x.boxes[name].setAttribute("aria-labelledby", head.id);
    outer.append(x.boxes[name]);
    row.append(outer);
  }

  function legend() {
    var list = element("ul", "legend"), words = ["less than 0.1 %", "from 0.1 %", "1 %", "5 %", "15 %", "40 % of the metric"];
    words.forEach(function (word, i) {
      var key = element("li");
      key.append(element("span", "key l" + i), word);
      list.append(key);
    });
    return list;
  }

  function help() {
    return element("p", "meaning", "A closed row includes all rows below it; an open row excludes them. " +
      "Keys: arrows, Page Up and Down, Home, End. Enter or space opens and closes; * opens a whole level; letters go to a name. " +
      "Causes are bold.");
  }

  scalana.frame = function (place, x) {
    var bar = element("div", "x-controls"), row = element("div", "x-panes");
    x.boxes = {};
    addModes(bar, x);
    addOrder(bar, x);
    button(bar, "Follow the heaviest", x.parts.followHeaviest);
    addSearch(bar, x);
    x.said = element("p", "x-said");
    x.said.setAttribute("role", "status");
    pane(x, row, "metrics", "Metrics");
    pane(x, row, "calls", "Calling contexts");
    pane(x, row, "system", "Ranks");
    x.model.lacks.forEach(function (lack) { place.append(element("p", "x-remark", "The report has no " + lack + ".")); });
    place.append(bar, row, x.said, legend(), help());
  };
})();
