/* The explorer's data: contexts as a tree, metrics as sums per context and as rows of ranks. */
var scalana = {};
(function () {
  /* What could reorder or hide the text beside it becomes visible, as elsewhere on the page. */
  var HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;

  function visible(text) {
    return text.replace(HIDDEN, function (c) {
      var code = c.charCodeAt(0);
      if (code < 0x20)
        return code === 9 ? " " : String.fromCharCode(0x2400 + code);
      return "<U+" + ("000" + code.toString(16).toUpperCase()).slice(-4) + ">";
    });
  }

  /* Children in the report's order, and each context's stretch in the order of a walk. */
  function addTree(model, parent) {
    var n = parent.length, children = [], roots = [], i;
    for (i = 0; i < n; i++)
      children.push([]);
    for (i = 0; i < n; i++)
      (parent[i] < 0 || parent[i] === i ? roots : children[parent[i]]).push(i);
    model.parent = Int32Array.from(parent, function (p, v) { return p === v ? -1 : p; });
    model.children = children;
    model.roots = roots;
    model.order = new Int32Array(n);
    model.place = new Int32Array(n);
    model.end = new Int32Array(n);
    walk(model);
  }

  function walk(model) {
    var stack = model.roots.slice().reverse(), used = 0, i, v;
    while (stack.length) {
      v = stack.pop();
      model.place[v] = used;
      model.order[used++] = v;
      for (i = model.children[v].length; i-- > 0;)
        stack.push(model.children[v][i]);
    }
    for (i = used; i-- > 0;) {
      v = model.order[i];
      model.end[v] = Math.max(model.end[v], i + 1);
      if (model.parent[v] >= 0)
        model.end[model.parent[v]] = Math.max(model.end[model.parent[v]], model.end[v]);
    }
  }

  function base(file) {
    return file.slice(file.lastIndexOf("/") + 1);
  }

  function addNames(model, data) {
    var text = data.text.map(visible);
    model.kind = function (v) { return text[data.kind[v]]; };
    model.where = function (v) {
      var file = base(text[data.file[v]]);
      return data.line[v] ? file + ":" + data.line[v] : file;
    };
    model.fullPlace = function (v) {
      return text[data.file[v]] + (data.line[v] ? ":" + data.line[v] : "") +
        (text[data.function[v]] ? " in " + text[data.function[v]] : "");
    };
    model.label = function (v) {
      var kind = model.kind(v), name = text[data.name[v]];
      if (kind === "root")
        return text[data.function[v]] || name || "program";
      if (kind === "comp")
        return "computation";
      return (kind === "mpi" || kind === "call") && name ? name : kind || "?";
    };
    /* By which another report's contexts are found again. */
    model.key = function (v) {
      return scalana.contextKey(data.text[data.kind[v]], data.text[data.name[v]], data.text[data.function[v]],
                                data.text[data.file[v]]);
    };
    /* What a search looks through. */
    model.words = function (v) {
      return (model.label(v) + " " + text[data.name[v]] + " " + text[data.function[v]] + " " +
        model.where(v)).toLowerCase();
    };
  }

  /* Sums below a context, of sums of contexts. */
  function inclusive(model, own) {
    var sums = Float64Array.from(own), i, v;
    for (i = model.order.length; i-- > 0;) {
      v = model.order[i];
      if (model.parent[v] >= 0)
        sums[model.parent[v]] += sums[v];
    }
    return sums;
  }

  /* A row of the page (html_explorer.h has its five forms) with names for its parts. */
  function readRow(row, model) {
    var vertex = row[0], is = { vertex: vertex, sum: row[1] || 0, place: model.place[vertex] };
    if (row.length === 7) {
      is.quantiles = row[2];
      is.least = row[3];
      is.most = row[4];
      is.ranks = row[5];
      is.values = row[6];
    } else if (row.length === 4 && !Array.isArray(row[2])) {
      is.values = Float64Array.from(row[3], function (parts) { return parts * row[2]; });
    } else if (row.length === 4) {
      is.ranks = row[2];
      is.values = row[3];
    } else if (Array.isArray(row[2])) {
      is.values = row[2];
    } else {
      is.each = row[2] || 0;
    }
    return is;
  }

  /* Sums are worked out when a metric is first looked at. */
  function readMetric(model, from, index) {
    var metric = {
      index: index, name: visible(from.name), title: visible(from.title || from.name),
      unit: visible(from.unit), meaning: visible(from.meaning), absent: visible(from.absent || ""),
      parent: from.parent < index ? from.parent : -1, children: [], /* parts come after their whole */
      of: from.of, per: from.per, scale: from.scale, byRank: from.by_rank, ratio: from.of !== undefined
    };
    metric.others = from.others || [];
    metric.rows = from.rows.map(function (row) { return readRow(row, model); });
    metric.rows.sort(function (a, b) { return a.place - b.place; });
    metric.own = new Float64Array(model.n);
    metric.rows.forEach(function (row) { metric.own[row.vertex] = row.sum; });
    metric.total = metric.own.reduce(function (a, b) { return a + b; }, 0);
    return metric;
  }

  function addMetrics(model, data) {
    model.metrics = data.metrics.map(function (from, i) { return readMetric(model, from, i); });
    model.metrics.forEach(function (metric) {
      if (metric.parent >= 0)
        model.metrics[metric.parent].children.push(metric.index);
    });
    model.inclusive = function (metric) {
      if (!metric.below)
        metric.below = inclusive(model, metric.own);
      return metric.below;
    };
  }

  /* Core-seconds of each context in each run: of MPI calls the time in them, of others their own. */
  function addRuns(model, data) {
    model.runs = data.runs.map(function (run, i) {
      return { ranks: run[0], name: base(visible(run[1])) || "run " + (i + 1), own: data.own[i] };
    });
    model.runSums = function (run, mpi) {
      var key = mpi ? "mpi" : "computation", own;
      if (!model.runs[run][key]) {
        own = Float64Array.from(model.runs[run].own, function (s, v) {
          return (model.kind(v) === "mpi") === mpi ? s || 0 : 0;
        });
        model.runs[run][key] = { own: own, below: inclusive(model, own) };
      }
      return model.runs[run][key];
    };
    /* Of a metric in a run: sums of contexts, alone and with all below; null: the run has none told. */
    model.sumsIn = function (metric, run) {
      var own, told;
      if (run === model.runs.length - 1)
        return { own: metric.own, below: model.inclusive(metric) };
      metric.inRun = metric.inRun || {};
      if (metric.inRun[run] === undefined) {
        told = metric.others.filter(function (other) { return other[0] === run; })[0];
        if (told) {
          own = new Float64Array(model.n);
          told[1].forEach(function (v, i) { own[v] = told[2][i]; });
        }
        metric.inRun[run] = told ? { own: own, below: inclusive(model, own) } : null;
      }
      return metric.inRun[run];
    };
  }

  scalana.visible = visible;
  scalana.inclusive = inclusive;

  scalana.readModel = function (data) {
    var model = { n: data.parent.length, ranks: data.ranks, lacks: data.lacks, replayed: data.replayed };
    addTree(model, data.parent);
    addNames(model, data);
    addMetrics(model, data);
    addRuns(model, data);
    model.causes = data.causes.map(function (c) { return { vertex: c[0], ranks: c[1] }; });
    model.hosts = data.hosts.map(function (h) { return { name: visible(h[0]), ranks: h[1] }; });
    model.topologies = data.topologies.map(scalana.withPlaces);
    model.leftOut = data.topologies_left_out || 0;
    model.cores = data.cores || [];
    scalana.addGroups(model, data.packages || []);
    model.threads = scalana.readThreads(model, data.threads);
    return model;
  };
})();
