/*
 * What a chosen metric is: a metric with its parts, or when it is open what is in none of its parts,
 * or a ratio of two. Sums over contexts and values of ranks are worked out of these terms.
 */
(function () {
  function present(model, index) {
    return !model.metrics[index].absent;
  }

  /* [metric, factor] each. */
  function terms(model, metric, open) {
    var list = [[metric, 1]];
    if (open)
      metric.children.forEach(function (child) {
        if (present(model, child))
          list.push([model.metrics[child], -1]);
      });
    return list;
  }

  scalana.measure = function (model, index, open) {
    var metric = model.metrics[index];
    if (metric.ratio)
      return { metric: metric, scale: metric.scale, of: [[model.metrics[metric.of], 1]],
               per: [[model.metrics[metric.per], 1]] };
    return { metric: metric, of: terms(model, metric, open) };
  };

  function sumOf(model, list, v, below) {
    return list.reduce(function (sum, term) {
      return sum + term[1] * (below ? model.inclusive(term[0]) : term[0].own)[v];
    }, 0);
  }

  function totalOf(list) {
    return list.reduce(function (sum, term) { return sum + term[1] * term[0].total; }, 0);
  }

  function divide(measure, of, per) {
    return !measure.per ? of : per ? measure.scale * of / per : NaN;
  }

  /* Of a context, with all below it or alone. */
  scalana.sum = function (model, measure, v, below) {
    return divide(measure, sumOf(model, measure.of, v, below),
                  measure.per ? sumOf(model, measure.per, v, below) : 1);
  };

  /* Of the whole program. */
  scalana.total = function (measure) {
    return divide(measure, totalOf(measure.of), measure.per ? totalOf(measure.per) : 1);
  };

  function addRow(values, row, factor) {
    var i;
    if (row.each !== undefined)
      for (i = 0; i < values.length; i++)
        values[i] += factor * row.each;
    else if (row.ranks)
      for (i = 0; i < row.ranks.length; i++)
        values[row.ranks[i]] += factor * row.values[i];
    else
      for (i = 0; i < row.values.length; i++)
        values[i] += factor * row.values[i];
  }

  function firstRow(rows, place) {
    var low = 0, high = rows.length, middle;
    while (low < high) {
      middle = (low + high) >> 1;
      if (rows[middle].place < place)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /* Adds a metric's values of ranks to `found`, or remembers what is known but as a spread. */
  function addMetric(model, found, term, v, below) {
    var metric = term[0], end = below ? model.end[v] : model.place[v] + 1, i, row;
    if (below && metric.byRank && model.roots.length === 1 && v === model.roots[0]) {
      addRow(found.values, { values: metric.byRank }, term[1]);
      return;
    }
    for (i = firstRow(metric.rows, model.place[v]); i < metric.rows.length; i++) {
      row = metric.rows[i];
      if (row.place >= end)
        return;
      if (!row.quantiles)
        addRow(found.values, row, term[1]);
      else
        found.spread.push(row);
    }
  }

  function ranksOf(model, list, v, below) {
    var found = { values: new Float64Array(model.ranks), spread: [] };
    list.forEach(function (term) { addMetric(model, found, term, v, below); });
    return found;
  }

  /*
   * `values` of the ranks; `unknown`, of how many contexts these lack, since but their spread is
   * known, and `missing`, their sum; `spread`, the one that is all there is.
   */
  scalana.ranks = function (model, measure, v, below) {
    var of = ranksOf(model, measure.of, v, below), per, i;
    var found = { values: of.values, unknown: of.spread.length, missing: 0, spread: null };
    of.spread.forEach(function (row) { found.missing += row.sum; });
    if (measure.per) {
      per = ranksOf(model, measure.per, v, below);
      found.unknown += per.spread.length;
      for (i = 0; i < found.values.length; i++)
        found.values[i] = divide(measure, found.values[i], per.values[i]);
    } else if (of.spread.length === 1 && measure.of.length === 1 && onlySpread(of)) {
      found.spread = of.spread[0];
    }
    return found;
  };

  function onlySpread(of) {
    return of.values.every(function (value) { return value === 0; });
  }

  /* Of older reports, computation and time in MPI alone. */
  function sumInOlder(model, measure, run, v, below) {
    var name = measure.metric.name, sums;
    if (measure.per || measure.of.length > 1 || (name !== "computation" && name !== "mpi_time"))
      return NaN;
    sums = model.runSums(run, name === "mpi_time");
    return (below ? sums.below : sums.own)[v];
  }

  /* Of a run of this report: NaN where it has the metric of the largest run alone. */
  function sumInRun(model, measure, run, v, below) {
    function add(terms) {
      return terms.reduce(function (sum, term) {
        var sums = model.sumsIn(term[0], run);
        return sum + (sums ? term[1] * (below ? sums.below : sums.own)[v] : NaN);
      }, 0);
    }
    if (!model.metrics.some(function (metric) { return metric.others.length; }))
      return sumInOlder(model, measure, run, v, below);
    return divide(measure, add(measure.of), measure.per ? add(measure.per) : 1);
  }

  /* A mode of values: both() has the sum of a context, or (undefined) of the whole program, here and
   * in the other run; the remark is for what ranks show. */
  scalana.againstRun = function (model, run) {
    function sum(measure, of, v, below) {
      if (v !== undefined)
        return sumInRun(model, measure, of, v, below);
      return model.roots.reduce(function (all, root) { return all + sumInRun(model, measure, of, root, true); }, 0);
    }
    return {
      name: "run", title: "against " + model.runs[run].ranks + " ranks (" + model.runs[run].name + ")",
      remark: "Other runs are reported as sums over their ranks; these values are the largest run's.",
      both: function (measure, v, below) {
        return [sum(measure, model.runs.length - 1, v, below), sum(measure, run, v, below)];
      }
    };
  };
})();
