/* What the series has of a range of iterations: sums over its points, those at the ends in proportion. Contexts are those
 * of each point's cluster, as recorded iterations show them, made as long as the point took. */
var scalanaRange = (function () {
  /* Calls `see` with each point that has iterations from..to, and the part of it that they are. */
  function points(loop, from, to, see) {
    loop.last.forEach(function (last, i) {
      var first = last - loop.many[i] + 1, inside = Math.min(to, last) - Math.max(from, first) + 1;
      if (inside > 0) { see(i, inside / loop.many[i]); }
    });
  }

  function add(sums, vertex, kind, value) {
    if (!value) { return; }
    sums[vertex] = sums[vertex] || { own: 0, wait: 0, calls: 0 };
    sums[vertex][kind] += value;
  }

  function addContexts(sums, loop, i, part) {
    var cluster = loop.clusters[loop.cluster[i]], flat = cluster.contexts, own = 0, k, n = part * loop.many[i];
    for (k = 0; k < flat.length; k += 4) { own += flat[k + 1]; }
    if (!own) { return false; }
    for (k = 0; k < flat.length; k += 4) {
      add(sums, flat[k], "own", flat[k + 1] / own * part * loop.own[i]);
      add(sums, flat[k], "wait", flat[k + 2] * n);
      add(sums, flat[k], "calls", flat[k + 3] * n);
    }
    return true;
  }

  function rankTimes(loop, from, to, ranks) {
    var parts = [];
    points(loop, from, to, function (i, part) {
      var at = Math.floor(i / loop.factor), of = 0, k;
      for (k = at * loop.factor; k < Math.min(loop.last.length, (at + 1) * loop.factor); k++) { of += loop.many[k]; }
      parts[at] = (parts[at] || 0) + part * loop.many[i] / of;
    });
    return ranks.map(function (rank, r) {
      return parts.reduce(function (sum, part, at) { return sum + part * loop.rankOwn[r][at] * loop.rankUnit; }, 0);
    });
  }

  /* Seconds of the mean rank; `slowest`: the sum of each point's slowest rank. */
  function figures(data, number, from, to) {
    var loop = data.loops[number], sum = { from: from, to: to, iterations: 0, begin: Infinity, end: 0, span: 0, own: 0,
      slowest: 0, mpi: 0, off: 0, unseen: 0, wait: 0, contexts: {}, ranks: data.ranks, shared: data.shared };
    var serial = 0, known = 0;
    points(loop, from, to, function (i, part) {
      var end = loop.begin[i] + loop.span[i];
      sum.iterations += part * loop.many[i];
      sum.begin = Math.min(sum.begin, loop.begin[i]);
      sum.end = Math.max(sum.end, end);
      sum.span += part * loop.span[i];
      sum.own += part * loop.own[i];
      sum.slowest += part * loop.most[i];
      sum.mpi += part * loop.mpi[i];
      sum.off += part * loop.off[i];
      sum.unseen += addContexts(sum.contexts, loop, i, part) ? 0 : part * loop.own[i];
      if (loop.serial[i] > 0) {
        known += part * loop.most[i];
        serial += part * loop.most[i] / loop.serial[i];
      }
    });
    Object.keys(sum.contexts).forEach(function (v) { sum.wait += sum.contexts[v].wait; });
    sum.rankOwn = rankTimes(loop, from, to, data.ranks);
    sum.balance = sum.slowest ? sum.own / sum.slowest : NaN;
    sum.serialisation = known > 0.5 * sum.slowest ? known / serial : NaN;
    sum.communication = data.shared ? sum.serialisation : Math.min(1, sum.slowest / sum.span);
    sum.transfer = data.shared ? NaN : Math.min(1, sum.communication / sum.serialisation);
    sum.parallel = sum.balance * sum.communication;
    return sum;
  }

  return { figures: figures };
})();
