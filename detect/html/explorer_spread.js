/* How the ranks' values are spread: a histogram, a box, and the numbers with the ranks at the ends. */
(function () {
  var WIDTH = 360, HEIGHT = 120, BOX = 44, BINS = 16, MARGIN = 8;
  var PARTS = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1];
  var NAMES = ["least", "5 %", "25 %", "median", "75 %", "95 %", "most"];
  var SPACE = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI;
  var element = scalana.element;

  function shape(name, attributes, className) {
    var made = document.createElementNS(SPACE, name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
    if (className)
      made.setAttribute("class", className);
    return made;
  }

  /* Linear between neighbours, as the report's. */
  function quantiles(values) {
    var sorted = Float64Array.from(values).sort();
    return PARTS.map(function (part) {
      var at = part * (sorted.length - 1), low = Math.floor(at), high = Math.min(sorted.length - 1, low + 1);
      return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
    });
  }

  function extreme(values, sign) {
    return values.reduce(function (best, value, rank) {
      return sign * value > sign * values[best] ? rank : best;
    }, 0);
  }

  /* Of values, or of a spread that is all there is: then without a histogram. */
  function summary(found) {
    var finite = Array.from(found.values).filter(isFinite), spread = found.spread;
    if (spread)
      return { quantiles: spread.quantiles, least: spread.least, most: spread.most };
    return { quantiles: finite.length ? quantiles(finite) : [], values: finite,
             least: extreme(Array.from(found.values), -1), most: extreme(Array.from(found.values), 1) };
  }

  /* "rank 5", "rank 0 and 29 others": who stands at an end. */
  function atEnd(of, rank) {
    var n = of.values ? of.values.filter(function (value) { return value === of.values[rank]; }).length : 1;
    return "rank " + rank + (n > 1 ? " and " + (n - 1) + (n > 2 ? " others" : " other") : "");
  }

  function scale(of) {
    var low = of.quantiles[0], high = of.quantiles[of.quantiles.length - 1];
    return function (value) {
      return high > low ? MARGIN + (WIDTH - 2 * MARGIN) * (value - low) / (high - low) : WIDTH / 2;
    };
  }

  function bins(of) {
    var low = of.quantiles[0], high = of.quantiles[of.quantiles.length - 1], counts = [], i;
    for (i = 0; i < BINS; i++)
      counts.push(0);
    of.values.forEach(function (value) {
      counts[high > low ? Math.min(BINS - 1, Math.floor(BINS * (value - low) / (high - low))) : BINS >> 1]++;
    });
    return counts;
  }

  function drawBins(svg, counts) {
    var most = Math.max.apply(null, counts), wide = (WIDTH - 2 * MARGIN) / BINS;
    counts.forEach(function (count, i) {
      var height = most ? (HEIGHT - 16) * count / most : 0;
      var bar = shape("rect", { x: MARGIN + i * wide + 0.5, y: HEIGHT - height, width: wide - 1, height: height }, "cool");
      bar.append(shape("title", {}));
      bar.firstChild.textContent = count + (count === 1 ? " rank" : " ranks");
      svg.append(bar);
      if (count) {
        var label = shape("text", { x: MARGIN + (i + 0.5) * wide, y: HEIGHT - height - 3 }, "tick");
        label.textContent = count;
        svg.append(label);
      }
    });
    svg.append(shape("line", { x1: MARGIN, x2: WIDTH - MARGIN, y1: HEIGHT, y2: HEIGHT }, "axis"));
  }

  /* From 25 to 75 %, whiskers at 5 and 95 %, dots at the ends. */
  function drawBox(svg, of) {
    var x = scale(of), q = of.quantiles.map(x), middle = HEIGHT + BOX / 2;
    if (q.length === 7) {
      svg.append(shape("line", { x1: q[1], x2: q[5], y1: middle, y2: middle }, "axis"));
      svg.append(shape("rect", { x: q[2], y: middle - 9, width: Math.max(1, q[4] - q[2]), height: 18 }, "box"));
      svg.append(shape("line", { x1: q[3], x2: q[3], y1: middle - 9, y2: middle + 9 }, "middle"));
    }
    svg.append(shape("circle", { cx: q[0], cy: middle, r: 3.5 }, "point"));
    svg.append(shape("circle", { cx: q[q.length - 1], cy: middle, r: 3.5 }, "hot"));
  }

  function drawEnds(svg, of, unit) {
    [[0, MARGIN, "tick start"], [of.quantiles.length - 1, WIDTH - MARGIN, "tick end"]].forEach(function (end) {
      var label = shape("text", { x: end[1], y: HEIGHT + BOX + 6 }, end[2]);
      label.textContent = scalana.quantity(of.quantiles[end[0]], unit);
      svg.append(label);
    });
  }

  function picture(of, unit) {
    var svg = shape("svg", { viewBox: "0 0 " + WIDTH + " " + (HEIGHT + BOX + 10), role: "img" }, "x-spread");
    var title = shape("title", {});
    title.textContent = "Histogram of the ranks, with a box from 25 to 75 %; the table has the numbers";
    svg.append(title);
    if (of.values)
      drawBins(svg, bins(of));
    drawBox(svg, of);
    drawEnds(svg, of, unit);
    return svg;
  }

  function table(of, unit) {
    var made = element("table", "x-numbers"), names = of.quantiles.length === 7 ? NAMES : ["least", "most"];
    made.append(element("caption", "", "Share of the ranks with at most"));
    var body = made.createTBody();
    names.forEach(function (name, i) {
      var row = body.insertRow(), head = element("th", "", name);
      head.scope = "row";
      row.append(head, element("td", "n", scalana.quantity(of.quantiles[i], unit)),
                 element("td", "", i === 0 ? atEnd(of, of.least)
                   : i === names.length - 1 ? atEnd(of, of.most) : ""));
    });
    return made;
  }

  scalana.drawSpread = function (part, shown) {
    var of = summary(shown.found);
    part.replaceChildren();
    if (!of.quantiles.length) {
      part.append(element("p", "", "The report has no distribution over the ranks for this."));
      return;
    }
    part.append(picture(of, shown.measure.metric.unit), table(of, shown.measure.metric.unit));
    if (!of.values)
      part.append(element("p", "x-remark", "The report has only quantiles for this context."));
  };
})();
