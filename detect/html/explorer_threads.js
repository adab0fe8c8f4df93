/*
 * Threads below their ranks: what each computed in the chosen context. The report has it of so many threads
 * (report_threads.h); what others of a rank have, and contexts that it lacks, is one more row.
 */
(function () {
  var LITTLE = 1e-3; /* of the rank's value: what rounding may leave */

  /* "t" + rank + "." + place among the listed ones; the rest is behind the last of these. */
  function idOf(rank, place) {
    return "t" + rank + "." + place;
  }

  scalana.isThread = function (id) {
    return typeof id === "string" && id[0] === "t";
  };

  scalana.rankOfThread = function (id) {
    return Number(id.slice(1).split(".")[0]);
  };

  function placeOf(id) {
    return Number(id.split(".")[1]);
  }

  scalana.readThreads = function (model, from) {
    if (!from)
      return null;
    return { n: from.n, listed: from.listed, leftOut: from.left_out, rows: from.rows.map(function (row) {
      return { place: model.place[row[0]], seconds: row[1] };
    }) };
  };

  /* Seconds of the listed threads of all ranks, rank by rank; null: none are listed of this measure. */
  scalana.threadSeconds = function (model, measure, v, below) {
    var from = model.threads, first = model.place[v], end = below ? model.end[v] : first + 1, sums, any = false;
    if (!from || model.range || measure.per || measure.of.length > 1 || measure.metric.name !== "computation")
      return null;
    sums = new Float64Array(model.ranks * from.listed.length);
    from.rows.forEach(function (row) {
      if (row.place < first || row.place >= end)
        return;
      any = true;
      row.seconds.forEach(function (s, i) { sums[i] += s; });
    });
    return any ? sums : null;
  };

  function rest(pane, rank) {
    var n = pane.model.threads.listed.length, at = rank * n, sum = 0, i;
    for (i = 0; i < n; i++)
      sum += pane.shown.threads[at + i];
    return pane.shown.found.values[rank] - sum;
  }

  scalana.threadValue = function (pane, id) {
    var n = pane.model.threads.listed.length, rank = scalana.rankOfThread(id), place = placeOf(id);
    return place === n ? rest(pane, rank) : pane.shown.threads[rank * n + place];
  };

  /* Those of a rank that have any; none where it is the first thread alone. */
  scalana.threadsOf = function (pane, rank) {
    var ids = [], n, i;
    if (!pane.shown || !pane.shown.threads)
      return ids;
    n = pane.model.threads.listed.length;
    for (i = 0; i < n; i++)
      if (pane.shown.threads[rank * n + i] > 0)
        ids.push(idOf(rank, i));
    if (rest(pane, rank) > LITTLE * pane.shown.found.values[rank])
      ids.push(idOf(rank, n));
    return ids.length > 1 || (ids.length && ids[0] !== idOf(rank, 0)) ? ids : [];
  };

  scalana.threadName = function (pane, id) {
    var from = pane.model.threads, place = placeOf(id);
    if (place < from.listed.length)
      return "thread " + from.listed[place];
    if (!from.leftOut)
      return "other threads";
    return from.n > from.listed.length ? "other threads, and what is not reported by thread" : "not reported by thread";
  };
})();
