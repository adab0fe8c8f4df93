/* Ranks where they stand in a topology: two dimensions drawn, the others folded or cut. */
(function () {
  var LEVELS = 6, MOST_HEIGHT = 420, NUMBERS_FROM = 46, GAP_FROM = 6;
  var FOLDS = {
    "the largest": function (values) { return Math.max.apply(null, values); },
    "the mean": function (values) { return values.reduce(add, 0) / values.length; },
    "the sum": function (values) { return values.reduce(add, 0); },
    "the least": function (values) { return Math.min.apply(null, values); }
  };
  var element = scalana.element;

  function add(a, b) { return a + b; }

  function choice(map, label, options, chosen, heard) {
    var outer = element("label", "", label + " "), select = element("select");
    options.forEach(function (option, i) {
      select.append(new Option(option, i, false, i === chosen));
    });
    select.addEventListener("change", function () {
      heard(select.selectedIndex);
      arrange(map);
      paint(map);
    });
    outer.append(select);
    map.controls.append(outer);
  }

  function addCuts(map) {
    var topology = map.topology;
    topology.dims.forEach(function (size, d) {
      var options = ["all, folded"], i;
      if (d === map.x || d === map.y)
        return;
      for (i = 0; i < size; i++)
        options.push("only " + i);
      choice(map, scalana.dimensionName(topology, d), options, map.cuts[d] === undefined ? 0 : map.cuts[d] + 1,
             function (at) { map.cuts[d] = at ? at - 1 : undefined; });
    });
    choice(map, "of a cell's ranks", Object.keys(FOLDS), Object.keys(FOLDS).indexOf(map.fold),
           function (at) { map.fold = Object.keys(FOLDS)[at]; });
  }

  function setTopology(map, i) {
    var drawn = scalana.drawnDimensions(map.topologies[i]);
    map.topology = map.topologies[i];
    map.x = drawn[0];
    map.y = drawn[1];
    map.cuts = {};
    map.moved = false;
    map.at = 0;
  }

  /* The choices that this topology has, and which ranks are in which cell. */
  function arrange(map) {
    var topology = map.topology, names = topology.dims.map(function (_, d) { return scalana.dimensionName(topology, d); });
    map.controls.replaceChildren();
    choice(map, "Topology", map.topologies.map(scalana.topologyTitle), map.topologies.indexOf(topology),
           function (at) { setTopology(map, at); });
    if (map.leftOut)
      map.controls.append(element("span", "", map.leftOut + " more topologies are not on this page"));
    if (names.length > 2) {
      choice(map, "Across", names, map.x, function (at) { map.y = at === map.y ? map.x : map.y; map.x = at; });
      choice(map, "Down", names, map.y, function (at) { map.x = at === map.x ? map.y : map.x; map.y = at; });
      addCuts(map);
    }
    setSize(map, topology.dims);
    map.cells = [];
    topology.coordinates.forEach(function (place, rank) { put(map, place, rank); });
  }

  /* A single dimension goes on in rows below each other. */
  function setSize(map, dims) {
    map.width = map.y < 0 ? Math.max(1, Math.ceil(Math.sqrt(dims[map.x]))) : dims[map.x];
    map.height = map.y < 0 ? Math.ceil(dims[map.x] / map.width) : dims[map.y];
  }

  function put(map, place, rank) {
    var cut = place && Object.keys(map.cuts).some(function (d) {
      return map.cuts[d] !== undefined && Number(d) !== map.x && Number(d) !== map.y && place[d] !== map.cuts[d];
    });
    var cell = place && place[map.x] + map.width * (map.y < 0 ? 0 : place[map.y]);
    if (place && !cut)
      (map.cells[cell] = map.cells[cell] || []).push(rank);
  }

  function cellValue(map, cell) {
    var values = map.shown.found.values;
    return FOLDS[map.fold](map.cells[cell].map(function (rank) { return values[rank]; }));
  }

  function levelOf(map, value) {
    return map.most > map.least
      ? Math.min(LEVELS - 1, Math.floor(LEVELS * (value - map.least) / (map.most - map.least))) : 0;
  }

  function measure(map) {
    var room = map.part.clientWidth || 300;
    map.size = Math.max(1, Math.min(room / map.width, MOST_HEIGHT / map.height, 64));
    map.least = Infinity;
    map.most = -Infinity;
    map.cells.forEach(function (_, cell) {
      var value = cellValue(map, cell);
      map.least = Math.min(map.least, value);
      map.most = Math.max(map.most, value);
    });
  }

  function paintCell(map, pen, colours, cell) {
    var x = cell % map.width * map.size, y = Math.floor(cell / map.width) * map.size;
    var value = cellValue(map, cell), level = levelOf(map, value), gap = map.size >= GAP_FROM ? 1 : 0;
    pen.fillStyle = colours.levels[level];
    pen.fillRect(x, y, map.size - gap, map.size - gap);
    if (map.size >= NUMBERS_FROM) {
      pen.fillStyle = colours.inks[level];
      pen.fillText(scalana.quantity(value, map.shown.measure.metric.unit), x + map.size / 2, y + map.size / 2,
                   map.size - 4);
    }
    if (cell === map.at) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2;
      pen.strokeRect(x + 1, y + 1, Math.max(2, map.size - 3), Math.max(2, map.size - 3));
    }
  }

  function colours() {
    var style = getComputedStyle(document.documentElement), levels = [], inks = [], i;
    for (i = 0; i < LEVELS; i++) {
      levels.push(style.getPropertyValue("--l" + i).trim());
      inks.push(style.getPropertyValue(i < LEVELS / 2 ? "--ink" : "--back").trim());
    }
    return { levels: levels, inks: inks, ink: style.getPropertyValue("--ink").trim() };
  }

  function paint(map) {
    var canvas = map.canvas, scale = window.devicePixelRatio || 1, pen, ink = colours();
    measure(map);
    canvas.width = Math.ceil(map.width * map.size * scale);
    canvas.height = Math.ceil(map.height * map.size * scale);
    canvas.style.width = map.width * map.size + "px";
    canvas.style.height = map.height * map.size + "px";
    pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    map.cells.forEach(function (_, cell) { paintCell(map, pen, ink, cell); });
    canvas.setAttribute("aria-label", "Map of " + map.shown.measure.metric.title + ", " + map.width + " by " +
      map.height + " places; arrow keys go from place to place");
    legend(map);
    tell(map);
  }

  function legend(map) {
    var i, step = (map.most - map.least) / LEVELS, unit = map.shown.measure.metric.unit, key;
    map.legend.replaceChildren();
    for (i = 0; i < (step > 0 ? LEVELS : 1) && map.cells.length; i++) {
      key = element("li");
      key.append(element("span", "key l" + i), "from " + scalana.quantity(map.least + i * step, unit));
      map.legend.append(key);
    }
  }

  function rankWords(ranks) {
    return ranks.length === 1 ? "rank " + ranks[0]
      : "ranks " + ranks.slice(0, 8).join(", ") + (ranks.length > 8 ? " and " + (ranks.length - 8) + " more" : "");
  }

  function tell(map) {
    var ranks = map.cells[map.at], x = map.at % map.width, y = Math.floor(map.at / map.width);
    map.told.textContent = "(" + (map.y < 0 ? map.at : y + "," + x) + "): " + (!ranks ? "no rank at this place"
      : rankWords(ranks) + ", " + (ranks.length > 1 ? map.fold + " " : "") +
        scalana.quantity(cellValue(map, map.at), map.shown.measure.metric.unit));
  }

  /* Where nobody has gone from it. */
  function goToLargest(map) {
    var best = 0, most = -Infinity;
    map.cells.forEach(function (_, cell) {
      var value = cellValue(map, cell);
      best = value > most ? cell : best;
      most = Math.max(most, value);
    });
    map.at = best;
  }

  function move(map, x, y) {
    x = Math.max(0, Math.min(map.width - 1, x));
    y = Math.max(0, Math.min(map.height - 1, y));
    map.at = x + map.width * y;
    map.moved = true;
    paint(map);
  }

  function pressed(map, event) {
    var step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step)
      return;
    move(map, map.at % map.width + step[0], Math.floor(map.at / map.width) + step[1]);
    event.preventDefault();
  }

  scalana.mapPart = function (part, model) {
    var map = { part: part, topologies: model.topologies.concat(scalana.ranksInOrder(model.ranks)), fold: "the largest",
                leftOut: model.leftOut };
    map.controls = element("div", "x-controls");
    map.canvas = element("canvas", "x-map");
    map.legend = element("ul", "legend");
    map.told = element("p", "x-told");
    map.told.setAttribute("role", "status");
    map.canvas.tabIndex = 0;
    map.canvas.setAttribute("role", "img");
    map.canvas.addEventListener("keydown", function (event) { pressed(map, event); });
    map.canvas.addEventListener("click", function (event) {
      move(map, Math.floor(event.offsetX / map.size), Math.floor(event.offsetY / map.size));
    });
    part.append(map.controls, map.canvas, map.told, map.legend);
    setTopology(map, 0);
    arrange(map);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", function () {
      if (map.shown && !part.hidden)
        paint(map);
    });
    return map;
  };

  scalana.drawMap = function (map, shown) {
    map.shown = shown;
    map.canvas.hidden = map.legend.hidden = map.told.hidden = !!shown.found.spread;
    if (shown.found.spread)
      return;
    if (!map.moved)
      goToLargest(map);
    paint(map);
  };
})();
