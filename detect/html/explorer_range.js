/*
 * The explorer for a range of iterations: computation, waiting and calls of contexts as the series and recorded
 * iterations have them (range_figures.js). All other metrics are known of the whole run alone.
 */
(function () {
  var WHY = "not known over time", KEPT = ["own", "total", "below", "rows", "byRank", "absent", "others", "inRun"];

  function keep(metric) {
    if (metric.whole)
      return;
    metric.whole = {};
    KEPT.forEach(function (name) { metric.whole[name] = metric[name]; });
  }

  function fill(model, metric, range, kind) {
    var n = range.ranks.length;
    metric.absent = "";
    metric.own = new Float64Array(model.n);
    Object.keys(range.contexts).forEach(function (v) { metric.own[v] = range.contexts[v][kind] * n; });
    if (kind === "own") {
      metric.own[model.roots[0]] += range.unseen * n;
      metric.byRank = new Float64Array(model.ranks);
      range.ranks.forEach(function (rank, i) { metric.byRank[rank] = range.rankOwn[i]; });
    }
    metric.total = metric.own.reduce(function (a, b) { return a + b; }, 0);
  }

  function restore(metric) {
    if (!metric.whole)
      return;
    KEPT.forEach(function (name) { metric[name] = metric.whole[name]; });
    metric.whole = null;
  }

  var FILLED = { computation: "own", waiting: "wait", mpi_calls: "calls" };

  function narrow(model, metric, range) {
    keep(metric);
    metric.below = null;
    metric.rows = [];
    metric.byRank = null;
    metric.others = [];
    metric.inRun = {};
    metric.own = new Float64Array(model.n);
    metric.total = 0;
    if (FILLED[metric.name] && !metric.whole.absent)
      fill(model, metric, range, FILLED[metric.name]);
    else
      metric.absent = metric.whole.absent || WHY;
  }

  /* `range` as of scalanaRange.figures(); null: the whole run. */
  scalana.narrow = function (model, range) {
    model.range = range;
    model.metrics.forEach(function (metric) {
      restore(metric);
      if (range)
        narrow(model, metric, range);
    });
  };

  /* Why the ranks of what is chosen have no values; "": they have. */
  scalana.whyNoRanks = function (model, measure, v, below) {
    if (!model.range || (below && v === model.roots[0] && measure.metric.byRank))
      return "";
    return "Of a range of iterations, ranks are known for the computation of the whole program alone.";
  };
})();
