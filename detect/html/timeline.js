/* Timelines: ranks by virtual time, of recorded iterations; timeline_draw.js draws them. */
(function () {
  var source = document.getElementById("timeline-data"), root = document.getElementById("timeline-panes");
  if (!source || !root) { return; }
  var element = scalanaPage.element, seconds = scalanaPage.seconds;
  var data = JSON.parse(source.textContent), line = data.lines[0], view = [0, 1];
  var panes = [], keys = [], selected = null, word = "", status = element("p", "timeline-status");
  var HELP = "Point at a bar, or select one with the arrow keys.";

  function duration(span) { return (span.end - span.begin) * line.shown; }

  function describe(span) {
    var text = "Rank " + line.ranks[span.row] + ", from " + seconds(span.begin * line.shown) + ", " +
      seconds(duration(span)) + ": ";
    if (!span.kind) { return text + "computes in " + data.places[span.vertex] + (span.critical ? ", critical" : ""); }
    return text + "waits in " + data.places[span.vertex] + " (" + data.kinds[span.kind] +
      (span.by < 0 ? "" : ", for rank " + span.by) + ")";
  }

  function redraw() {
    panes.forEach(function (pane) {
      pane.canvas.dataset.from = view[0] * line.shown;
      pane.canvas.dataset.to = view[1] * line.shown;
      scalanaTimeline.draw(pane.canvas, pane.play, { view: view, ranks: line.ranks, shown: line.shown, end: line.end,
        colours: data.colours, selected: selected, matches: matches, seconds: seconds });
    });
  }

  function matches(span) {
    return !word || (data.places[span.vertex] + " " + data.kinds[span.kind]).toLowerCase().indexOf(word) >= 0;
  }

  /* Keeps what is seen within the window, and no closer than a ten-thousandth of it. */
  function look(from, to) {
    var width = Math.min(1, Math.max(1e-4, to - from)), begin = Math.min(Math.max(0, from), 1 - width);
    view = [begin, begin + width];
    redraw();
  }

  function zoom(factor, at) {
    var middle = at === undefined ? (view[0] + view[1]) / 2 : at;
    look(middle - (middle - view[0]) * factor, middle + (view[1] - middle) * factor);
  }

  function pan(part) {
    var by = part * (view[1] - view[0]);
    look(view[0] + by, view[1] + by);
  }

  function select(span) {
    selected = span;
    status.textContent = span ? describe(span) : HELP;
    redraw();
  }

  /* The next span of the selected row, or the one of the next row at that time. */
  function step(pane, along, down) {
    var of = selected && pane.play.spans.indexOf(selected) >= 0 ? selected : null, spans = pane.play.spans;
    if (!of) { return select(spans.find(function (one) { return one.end > view[0]; }) || null); }
    var next = along ? spans[spans.indexOf(of) + along] :
      scalanaTimeline.at(pane.play, of.row + down, (of.begin + of.end) / 2);
    if (!next || (along && next.row !== of.row)) { return; }
    if (next.end < view[0] || next.begin > view[1]) { look(next.begin, next.begin + view[1] - view[0]); }
    select(next);
  }

  function press(pane, event) {
    var moves = { w: [zoom, 0.7], s: [zoom, 1 / 0.7], a: [pan, -0.25], d: [pan, 0.25], "+": [zoom, 0.7], "-": [zoom, 1 / 0.7] };
    var arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    var key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey || event.altKey) { return; }
    if (moves[key]) { moves[key][0](moves[key][1]); }
    else if (arrows[key]) { step(pane, arrows[key][0], arrows[key][1]); }
    else if (key === "Home") { look(0, 1); }
    else if (key === "Escape") { select(null); }
    else { return; }
    event.preventDefault();
  }

  /* The pointer pans; without a button it says what is under it. */
  function follow(pane) {
    var from = null, canvas = pane.canvas;
    canvas.addEventListener("pointerdown", function (event) {
      from = { x: event.clientX, view: view };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointerup", function () { from = null; });
    canvas.addEventListener("pointercancel", function () { from = null; });
    canvas.addEventListener("pointermove", function (event) {
      var width = scalanaTimeline.width(canvas);
      if (from) {
        var by = (from.x - event.clientX) / width * (from.view[1] - from.view[0]);
        return look(from.view[0] + by, from.view[1] + by);
      }
      var span = scalanaTimeline.under(canvas, pane.play, view, event);
      if (span !== selected) { select(span); }
    });
    canvas.addEventListener("wheel", function (event) {
      if (!event.ctrlKey && document.activeElement !== canvas) { return; }
      event.preventDefault();
      zoom(event.deltaY < 0 ? 0.8 : 1.25, scalanaTimeline.time(canvas, view, event));
    }, { passive: false });
    canvas.addEventListener("dblclick", function () { look(0, 1); });
    canvas.addEventListener("keydown", function (event) { press(pane, event); });
  }

  function addPane(holder, play, title) {
    var canvas = element("canvas", "timeline-canvas");
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", title);
    canvas.setAttribute("aria-describedby", "timeline-help");
    holder.append(element("h3", "", title), canvas);
    panes.push({ canvas: canvas, play: play });
    follow(panes[panes.length - 1]);
  }

  /* POP's efficiencies: the product of both is parallel efficiency, but for transfer. */
  function headed(title, play) {
    return title + ": " + seconds(play.end) + (play.balance < 0 ? "" : ", load balance " + Math.round(100 * play.balance) +
      " %, serialisation " + Math.round(100 * play.serialisation) + " %");
  }

  function show(number) {
    var holder = document.getElementById("timeline-pictures");
    line = data.lines[number];
    line.end = Math.max(line.measured.end, line.mended ? line.mended.end : 0);
    panes = [];
    selected = null;
    holder.replaceChildren();
    addPane(holder, line.measured, headed("As measured", line.measured));
    if (line.mended) {
      addPane(holder, line.mended, headed("With the first cause mended", line.mended));
    }
    Array.from(document.querySelectorAll(".timeline-choice button")).forEach(function (button, i) {
      button.setAttribute("aria-pressed", i === number ? "true" : "false");
    });
    status.textContent = HELP;
    look(0, 1);
  }

  function about(one) {
    var text = one.name + ": " + seconds(one.measured.end);
    return text + (one.begin >= 0 ? ", at second " + Number(one.begin.toPrecision(3)) : "") +
      (one.shown < one.measured.end * 0.999 ? ", the first " + seconds(one.shown) + " shown" : "");
  }

  function addChoice() {
    var choice = element("div", "timeline-choice");
    data.lines.forEach(function (one, i) {
      var button = element("button", "", about(one));
      button.type = "button";
      button.addEventListener("click", function () { show(i); });
      choice.append(button);
    });
    root.append(choice);
  }

  function addSearch() {
    var label = element("label", "filter", "Find a place or a kind of waiting"), input = element("input");
    input.type = "search";
    label.append(input);
    input.addEventListener("input", function () { word = input.value.trim().toLowerCase(); redraw(); });
    root.append(label);
  }

  function colourKeys() { keys.forEach(function (key) { scalanaTimeline.key(key.canvas, key.colour); }); }

  function addLegend() {
    var list = element("ul", "legend");
    data.colours.legend.forEach(function (one) {
      var item = element("li", "", one.text), key = element("canvas", "key");
      item.prepend(key);
      list.append(item);
      keys.push({ canvas: key, colour: one.colour });
    });
    root.append(list);
    colourKeys();
  }

  /* A range of iterations was chosen: the windows in it; those outside pale. */
  function narrow(event) {
    var range = event.detail, first = -1;
    Array.from(document.querySelectorAll(".timeline-choice button")).forEach(function (button, i) {
      var begin = data.lines[i].begin, inside = !range || (begin >= range.begin && begin < range.end);
      button.classList.toggle("outside", !inside);
      if (inside && first < 0) { first = i; }
    });
    if (first >= 0) { show(first); }
    if (first < 0) { status.textContent = "None of these windows lies in the chosen range."; }
  }

  data.colours = scalanaTimeline.prepare(data);
  document.addEventListener("scalana-range", narrow);
  addChoice();
  addSearch();
  var pictures = element("div");
  pictures.id = "timeline-pictures";
  status.setAttribute("role", "status");
  root.append(pictures, status);
  root.hidden = false;
  addLegend();
  show(0);
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
    colourKeys();
    redraw();
  });
})();
