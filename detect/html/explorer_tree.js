/*
 * A tree of any size: only the rows in sight are in the page. The WAI-ARIA pattern of a tree whose
 * active item is named by the tree, so that keys work however far it is scrolled.
 *
 * `source` says what there is: roots(), children(id), row(id, open) with `text`, `detail`, `value`,
 * `level` of severity, `bar` (0 to 1, or none), `title`, `mark` with `markWord`, and `faded`; chosen(id) hears of it.
 */
(function () {
  var ROW = 24, BEYOND = 6, TYPING = 900;
  var trees = 0;

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className)
      made.className = className;
    if (text !== undefined)
      made.textContent = text;
    return made;
  }

  function list(tree) {
    var rows = [], depths = [], sizes = [], places = [];
    function add(ids, depth) {
      ids.forEach(function (id, i) {
        rows.push(id);
        depths.push(depth);
        sizes.push(ids.length);
        places.push(i + 1);
        if (tree.opened[id])
          add(tree.children(id), depth + 1);
      });
    }
    add(tree.source.roots().filter(tree.passes), 0);
    tree.rows = rows;
    tree.depths = depths;
    tree.sizes = sizes;
    tree.places = places;
    tree.at = Math.max(0, rows.indexOf(tree.selected));
    tree.room.style.height = rows.length * ROW + "px";
  }

  function bar(is) {
    var track = element("span", "x-track"), filled = element("span", "x-bar" + (is.mark ? " hot" : ""));
    filled.style.width = 100 * Math.max(0, Math.min(1, is.bar || 0)) + "%";
    track.append(filled);
    return track;
  }

  function fillRow(tree, i) {
    var id = tree.rows[i], has = tree.children(id).length > 0, open = has && !!tree.opened[id];
    var is = tree.source.row(id, open), row = element("div", "x-row"), name = element("span", "x-name");
    row.id = tree.id + "-" + i;
    row.style.top = i * ROW + "px";
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", tree.depths[i] + 1);
    row.setAttribute("aria-setsize", tree.sizes[i]);
    row.setAttribute("aria-posinset", tree.places[i]);
    row.setAttribute("aria-selected", i === tree.at ? "true" : "false");
    if (has)
      row.setAttribute("aria-expanded", open ? "true" : "false");
    row.setAttribute("aria-label", is.text + (is.detail ? " " + is.detail : "") + ", " + is.value +
      (is.mark ? ", " + (is.markWord || "marked") : ""));
    row.dataset.at = i;
    row.title = is.title || is.text + (is.detail ? " " + is.detail : "");
    row.append(element("span", "x-value" + (is.faded ? " faded" : ""), is.value));
    row.append(element("span", "x-level l" + is.level));
    name.style.paddingLeft = Math.min(tree.depths[i], 24) * 0.9 + "rem";
    name.append(element("span", "x-twisty", has ? (open ? "\u25be" : "\u25b8") : ""));
    name.append(is.mark ? element("b", "", is.text) : is.text);
    if (is.detail)
      name.append(element("span", "x-detail", " " + is.detail));
    row.append(name);
    if (is.bar !== undefined)
      row.append(bar(is));
    return row;
  }

  function draw(tree) {
    var first = Math.max(0, Math.floor(tree.box.scrollTop / ROW) - BEYOND);
    var end = Math.min(tree.rows.length, first + Math.ceil((tree.box.clientHeight || 400) / ROW) + 2 * BEYOND);
    var rows = [], i;
    for (i = first; i < end; i++)
      rows.push(fillRow(tree, i));
    if (tree.rows.length && (tree.at < first || tree.at >= end)) /* the active item stays in the page */
      rows.push(fillRow(tree, tree.at));
    tree.room.replaceChildren.apply(tree.room, rows);
    if (tree.rows.length)
      tree.box.setAttribute("aria-activedescendant", tree.id + "-" + tree.at);
    else
      tree.box.removeAttribute("aria-activedescendant");
  }

  /* As little as need be; what comes from afar stands in the middle. */
  function reveal(tree, inMiddle) {
    var top = tree.at * ROW, box = tree.box, height = box.clientHeight || 400;
    var above = top < box.scrollTop, below = top + ROW > box.scrollTop + height;
    if (inMiddle && (above || below))
      box.scrollTop = top - height / 2;
    else if (above)
      box.scrollTop = top;
    else if (below)
      box.scrollTop = top + ROW - height;
  }

  function choose(tree, at, inMiddle) {
    tree.at = Math.max(0, Math.min(tree.rows.length - 1, at));
    tree.selected = tree.rows[tree.at];
    reveal(tree, inMiddle);
    draw(tree);
    tree.source.chosen(tree.selected);
  }

  function toggle(tree, open) {
    var id = tree.rows[tree.at];
    if (!tree.children(id).length)
      return;
    tree.opened[id] = open === undefined ? !tree.opened[id] : open;
    list(tree);
    choose(tree, tree.at);
  }

  function parentRow(tree) {
    var at = tree.at;
    while (at > 0 && tree.depths[at] >= tree.depths[tree.at])
      at--;
    return at;
  }

  /* Right opens, then goes in; left closes, then goes out. */
  function sideways(tree, right) {
    var id = tree.rows[tree.at], has = tree.children(id).length > 0, open = has && tree.opened[id];
    if (right && has && !open)
      toggle(tree, true);
    else if (right && open)
      choose(tree, tree.at + 1);
    else if (!right && open)
      toggle(tree, false);
    else if (!right)
      choose(tree, parentRow(tree));
  }

  /* The next row whose name begins with what is typed. */
  function typed(tree, key, now) {
    var i, at;
    tree.word = now - tree.typedAt < TYPING ? tree.word + key : key;
    tree.typedAt = now;
    for (i = tree.word.length > 1 ? 0 : 1; i <= tree.rows.length; i++) {
      at = (tree.at + i) % tree.rows.length;
      if (tree.source.row(tree.rows[at], false).text.toLowerCase().indexOf(tree.word) === 0) {
        choose(tree, at);
        return;
      }
    }
  }

  function pressed(tree, event) {
    var page = Math.max(1, Math.floor(tree.box.clientHeight / ROW) - 1);
    var steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 };
    if (event.ctrlKey || event.altKey || event.metaKey || !tree.rows.length)
      return;
    if (steps[event.key])
      choose(tree, tree.at + steps[event.key]);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft")
      sideways(tree, event.key === "ArrowRight");
    else if (event.key === "Enter" || event.key === " ")
      toggle(tree);
    else if (event.key === "*")
      tree.expand(tree.source.siblings ? tree.source.siblings(tree.selected) : [tree.selected]);
    else if (event.key.length === 1)
      typed(tree, event.key.toLowerCase(), event.timeStamp);
    else
      return;
    event.preventDefault();
  }

  function clicked(tree, event) {
    var row = event.target.closest(".x-row");
    if (!row)
      return;
    choose(tree, Number(row.dataset.at));
    if (event.target.classList.contains("x-twisty") || event.detail === 2)
      toggle(tree);
  }

  scalana.element = element;

  scalana.tree = function (box, source) {
    var tree = { id: "x-tree-" + ++trees, box: box, source: source, opened: {}, selected: undefined, word: "",
                 typedAt: -TYPING };
    tree.room = element("div", "x-room");
    tree.room.setAttribute("role", "presentation");
    box.setAttribute("role", "tree");
    box.tabIndex = 0;
    box.append(tree.room);
    tree.passes = function (id) { return !source.passes || source.passes(id); };
    tree.children = function (id) { return source.children(id).filter(tree.passes); };
    tree.refresh = function () { list(tree); draw(tree); };
    tree.select = function (id) {
      tree.selected = id;
      list(tree);
      choose(tree, tree.at, true);
    };
    tree.expand = function (ids) {
      ids.forEach(function (id) { tree.opened[id] = true; });
      tree.select(tree.selected);
    };
    tree.isOpen = function (id) { return !!tree.opened[id] && tree.children(id).length > 0; };
    box.addEventListener("keydown", function (event) { pressed(tree, event); });
    box.addEventListener("click", function (event) { clicked(tree, event); });
    box.addEventListener("scroll", function () { draw(tree); });
    return tree;
  };
})();
