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

  /* The two longest, [across, down], the later one across; of equal ones the last. Down is -1 where
   * there is but one. */
  scalana.drawnDimensions = function (topology) {
    var dims = topology.dims, longest = dims.map(function (_, d) { return d; });
    longest.sort(function (a, b) { return dims[b] - dims[a] || b - a; });
    longest = longest.slice(0, 2).sort(function (a, b) { return b - a; });
    return [longest[0], longest.length > 1 ? longest[1] : -1];
  };
})();
