/* Ways to a context of the explorer: a search, the heaviest below the chosen one, a link. */
(function () {
  var HOT = 0.5; /* the heaviest child is gone into while it has so much of its parent */

  /* Adds them to the explorer's parts. */
  scalana.addSearch = function (x) {
    /* A filter that hides it is lifted. */
    function reveal(v) {
      if (!x.calls.passes(v))
        x.only = x.onlyBox.checked = false;
      for (var up = x.model.parent[v]; up >= 0; up = x.model.parent[up])
        x.calls.opened[up] = true;
      x.calls.select(v);
    }

    /* Down from the chosen context, always into the heaviest below it. */
    function followHeaviest() {
      var v = x.calls.selected, model = x.model;
      function sum(c) { return scalana.sum(model, x.measure, c, true); }
      function next(from) {
        var best = model.children[from].reduce(function (a, b) { return a < 0 || sum(b) > sum(a) ? b : a; }, -1);
        return best >= 0 && sum(best) > 0 && sum(best) >= HOT * sum(from) ? best : -1;
      }
      while (next(v) >= 0)
        v = next(v);
      reveal(v);
    }

    function search(word) {
      var n = 0, model = x.model, v, up;
      x.word = word.toLowerCase();
      x.matches = new Uint8Array(model.n);
      x.keeps = new Uint8Array(model.n);
      for (v = 0; v < model.n && x.word; v++) {
        if (model.words(v).indexOf(x.word) < 0)
          continue;
        n++;
        x.matches[v] = 1;
        for (up = v; up >= 0 && !x.keeps[up]; up = model.parent[up])
          x.keeps[up] = 1;
      }
      x.count.textContent = x.word ? n + " of " + model.n + " contexts" : "";
      if (x.only)
        openKept();
      x.calls.refresh();
    }

    /* What leads to a match is open where nothing else is shown. */
    function openKept() {
      for (var v = 0; v < x.model.n; v++)
        if (x.keeps[v] && x.model.children[v].some(function (c) { return x.keeps[c]; }))
          x.calls.opened[v] = true;
    }

    function nextMatch(step) {
      var model = x.model, n = model.n, from = model.place[x.calls.selected], i, v;
      for (i = 1; i <= n && x.word; i++) {
        v = model.order[(from + step * i + n * 2) % n];
        if (x.matches[v]) {
          reveal(v);
          return;
        }
      }
    }

    x.parts.reveal = reveal;
    x.parts.followHeaviest = followHeaviest;
    x.parts.search = search;
    x.parts.nextMatch = nextMatch;
  };
})();
