/*
 * Another run's report, chosen by the user and read in the browser: its sums, at the contexts of this
 * page. Contexts are the same by what they are, their function and file, and the how-manieth such
 * they are below theirs: lines may have moved.
 */
(function () {
  function base(file) {
    return (file || "").slice((file || "").lastIndexOf("/") + 1);
  }

  function keyOf(kind, name, functionName, file) {
    return [kind, kind === "mpi" || kind === "call" ? name : "", functionName, base(file)].join("\u0000");
  }

  function otherChildren(vertices) {
    var children = vertices.map(function () { return []; }), roots = [];
    vertices.forEach(function (vertex, i) {
      var top = vertex.parent === null || vertex.parent === undefined || vertex.parent === i;
      (top ? roots : children[vertex.parent]).push(i);
    });
    return { children: children, roots: roots };
  }

  /* Pairs [other, here] of two families; what has no counterpart stays with the context around it. */
  function pairs(model, vertices, theirs, ours) {
    var waiting = {}, found = [];
    ours.forEach(function (v) {
      var key = model.key(v);
      (waiting[key] = waiting[key] || []).push(v);
    });
    theirs.forEach(function (i) {
      var vertex = vertices[i], same = waiting[keyOf(vertex.kind, vertex.name, vertex.function, vertex.file)];
      found.push([i, same && same.length ? same.shift() : -1]);
    });
    return found;
  }

  /* Which context here stands for each of the other report; how many have none of their own. */
  function match(model, vertices) {
    var tree = otherChildren(vertices), here = new Int32Array(vertices.length).fill(-1), lost = 0;
    var stack = pairs(model, vertices, tree.roots, model.roots), pair, around;
    stack.forEach(function (p) { p.push(model.roots[0]); });
    while (stack.length) {
      pair = stack.pop();
      around = pair[1] >= 0 ? pair[1] : pair[2];
      lost += pair[1] < 0 ? 1 : 0;
      here[pair[0]] = around;
      pairs(model, vertices, tree.children[pair[0]], pair[1] >= 0 ? model.children[pair[1]] : []).forEach(function (p) {
        stack.push([p[0], p[1], around]);
      });
    }
    return { here: here, lost: lost };
  }

  function sumsOf(model, metric, here) {
    var own = new Float64Array(model.n);
    metric.rows.forEach(function (row) {
      if (here[row.vertex] >= 0)
        own[here[row.vertex]] += row.sum || 0;
    });
    return { own: own, below: scalana.inclusive(model, own), total: own.reduce(function (a, b) { return a + b; }, 0) };
  }

  /* Throws what is wrong with it, in words. */
  scalana.readOther = function (model, text, name) {
    var report, found, other = { name: name, metrics: {} };
    try {
      report = JSON.parse(text);
    } catch (error) {
      throw new Error(name + " is not JSON");
    }
    if (!report || report.schema !== "scalana-report/1" || !Array.isArray(report.vertices) || !Array.isArray(report.runs))
      throw new Error(name + " is not a report of scalana-detect (scalana-report/1)");
    if (!Array.isArray(report.metrics) || !report.metrics.length)
      throw new Error(name + " has no metrics: an older release wrote it");
    found = match(model, report.vertices);
    report.metrics.forEach(function (metric) {
      if (Array.isArray(metric.rows))
        other.metrics[metric.name] = sumsOf(model, metric, found.here);
    });
    other.ranks = report.runs.length ? report.runs[report.runs.length - 1].ranks : 0;
    other.lost = found.lost;
    return other;
  };

  function sumOf(other, terms, v, below) {
    return terms.reduce(function (sum, term) {
      var sums = other.metrics[term[0].name];
      return sum + (sums ? term[1] * (v === undefined ? sums.total : (below ? sums.below : sums.own)[v]) : NaN);
    }, 0);
  }

  /* Of a context, or (undefined) of the whole program; NaN: it has none of the metric. */
  function sumInOther(measure, other, v, below) {
    var of = sumOf(other, measure.of, v, below), per = measure.per ? sumOf(other, measure.per, v, below) : 1;
    return !measure.per ? of : per ? measure.scale * of / per : NaN;
  }

  scalana.contextKey = keyOf;

  /* A mode of values, as scalana.againstRun() has it. */
  scalana.againstReport = function (model, other) {
    return {
      name: "run", title: "against " + other.name + ", " + other.ranks + " ranks",
      remark: "These values are this report's." + (!other.lost ? "" : " Of the other, " + other.lost +
        (other.lost === 1 ? " context has" : " contexts have") + " no counterpart here; its time counts for the enclosing context."),
      both: function (measure, v, below) {
        return [v === undefined ? scalana.total(measure) : scalana.sum(model, measure, v, below),
                sumInOther(measure, other, v, below)];
      }
    };
  };
})();
