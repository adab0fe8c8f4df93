/* The curves over iterations: values under the pointer or at the arrow keys, zoom and pan, curves that come and go. What
 * other scripts ask of it: where they draw on a curve, and which iteration is at a place of it. */
var scalanaCurves = (function () {
  var element = scalanaPage.element, seconds = scalanaPage.seconds, source = document.getElementById("series-data");
  var curves = source ? Array.from(document.querySelectorAll("svg.series")) : [];
  var data = source ? JSON.parse(source.textContent) : { loops: [] }, made = [];
  var HELP = "Point at the curve, or move with the arrow keys. Wheel with Ctrl, W and S zoom, A and D pan, Home shows all.";

  function shape(name, values, kind) {
    var one = document.createElementNS(curves[0].namespaceURI, name);
    Object.keys(values).forEach(function (key) { one.setAttribute(key, values[key]); });
    if (kind) { one.setAttribute("class", kind); }
    return one;
  }

  function ends(loop) { return [loop.last[0] - loop.many[0] + 1, loop.last[loop.last.length - 1]]; }

  /* ---- one curve ---- */

  /* What is drawn of the curve lies in a picture of its own, of which a part is seen. */
  function begin(svg, loop) {
    var left = Number(svg.dataset.left), width = Number(svg.dataset.right) - left, height = svg.viewBox.baseVal.height;
    var inner = shape("svg", { x: left, y: 0, width: width, height: height, preserveAspectRatio: "none" }, "series-inner");
    var curve = { svg: svg, loop: loop, inner: inner, left: left, width: width, height: height, view: ends(loop), point: null,
      ends: svg.querySelectorAll("text[data-end]"), status: element("p", "series-status", HELP) };
    svg.querySelectorAll("polyline, .series-step").forEach(function (one) { inner.append(one); });
    curve.line = shape("line", { y1: 0, y2: height, visibility: "hidden" }, "series-cursor");
    inner.append(curve.line);
    svg.append(inner);
    curve.status.setAttribute("role", "status");
    svg.setAttribute("tabindex", "0");
    svg.parentNode.after(curve.status);
    return curve;
  }

  function xOf(curve, iteration) {
    var all = ends(curve.loop);
    return curve.left + (iteration - all[0]) / Math.max(1, all[1] - all[0]) * curve.width;
  }

  function look(curve, from, to) {
    var all = ends(curve.loop), least = Math.min(4, all[1] - all[0]), wide = Math.min(all[1] - all[0], Math.max(least, to - from));
    var first = Math.min(Math.max(all[0], from), all[1] - wide);
    curve.view = [first, first + wide];
    var x = xOf(curve, first), width = Math.max(1e-6, xOf(curve, first + wide) - x);
    curve.inner.setAttribute("viewBox", x + " 0 " + width + " " + curve.height);
    curve.ends.forEach(function (text, i) {
      text.textContent = (i ? "" : "iteration ") + Math.round(curve.view[i]);
    });
  }

  function zoom(curve, factor, at) {
    var wide = (curve.view[1] - curve.view[0]) * factor, part = (at - curve.view[0]) / Math.max(1e-9, curve.view[1] - curve.view[0]);
    look(curve, at - part * wide, at - part * wide + wide);
  }

  function pan(curve, direction) {
    var step = direction * (curve.view[1] - curve.view[0]) / 4;
    look(curve, curve.view[0] + step, curve.view[1] + step);
  }

  /* ---- the values of a point ---- */

  function pointAt(loop, iteration) {
    var at = loop.last.findIndex(function (last) { return last >= iteration; });
    return at < 0 ? loop.last.length - 1 : at;
  }

  function told(loop, i) {
    var first = loop.last[i] - loop.many[i] + 1;
    return "Iteration" + (loop.many[i] > 1 ? "s " + first + " to " : " ") + loop.last[i] + ", second " +
      Number(loop.begin[i].toPrecision(4)) + ": outside MPI " + seconds(loop.own[i] / loop.many[i]) + " (mean), slowest " +
      seconds(loop.most[i] / loop.many[i]) + " (rank " + loop.rank[i] + "), in MPI " + seconds(loop.mpi[i] / loop.many[i]) +
      " (mean), cluster " + String.fromCharCode(65 + loop.cluster[i] % 26) + ".";
  }

  function select(curve, i) {
    var x = i === null ? 0 : xOf(curve, curve.loop.last[i]);
    curve.point = i;
    curve.status.textContent = i === null ? HELP : told(curve.loop, i);
    curve.line.setAttribute("visibility", i === null ? "hidden" : "visible");
    curve.line.setAttribute("x1", x);
    curve.line.setAttribute("x2", x);
  }

  /* The next one; what lies outside of the picture comes into it. */
  function step(curve, direction) {
    var n = curve.loop.last.length, from = curve.point === null ? pointAt(curve.loop, curve.view[0]) - direction : curve.point;
    var to = Math.min(n - 1, Math.max(0, from + direction)), at = curve.loop.last[to], half = (curve.view[1] - curve.view[0]) / 2;
    select(curve, to);
    if (at < curve.view[0] || at > curve.view[1]) { look(curve, at - half, at + half); }
  }

  function iterationAt(curve, event) {
    var box = curve.svg.getBoundingClientRect(), x = (event.clientX - box.left) / box.width * curve.svg.viewBox.baseVal.width;
    var part = Math.max(0, Math.min(1, (x - curve.left) / curve.width));
    return curve.view[0] + part * (curve.view[1] - curve.view[0]);
  }

  /* ---- mouse, keys, legend ---- */

  function follow(curve) {
    curve.svg.addEventListener("pointermove", function (event) {
      select(curve, pointAt(curve.loop, Math.round(iterationAt(curve, event))));
    });
    curve.svg.addEventListener("pointerleave", function () { select(curve, null); });
    curve.svg.addEventListener("wheel", function (event) {
      if (!event.ctrlKey) { return; }
      event.preventDefault();
      zoom(curve, event.deltaY < 0 ? 0.5 : 2, iterationAt(curve, event));
    }, { passive: false });
    curve.svg.addEventListener("keydown", function (event) {
      var middle = curve.point === null ? (curve.view[0] + curve.view[1]) / 2 : curve.loop.last[curve.point];
      var keys = { ArrowLeft: function () { step(curve, -1); }, ArrowRight: function () { step(curve, 1); },
        w: function () { zoom(curve, 0.5, middle); }, s: function () { zoom(curve, 2, middle); },
        a: function () { pan(curve, -1); }, d: function () { pan(curve, 1); },
        Home: function () { look.apply(null, [curve].concat(ends(curve.loop))); }, Escape: function () { select(curve, null); } };
      var act = keys[event.key.length > 1 ? event.key : event.key.toLowerCase()];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) { return; }
      event.preventDefault();
      act();
    });
  }

  /* Each entry of the legend becomes a button that hides its curve. */
  function addLegend(curve) {
    var list = curve.status.nextElementSibling;
    if (!list || !list.classList.contains("legend")) { return; }
    Array.from(list.children).forEach(function (entry) {
      var button = element("button", "series-toggle"), kind = entry.querySelector("[class*='series-']").className.split(" ")[1];
      button.type = "button";
      button.append.apply(button, Array.from(entry.childNodes));
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", function () {
        var hidden = curve.inner.querySelector("polyline." + kind).classList.toggle("series-hidden");
        button.setAttribute("aria-pressed", String(!hidden));
      });
      entry.append(button);
    });
  }

  if (curves.length === data.loops.length) {
    made = curves.map(function (svg, i) { return begin(svg, data.loops[i]); });
    made.forEach(function (curve) {
      look(curve, curve.view[0], curve.view[1]);
      follow(curve);
      addLegend(curve);
    });
  }
  return { data: data, all: made, ends: ends, shape: shape, iterationAt: iterationAt, xOf: xOf };
}());
