/* Draws a timeline on a canvas: computation and waits as bars, messages as lines, collectives as bars across ranks, the
 * critical path as a line on top. Times are parts of the window, from 0 to 1. */
var scalanaTimeline = (function () {
  var LEFT = 46, TOP = 4, BOTTOM = 20, RIGHT = 8, CONTEXTS = ["--p0", "--p1", "--p2", "--p6", "--p10", "--p8"];
  var OTHER = "--p9", MEETS = "--p7", MESSAGES = "--p3", LOCKS = "--c2";

  function style(canvas, name) { return getComputedStyle(canvas).getPropertyValue(name).trim(); }

  function unpackSpans(flat) {
    var out = [];
    for (var i = 0; i < flat.length; i += 7) {
      out.push({ row: flat[i], begin: flat[i + 1] / 1e6, end: (flat[i + 1] + flat[i + 2]) / 1e6, vertex: flat[i + 3],
        kind: flat[i + 4], by: flat[i + 5], critical: flat[i + 6] === 1 });
    }
    return out;
  }

  function unpack(play) {
    play.spans = unpackSpans(play.spans);
    play.rows = [];
    play.spans.forEach(function (span, i) {
      if (!play.rows[span.row]) { play.rows[span.row] = [i, i]; }
      play.rows[span.row][1] = i + 1;
    });
    play.path = play.spans.filter(function (span) { return span.critical; })
      .sort(function (a, b) { return a.begin - b.begin; });
  }

  function waitColour(kind) {
    return kind.indexOf("lock") >= 0 || kind.indexOf("late-post") >= 0 || kind.indexOf("late-complete") >= 0 ? LOCKS :
      kind.indexOf("sender") >= 0 || kind.indexOf("receiver") >= 0 || kind.indexOf("order") >= 0 ? MESSAGES : MEETS;
  }

  /* The places that most is computed in have colours of their own. */
  function prepare(data) {
    var time = {}, kinds = {}, legend = [];
    data.lines.forEach(function (line) {
      [line.measured, line.mended].forEach(function (play) { if (play) { unpack(play); } });
      line.measured.spans.forEach(function (span) {
        if (span.kind) { kinds[span.kind] = true; }
        else { time[span.vertex] = (time[span.vertex] || 0) + (span.end - span.begin) * line.shown; }
      });
    });
    var order = Object.keys(time).sort(function (a, b) { return time[b] - time[a]; }), of = {};
    order.forEach(function (vertex, i) { of[vertex] = CONTEXTS[i] || OTHER; });
    order.slice(0, CONTEXTS.length).forEach(function (vertex) {
      legend.push({ text: data.places[vertex], colour: of[vertex] });
    });
    if (order.length > CONTEXTS.length) { legend.push({ text: "other computation", colour: OTHER }); }
    [[MESSAGES, "waits for a message"], [MEETS, "waits in a collective"], [LOCKS, "waits for a lock or window"]]
      .forEach(function (one) {
        if (Object.keys(kinds).some(function (kind) { return waitColour(data.kinds[kind]) === one[0]; })) {
          legend.push({ text: one[1], colour: one[0] });
        }
      });
    legend.push({ text: "critical path", colour: "--ink" });
    return { of: of, wait: data.kinds.map(waitColour), legend: legend };
  }

  function width(canvas) { return canvas.clientWidth - LEFT - RIGHT; }

  function height(rows) { return Math.max(2, Math.min(24, Math.floor(420 / rows))); }

  function place(canvas, view, time) { return LEFT + (time - view[0]) / (view[1] - view[0]) * width(canvas); }

  function time(canvas, view, event) {
    var x = event.clientX - canvas.getBoundingClientRect().left - LEFT;
    return view[0] + x / width(canvas) * (view[1] - view[0]);
  }

  /* What a row does at a time; binary search. */
  function at(play, row, when) {
    var range = play.rows[row], low = range ? range[0] : 0, high = range ? range[1] : 0;
    while (low < high) {
      var middle = (low + high) >> 1, span = play.spans[middle];
      if (span.end < when) { low = middle + 1; }
      else if (span.begin > when) { high = middle; }
      else { return span; }
    }
    return null;
  }

  function under(canvas, play, view, event) {
    var y = event.clientY - canvas.getBoundingClientRect().top - TOP;
    return at(play, Math.floor(y / canvas.rowHeight), time(canvas, view, event));
  }

  function prepareCanvas(canvas, rows) {
    var scale = window.devicePixelRatio || 1, context = canvas.getContext("2d");
    canvas.rowHeight = height(rows);
    var tall = TOP + BOTTOM + rows * canvas.rowHeight, wide = canvas.clientWidth;
    canvas.width = Math.round(wide * scale);
    canvas.height = Math.round(tall * scale);
    context.setTransform(scale, 0, 0, tall * scale / tall, 0, 0);
    context.clearRect(0, 0, wide, tall);
    return context;
  }

  function bars(context, canvas, play, how) {
    var colours = {}, row = canvas.rowHeight, gap = row > 6 ? 2 : row > 3 ? 1 : 0;
    function colour(name) { return colours[name] || (colours[name] = style(canvas, name)); }
    play.spans.forEach(function (span) {
      if (span.end < how.view[0] || span.begin > how.view[1]) { return; }
      var x = Math.max(LEFT, place(canvas, how.view, span.begin));
      var end = Math.min(canvas.clientWidth - RIGHT, place(canvas, how.view, span.end));
      var inset = span.kind ? Math.floor((row - gap) / 4) : 0;
      context.globalAlpha = how.matches(span) ? (span.kind ? 0.7 : 1) : 0.12;
      context.fillStyle = colour(span.kind ? how.colours.wait[span.kind] : how.colours.of[span.vertex] || OTHER);
      context.fillRect(x, TOP + span.row * row + inset, Math.max(0.5, end - x), row - gap - 2 * inset);
    });
    context.globalAlpha = 1;
  }

  function middle(canvas, row) { return TOP + (row + 0.45) * canvas.rowHeight; }

  /* Messages: where they would be a carpet, they are left out until one looks closer. */
  function messages(context, canvas, play, how) {
    var flat = play.messages, seen = [];
    for (var i = 0; i < flat.length; i += 4) {
      if (flat[i + 3] / 1e6 >= how.view[0] && flat[i + 2] / 1e6 <= how.view[1]) { seen.push(i); }
    }
    if (seen.length > 1500) { return; }
    context.strokeStyle = style(canvas, "--soft");
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    context.beginPath();
    seen.forEach(function (i) {
      context.moveTo(place(canvas, how.view, flat[i + 2] / 1e6), middle(canvas, flat[i]));
      context.lineTo(place(canvas, how.view, flat[i + 3] / 1e6), middle(canvas, flat[i + 1]));
    });
    context.stroke();
    context.globalAlpha = 1;
  }

  function meetings(context, canvas, play, how) {
    var flat = play.meetings;
    context.fillStyle = style(canvas, "--soft");
    for (var i = 0; i < flat.length; i += 5) {
      var x = place(canvas, how.view, flat[i + 3] / 1e6);
      if (x < LEFT || x > canvas.clientWidth - RIGHT) { continue; }
      context.globalAlpha = 0.8;
      context.fillRect(x - 1, TOP + flat[i] * canvas.rowHeight, 2, (flat[i + 1] - flat[i] + 1) * canvas.rowHeight);
    }
    context.globalAlpha = 1;
  }

  function path(context, canvas, play, how) {
    context.strokeStyle = style(canvas, "--ink");
    context.lineWidth = canvas.rowHeight > 6 ? 2 : 1;
    context.beginPath();
    play.path.forEach(function (span, i) {
      var y = middle(canvas, span.row), x = place(canvas, how.view, span.begin);
      if (i) { context.lineTo(x, y); } else { context.moveTo(x, y); }
      context.lineTo(place(canvas, how.view, span.end), y);
    });
    context.stroke();
  }

  function outline(context, canvas, how) {
    var span = how.selected;
    var x = place(canvas, how.view, span.begin), end = place(canvas, how.view, span.end);
    context.strokeStyle = style(canvas, "--link");
    context.lineWidth = 2;
    context.strokeRect(x, TOP + span.row * canvas.rowHeight, Math.max(2, end - x), Math.max(3, canvas.rowHeight - 1));
  }

  /* Ranks on the left, as many as there is room for, and seconds below. */
  function labels(context, canvas, how) {
    var rows = how.ranks.length, every = Math.ceil(13 / canvas.rowHeight), bottom = TOP + rows * canvas.rowHeight;
    context.clearRect(0, 0, LEFT - 1, bottom);
    context.clearRect(canvas.clientWidth - RIGHT, 0, RIGHT, bottom);
    context.fillStyle = style(canvas, "--soft");
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (var i = 0; i < rows; i += every) { context.fillText(how.ranks[i], LEFT - 6, middle(canvas, i)); }
    var count = Math.max(1, Math.floor(width(canvas) / 110));
    for (var k = 0; k <= count; k++) {
      var when = how.view[0] + (how.view[1] - how.view[0]) * k / count;
      context.textAlign = k === count ? "right" : k ? "center" : "left";
      context.fillText(how.seconds(when * how.shown), place(canvas, how.view, when), bottom + 11);
    }
  }

  function draw(canvas, play, how) {
    var rows = how.ranks.length, context = prepareCanvas(canvas, rows);
    bars(context, canvas, play, how);
    meetings(context, canvas, play, how);
    messages(context, canvas, play, how);
    path(context, canvas, play, how);
    if (how.selected && play.spans.indexOf(how.selected) >= 0) { outline(context, canvas, how); }
    labels(context, canvas, how);
  }

  function key(canvas, name) {
    canvas.width = canvas.height = 14;
    var context = canvas.getContext("2d");
    context.fillStyle = style(canvas, name);
    context.fillRect(0, 0, 14, 14);
  }

  return { draw: draw, prepare: prepare, under: under, at: at, time: time, width: width, key: key };
})();
