/* A range of iterations: chosen on the curve by the pointer, or by numbers, it filters the explorer, and the account and
 * the ranks say what the series knows of it. Others hear of it by the event "scalana-range" (null: the whole run). */
(function () {
  var element = scalanaPage.element, seconds = scalanaPage.seconds, shape = scalanaCurves.shape, ends = scalanaCurves.ends;
  var data = scalanaCurves.data, curves = scalanaCurves.all, panels = {}, bars = [], chosen = null;

  function percent(part) { return isFinite(part) ? (100 * part).toFixed(1) + " %" : "n/a"; }

  /* ---- what is shown of it elsewhere ---- */

  function panel(id) {
    var section = document.getElementById(id), made;
    if (!panels[id] && section) {
      made = element("div", "range-panel");
      made.setAttribute("role", "status");
      section.querySelector("h2").after(made);
      panels[id] = made;
    }
    return panels[id] || element("div");
  }

  function title(range) {
    return "Iterations " + range.from + " to " + range.to + ", second " + Number(range.begin.toPrecision(4)) + " to " +
      Number(range.end.toPrecision(4));
  }

  function row(body, cells) {
    var made = body.insertRow();
    cells.forEach(function (text, i) { made.append(element(i ? "td" : "th", i ? "n" : "", text)); });
    made.cells[0].scope = "row";
  }

  function account(range) {
    var box = panel("account"), table = element("table"), body = table.createTBody(), n = range.ranks.length;
    table.createCaption().textContent = title(range) + ": " + n + " ranks, core-seconds and share of their time";
    var other = range.shared ? range.wait : range.mpi, all = range.own + other;
    row(body, ["computation", ((range.own - range.off) * n).toPrecision(3), percent((range.own - range.off) / all)]);
    row(body, ["off the core outside MPI", (range.off * n).toPrecision(3), percent(range.off / all)]);
    row(body, [range.shared ? "waiting, as recorded iterations are replayed" : "in MPI", (other * n).toPrecision(3), percent(other / all)]);
    row(body, ["parallel efficiency", "", percent(range.parallel)]);
    row(body, ["load balance", "", percent(range.balance)]);
    row(body, ["serialisation", "", percent(range.serialisation)]);
    row(body, ["transfer", "", percent(range.transfer)]);
    box.replaceChildren(table, element("p", "meaning", "Below: the whole run."));
  }

  function ranks(range) {
    var box = panel("heat"), most = Math.max.apply(null, range.rankOwn), n = range.ranks.length, mean = 0;
    var svg = shape("svg", { viewBox: "0 0 " + 10 * n + " 60", preserveAspectRatio: "none", role: "img",
      "aria-label": "Bars, one per rank from left to right" }, "bars");
    range.rankOwn.forEach(function (value, i) {
      var height = most ? 58 * value / most : 0, bar = shape("rect", { x: 10 * i + 1, y: 60 - height, width: 8, height: height }, "cool");
      mean += value / n;
      bar.append(shape("title", {}));
      bar.firstChild.textContent = "rank " + range.ranks[i] + ": " + seconds(value);
      svg.append(bar);
    });
    var slowest = range.ranks[range.rankOwn.indexOf(most)];
    box.replaceChildren(element("p", "", title(range) + ": time outside MPI of each rank, 0 to " + seconds(most) + "; rank " +
      slowest + " has most, " + (mean ? (most / mean).toFixed(2) : "1") + "x the mean."), svg,
      element("p", "meaning", "Below: the whole run. Contexts of ranks are not known over time."));
  }

  function shade() {
    curves.forEach(function (curve, i) {
      var old = curve.inner.querySelector(".series-range");
      if (old) { old.remove(); }
      if (!chosen || chosen.loop !== i) { return; }
      var from = scalanaCurves.xOf(curve, chosen.from);
      curve.inner.prepend(shape("rect", { x: from, y: 0, height: "100%",
        width: Math.max(2, scalanaCurves.xOf(curve, chosen.to) - from) }, "series-range"));
    });
  }

  function told(range) {
    return title(range) + ": " + seconds(range.span) + ", parallel efficiency " + percent(range.parallel) + ", load balance " +
      percent(range.balance) + ". Explorer, account, ranks and timeline are filtered. " + (range.unseen > 0 ? percent(range.unseen / range.own) +
      " of the computation lies in clusters of which no iteration was recorded; it has no context. " : "") +
      "The verdict, causes, scaling, graph, communication and tables are of the whole run.";
  }

  function clear() {
    Object.keys(panels).forEach(function (id) { panels[id].remove(); });
    panels = {};
    bars.forEach(function (bar) { bar.said.textContent = ""; });
  }

  function fill(bar, from, to) {
    bar.from.value = from;
    bar.to.value = to;
  }

  /* Of a run with one loop, all of it is the whole run. */
  function choose(loop, from, to) {
    var all = ends(data.loops[loop]), high = Math.max(from, to), range;
    clear();
    bars.forEach(function (bar, i) { fill(bar, ends(data.loops[i])[0], ends(data.loops[i])[1]); });
    from = Math.max(all[0], Math.min(all[1], Math.round(Math.min(from, to))));
    to = Math.max(from, Math.min(all[1], Math.round(high)));
    chosen = from === all[0] && to === all[1] && data.loops.length === 1 ? null : { loop: loop, from: from, to: to };
    if (chosen) {
      range = scalanaRange.figures(data, loop, from, to);
      fill(bars[loop], from, to);
      bars[loop].said.textContent = told(range);
      account(range);
      ranks(range);
    }
    shade();
    document.dispatchEvent(new CustomEvent("scalana-range", { detail: chosen ? range : null }));
  }

  function whole() {
    chosen = null;
    clear();
    bars.forEach(function (bar, i) { fill(bar, ends(data.loops[i])[0], ends(data.loops[i])[1]); });
    shade();
    document.dispatchEvent(new CustomEvent("scalana-range", { detail: null }));
  }

  /* ---- how it is chosen ---- */

  function follow(curve, i) {
    var begin = null;
    curve.svg.addEventListener("pointerdown", function (event) {
      begin = scalanaCurves.iterationAt(curve, event);
      curve.svg.setPointerCapture(event.pointerId);
      curve.svg.focus({ preventScroll: true });
      event.preventDefault();
    });
    curve.svg.addEventListener("pointerup", function (event) {
      var end = scalanaCurves.iterationAt(curve, event);
      if (begin !== null) { choose(i, begin, end); }
      begin = null;
    });
    curve.svg.addEventListener("pointercancel", function () { begin = null; });
    curve.svg.addEventListener("dblclick", whole);
  }

  function field(bar, text, loop) {
    var label = element("label", "", text + " "), input = element("input"), all = ends(loop);
    input.type = "number";
    input.min = all[0];
    input.max = all[1];
    label.append(input);
    bar.append(label);
    return input;
  }

  function addBar(curve, i) {
    var line = element("div", "range-bar"), bar = { said: element("p", "range-said") }, button = element("button", "", "Whole run");
    bar.from = field(line, "From iteration", data.loops[i]);
    bar.to = field(line, "to", data.loops[i]);
    button.type = "button";
    button.addEventListener("click", whole);
    bar.said.setAttribute("role", "status");
    line.append(button, element("span", "meaning", " Or drag across the curve."));
    [bar.from, bar.to].forEach(function (input) {
      input.addEventListener("change", function () { choose(i, Number(bar.from.value) || 1, Number(bar.to.value) || 1); });
    });
    curve.status.after(line, bar.said);
    fill(bar, ends(data.loops[i])[0], ends(data.loops[i])[1]);
    bars.push(bar);
  }

  curves.forEach(addBar);
  curves.forEach(follow);
})();
