/*
 * The explorer: metrics, calling contexts and ranks, each pane for what is chosen in the one before.
 * A closed row has all below it, an open one what is in none of the rows below.
 */
(function () {
  var element = scalana.element, place = document.getElementById("explorer-panes");
  var data = document.getElementById("explorer-data");
  var x = { mode: scalana.modes[0], order: "program", word: "", only: false, matches: [], keeps: [] };

  function outermost(metric) {
    return metric.parent < 0 ? metric : outermost(x.model.metrics[metric.parent]);
  }

  function metricTotal(metric) {
    return metric.ratio ? NaN : outermost(metric).total;
  }

  /* By the clock of cores that ranks shared, time in MPI is mostly scheduling: it has no colours. */
  function isByClock(metric) {
    return x.model.replayed && metric.name === "mpi_time";
  }

  function titleOf(metric) {
    return metric.title + (isByClock(metric) ? " (by the clock)" : "");
  }

  /* Of seconds the time of all ranks, in MPI and out of it; of others the metric's total. */
  function wholeOf(metric) {
    var time = isByClock(metric) ? timeOf(x.model, "mpi_time") : x.time;
    return metric.unit === "s" && time > 0 ? Math.max(time, metricTotal(metric)) : metricTotal(metric);
  }

  /* Computation, and what is not: replayed waits where ranks shared cores. */
  function timeOf(model, other) {
    return model.metrics.reduce(function (sum, metric) {
      return sum + (metric.name === "computation" || metric.name === other ? metric.total : 0);
    }, 0);
  }

  /* A value of a context, or of the whole program, in the words of the mode. */
  function tell(measure, value, parent, v, below) {
    var both = x.mode.name === "run" ? x.mode.both(measure, v, below) : [];
    return scalana.told(x.mode, {
      value: value, unit: measure.metric.unit, whole: wholeOf(measure.metric),
      metric: metricTotal(measure.metric), parent: parent, ranks: x.model.ranks, isRatio: !!measure.per,
      base: both[0], other: both[1]
    });
  }

  /* How severe it is; against another run, how much more or less than there. */
  function level(measure, value, whole, v, below) {
    var both;
    if (isByClock(measure.metric))
      return "none";
    if (x.mode.name !== "run")
      return scalana.severity(value / whole);
    both = x.mode.both(measure, v, below);
    return scalana.severity((both[0] - both[1]) / whole);
  }

  /* ---- metrics ---- */

  function absentRow(metric) {
    return { text: metric.title, detail: "n/a: " + metric.absent, value: "n/a", level: "none", faded: true,
             title: metric.title + ": " + metric.absent };
  }

  function metricRow(index, open) {
    var metric = x.model.metrics[index], measure = scalana.measure(x.model, index, open), value = scalana.total(measure);
    var parent = metric.parent < 0 ? metricTotal(metric) : x.model.metrics[metric.parent].total;
    if (metric.absent)
      return absentRow(metric);
    return { text: titleOf(metric), value: tell(measure, value, parent), level: metric.unit === "s" ? level(measure, value, wholeOf(metric)) : "none",
             detail: metric.ratio ? metric.unit : "", title: metric.title + " (" + metric.name + "): " + metric.meaning +
               "\n" + scalana.quantity(value, metric.unit) };
  }

  function metricSource() {
    return {
      roots: function () {
        return x.model.metrics.filter(function (m) { return m.parent < 0; }).map(function (m) { return m.index; });
      },
      children: function (index) { return x.model.metrics[index].children; },
      row: metricRow,
      chosen: function (index) {
        x.measure = scalana.measure(x.model, index, x.metrics.isOpen(index));
        x.sorted = {};
        x.calls.refresh();
        showSystem();
      }
    };
  }

  /* ---- contexts ---- */

  function callRow(v, open) {
    var model = x.model, value = scalana.sum(model, x.measure, v, !open), absent = x.measure.metric.absent;
    var above = model.parent[v] < 0 ? scalana.total(x.measure) : scalana.sum(model, x.measure, model.parent[v], true);
    return {
      text: model.label(v), detail: model.where(v), value: absent ? "n/a" : tell(x.measure, value, above, v, !open),
      level: absent ? "none" : level(x.measure, value, metricTotal(x.measure.metric), v, !open), faded: !!absent || value === 0,
      mark: x.causes[v] !== undefined || (!!x.word && x.matches[v]),
      markWord: x.causes[v] === undefined ? "found" : "cause " + (x.causes[v] + 1),
      title: model.label(v) + ", " + model.fullPlace(v) + "\n" + scalana.quantity(value, x.measure.metric.unit) +
        (open ? ", alone" : ", with all below it") + (x.causes[v] === undefined ? "" : "\nCause " + (x.causes[v] + 1))
    };
  }

  function ordered(v, children) {
    var sums;
    if (x.order === "program" || children.length < 2)
      return children;
    if (!x.sorted[v]) {
      sums = children.map(function (c) { return [c, scalana.sum(x.model, x.measure, c, true) || 0]; });
      sums.sort(function (a, b) { return b[1] - a[1] || a[0] - b[0]; });
      x.sorted[v] = sums.map(function (pair) { return pair[0]; });
    }
    return x.sorted[v];
  }

  function callSource() {
    return {
      roots: function () { return ordered(-1, x.model.roots); },
      children: function (v) { return ordered(v, x.model.children[v]); },
      siblings: function (v) { return x.model.parent[v] < 0 ? x.model.roots : x.model.children[x.model.parent[v]]; },
      passes: function (v) { return !x.only || !x.word || x.keeps[v] === 1; },
      row: callRow,
      chosen: showSystem
    };
  }

  /* ---- the third pane, and what is said of the choice ---- */

  function blamedRanks(v, below) {
    var model = x.model, blamed = {}, end = below ? model.end[v] : model.place[v] + 1;
    model.causes.forEach(function (cause) {
      var at = model.place[cause.vertex];
      if (at >= model.place[v] && at < end && cause.ranks.length < model.ranks)
        cause.ranks.forEach(function (rank) { blamed[rank] = true; });
    });
    return blamed;
  }

  function summary(measure, v, below, value) {
    var metric = measure.metric, part = value / metricTotal(metric);
    x.said.textContent = metric.title + (measure.of.length > 1 ? ", outside its parts" : "") + " of " +
      x.model.label(v) + " " + x.model.where(v) + (x.model.children[v].length ? below ? ", with all below it" : ", alone" : "") +
      ": " + (metric.absent ? "n/a, " + metric.absent : scalana.quantity(value, metric.unit) +
        (metric.ratio ? " " + metric.unit : isFinite(part) ? ", " + scalana.percent(part) + " of the metric" : ""));
  }

  function showSystem() {
    var v = x.calls.selected, below, value;
    if (v === undefined)
      return;
    below = !x.calls.isOpen(v);
    value = scalana.sum(x.model, x.measure, v, below);
    summary(x.measure, v, below, value);
    x.system.show({
      measure: x.measure, mode: x.mode, order: x.order, whole: wholeOf(x.measure.metric), metric: metricTotal(x.measure.metric), total: value,
      why: scalana.whyNoRanks(x.model, x.measure, v, below),
      found: scalana.ranks(x.model, x.measure, v, below), threads: scalana.threadSeconds(x.model, x.measure, v, below), blamed: blamedRanks(v, below)
    });
  }

  function refresh() {
    place.classList.toggle("x-wide", x.mode.name === "run");
    x.sorted = {};
    x.metrics.refresh();
    x.calls.refresh();
    showSystem();
  }

  x.parts = { refresh: refresh };

  /* ---- from a cause's link ---- */

  function follow(event) {
    var link = event.target.closest("a.explore"), names, at;
    if (!link)
      return;
    names = x.model.metrics.map(function (m) { return m.absent ? "" : m.name; });
    at = Math.max(0, names.indexOf(link.dataset.metric));
    x.calls.selected = Number(link.dataset.vertex);
    x.metrics.select(at);
    x.parts.reveal(Number(link.dataset.vertex));
    x.system.goToBlamed();
    setTimeout(function () { x.calls.box.focus({ preventScroll: true }); }, 0); /* after the jump */
  }

  /* A range of iterations was chosen, or none (range.js). */
  function narrow(event) {
    scalana.narrow(x.model, event.detail);
    x.time = timeOf(x.model, x.model.replayed || event.detail ? "waiting" : "mpi_time");
    if (x.model.metrics[x.metrics.selected].absent)
      x.metrics.select(firstMetric());
    x.measure = scalana.measure(x.model, x.metrics.selected, x.metrics.isOpen(x.metrics.selected));
    refresh();
  }

  function firstMetric() {
    var at = x.model.metrics.findIndex(function (m) { return !m.absent; });
    return Math.max(0, at);
  }

  function open() {
    x.model = scalana.readModel(JSON.parse(data.textContent));
    x.time = timeOf(x.model, x.model.replayed ? "waiting" : "mpi_time");
    x.causes = {};
    x.model.causes.forEach(function (cause, i) {
      if (x.causes[cause.vertex] === undefined)
        x.causes[cause.vertex] = i;
    });
    place.hidden = false;
    if (!x.model.n || !x.model.ranks || !x.model.metrics.length) {
      place.append(element("p", "missing", "The report has no contexts or no ranks to explore."));
      return;
    }
    scalana.addSearch(x);
    scalana.frame(place, x);
    x.metrics = scalana.tree(x.boxes.metrics, metricSource());
    x.calls = scalana.tree(x.boxes.calls, callSource());
    x.system = scalana.systemPane(x.boxes.system, x.model);
    x.calls.selected = x.model.roots[0];
    x.metrics.select(firstMetric());
    document.addEventListener("click", follow);
    document.addEventListener("scalana-range", narrow);
  }

  open();
})();
