/* The third pane: ranks by host with bars and their threads, a map, or how the values are spread. */
(function () {
  var HALF = 0.5; /* of it: what is not told of each rank is said in red from here on */
  var element = scalana.element;

  /* Hosts and packages are groups, "g0", "g1" ...; ranks are their numbers; threads, explorer_threads.js. */
  function groupOf(model, id) {
    return typeof id === "string" && id[0] === "g" ? model.groups[Number(id.slice(1))] : null;
  }

  function sumOver(values, ranks) {
    return ranks.reduce(function (sum, rank) { return sum + values[rank]; }, 0);
  }

  function valueOf(pane, id) {
    var group = groupOf(pane.model, id), found = pane.shown.found;
    if (scalana.isThread(id))
      return scalana.threadValue(pane, id);
    if (!group)
      return found.values[id];
    return pane.shown.measure.per ? NaN : sumOver(found.values, group.ranks);
  }

  function told(pane, id, value) {
    var group = groupOf(pane.model, id), shown = pane.shown;
    var home = scalana.isThread(id) ? scalana.rankOfThread(id) : pane.model.homes[id];
    var all = home === undefined ? sumOver(shown.found.values, pane.all) : valueOf(pane, home);
    return scalana.told(shown.mode.name === "run" ? scalana.modes[0] : shown.mode, {
      value: value, unit: shown.measure.metric.unit, whole: shown.whole, metric: shown.metric, parent: all,
      isRatio: !!shown.measure.per, ranks: group ? group.ranks.length : 1
    });
  }

  function groupRow(pane, id, open) {
    var group = groupOf(pane.model, id), value = valueOf(pane, id);
    return {
      text: group.name, detail: group.ranks.length + " ranks",
      value: open ? "\u2013" : told(pane, id, value), level: open ? "none" : scalana.severity(value / pane.shown.metric),
      title: open ? "The ranks below have all of it" : scalana.quantity(value, pane.shown.measure.metric.unit)
    };
  }

  function coreOf(model, rank) {
    return model.cores[rank] >= 0 ? "core " + model.cores[rank] + " " : "";
  }

  function rankRow(pane, rank) {
    var value = pane.shown.found.values[rank], unit = pane.shown.measure.metric.unit;
    return {
      text: "rank " + rank, detail: coreOf(pane.model, rank) + scalana.rankPlace(pane.model, rank), value: told(pane, rank, value),
      faded: value === 0,
      level: scalana.severity(value / pane.shown.metric), bar: value / pane.most,
      mark: pane.shown.blamed[rank], markWord: "named by a cause", title: "rank " + rank + ": " + scalana.quantity(value, unit) +
        (pane.shown.blamed[rank] ? ", a rank that a cause names" : "")
    };
  }

  function threadRow(pane, id) {
    var value = scalana.threadValue(pane, id), name = scalana.threadName(pane, id);
    return {
      text: name, detail: "", value: told(pane, id, value), faded: value === 0, bar: value / pane.most,
      level: scalana.severity(value / pane.shown.metric),
      title: "rank " + scalana.rankOfThread(id) + ", " + name + ": " + scalana.quantity(value, pane.shown.measure.metric.unit)
    };
  }

  function rowOf(pane, id, open) {
    if (scalana.isThread(id))
      return threadRow(pane, id);
    return groupOf(pane.model, id) ? groupRow(pane, id, open) : rankRow(pane, id);
  }

  function childrenOf(pane, id) {
    var group = groupOf(pane.model, id);
    if (group)
      return ordered(pane, group.children);
    return scalana.isThread(id) ? [] : ordered(pane, scalana.threadsOf(pane, id));
  }

  /* As they are, or those that have most first. */
  function ordered(pane, ids) {
    var value = function (id) { var is = valueOf(pane, id); return isFinite(is) ? is : -Infinity; };
    if (!pane.shown || pane.shown.order === "program")
      return ids;
    return ids.slice().sort(function (a, b) { return value(b) - value(a) || (a < b ? -1 : 1); });
  }

  function source(pane) {
    var model = pane.model;
    return {
      roots: function () {
        return ordered(pane, model.topGroups.length ? model.topGroups : pane.all);
      },
      children: function (id) { return childrenOf(pane, id); },
      row: function (id, open) { return rowOf(pane, id, open); },
      chosen: function (id) { if (pane.chosen) pane.chosen(id); }
    };
  }

  /* What the values do not tell. */
  function remark(shown) {
    var found = shown.found;
    if (shown.why)
      return shown.why;
    if (shown.mode.name === "run")
      return shown.mode.remark;
    if (!found.unknown)
      return "";
    if (found.spread)
      return "The report has no value per rank for this context, only their distribution: see Distribution.";
    if (shown.measure.per)
      return found.unknown + " contexts without a value per rank are omitted.";
    return "These add up to " + scalana.percent(1 - found.missing / shown.total) + " of it: of " +
      found.unknown + (found.unknown === 1 ? " context" : " contexts") + " only the distribution over ranks is reported.";
  }

  function largest(values) {
    return values.reduce(function (most, value) { return value > most ? value : most; }, 0);
  }

  function draw(pane) {
    var only = !!pane.shown.found.spread || !!pane.shown.why, parts = pane.parts;
    pane.remark.textContent = remark(pane.shown);
    pane.remark.hidden = !pane.remark.textContent;
    pane.remark.classList.toggle("missing", pane.shown.found.missing > HALF * pane.shown.total);
    Object.keys(parts).forEach(function (name) {
      parts[name].hidden = name !== pane.tab || !!pane.shown.why;
      pane.tabs[name].setAttribute("aria-selected", name === pane.tab ? "true" : "false");
      pane.tabs[name].tabIndex = name === pane.tab ? 0 : -1;
    });
    if (pane.tab === "ranks") {
      pane.tree.box.hidden = only;
      pane.tree.refresh();
    } else if (pane.tab === "map") {
      scalana.drawMap(pane.map, pane.shown);
    } else {
      scalana.drawSpread(parts.spread, pane.shown);
    }
  }

  function addTab(pane, bar, name, title) {
    var tab = element("button", "", title), part = element("div", "x-part");
    tab.type = "button";
    tab.id = "x-tab-" + name;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", "x-part-" + name);
    part.id = "x-part-" + name;
    part.setAttribute("role", "tabpanel");
    part.setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", function () { pane.tab = name; draw(pane); });
    pane.tabs[name] = tab;
    pane.parts[name] = part;
    bar.append(tab);
  }

  /* Arrow keys go round the tabs. */
  function moveTab(pane, event) {
    var names = Object.keys(pane.tabs), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step)
      return;
    pane.tab = names[(names.indexOf(pane.tab) + step + names.length) % names.length];
    draw(pane);
    pane.tabs[pane.tab].focus();
    event.preventDefault();
  }

  /* Where a rank stands in the program's first topology: "(1,0)". That of the system is its host. */
  scalana.rankPlace = function (model, rank) {
    var first = model.topologies.find(function (t) { return t.kind !== "system"; });
    var at = first && first.coordinates[rank];
    return at ? "(" + at.join(",") + ")" : "";
  };

  scalana.systemPane = function (box, model) {
    var pane = { model: model, tabs: {}, parts: {}, tab: "ranks", all: [] }, i;
    var bar = element("div", "x-tabs");
    for (i = 0; i < model.ranks; i++)
      pane.all.push(i);
    bar.setAttribute("role", "tablist");
    bar.setAttribute("aria-label", "How ranks are shown");
    bar.addEventListener("keydown", function (event) { moveTab(pane, event); });
    addTab(pane, bar, "ranks", "Bars");
    addTab(pane, bar, "map", "Map");
    addTab(pane, bar, "spread", "Distribution");
    pane.remark = element("p", "x-remark");
    box.append(bar, pane.remark, pane.parts.ranks, pane.parts.map, pane.parts.spread);
    var treeBox = element("div", "x-tree");
    treeBox.setAttribute("aria-label", "Hosts and ranks");
    pane.parts.ranks.append(treeBox);
    pane.tree = scalana.tree(treeBox, source(pane));
    if (model.topGroups.length === 1)
      pane.tree.opened[model.topGroups[0]] = true;
    pane.map = scalana.mapPart(pane.parts.map, model);
    pane.show = function (shown) {
      pane.shown = shown;
      pane.most = largest(shown.found.values);
      draw(pane);
    };
    /* Brings the first rank that a cause names into sight. */
    pane.goToBlamed = function () {
      var rank = pane.all.find(function (r) { return pane.shown.blamed[r]; }), group;
      if (rank === undefined || pane.tab !== "ranks")
        return;
      for (group = model.homes[rank]; group !== undefined; group = model.homes[group])
        pane.tree.opened[group] = true;
      pane.tree.select(rank);
    };
    return pane;
  };
})();
