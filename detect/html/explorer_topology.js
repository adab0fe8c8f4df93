/* Topologies: their names, and which of their dimensions a map begins with. */
(function () {
  /* Without a topology, ranks stand in rows one after the other. */
  scalana.ranksInOrder = function (ranks) {
    var width = Math.max(1, Math.ceil(Math.sqrt(ranks))), places = [], r;
    for (r = 0; r < ranks; r++)
      places.push([Math.floor(r / width), r % width]);
    return { name: "ranks in order", kind: "", dims: [Math.ceil(ranks / width) || 1, width],
             coordinates: places };
  };

  scalana.topologyTitle = function (topology) {
    return [topology.name && scalana.visible(topology.name), topology.kind, topology.dims.join(" \u00d7 ")]
      .filter(Boolean).join(", ");
  };

  scalana.dimensionName = function (topology, d) {
    var names = topology.dimension_names;
    return (names && names[d] && scalana.visible(names[d])) || "dimension " + (d + 1);
  };

  /* Where it is counted, rank r stands at the r-th place, the last dimension running fastest. */
  scalana.withPlaces = function (topology) {
    var dims = topology.dims, places = [], r, n = dims.reduce(function (a, b) { return a * b; }, 1);
    if (topology.coordinates)
      return topology;
    for (r = 0; r < n; r++)
      places.push(dims.reduceRight(function (at, size) {
        at.place.unshift(at.rest % size);
        at.rest = Math.floor(at.rest / size);
        return at;
      }, { place: [], rest: r }).place);
    return { name: topology.name, kind: topology.kind, dims: dims, dimension_names: topology.dimension_names,
             coordinates: places };
  };

  /* Ranks by host, and by package where all ranks of the host were bound to one: `groups`, each with
   * a name, its ranks and the groups within; `topGroups`; `homes`, the group of each rank. */
  scalana.addGroups = function (model, packages) {
    model.groups = [];
    model.homes = {};
    model.topGroups = model.hosts.map(function (host) {
      return addGroup(model, host.name || "host without a name", host.ranks, byPackage(host.ranks, packages));
    });
  };

  function byPackage(ranks, packages) {
    var found = {};
    ranks.forEach(function (rank) {
      var at = packages[rank] === undefined ? -1 : packages[rank];
      (found[at] = found[at] || []).push(rank);
    });
    return found[-1] ? null : found;
  }

  function addGroup(model, name, ranks, parts) {
    var id = "g" + model.groups.length, group = { name: name, ranks: ranks, children: ranks };
    model.groups.push(group);
    if (parts)
      group.children = Object.keys(parts).map(function (at) { return addGroup(model, "package " + at, parts[at], null); });
    else
      ranks.forEach(function (rank) { model.homes[rank] = id; });
    group.children.forEach(function (child) { model.homes[child] = id; });
    return id;
  }

  /* The two longest, [across, down], the later one across; of equal ones the last. Down is -1 where
   * there is but one. */
  scalana.drawnDimensions = function (topology) {
    var dims = topology.dims, longest = dims.map(function (_, d) { return d; });
    longest.sort(function (a, b) { return dims[b] - dims[a] || b - a; });
    longest = longest.slice(0, 2).sort(function (a, b) { return b - a; });
    return [longest[0], longest.length > 1 ? longest[1] : -1];
  };
})();
