/* How values are told: units, the modes (absolute, percent ...), and colours of severity. */
(function () {
  var PREFIXES = [[1e12, "T", 1e12], [1e9, "G", 1e9], [1e6, "M", 1e6], [1e4, "k", 1e3]]; /* from, name, unit */
  var NOTHING = 1e-10; /* seconds that rounding leaves */
  var STEPS = [0.001, 0.01, 0.05, 0.15, 0.4]; /* of the metric: where the next colour begins */

  function digits(value) {
    var text = Number(value).toPrecision(4);
    return text.indexOf("e") < 0 ? text : String(Number(text));
  }

  function seconds(value) {
    var size = Math.abs(value);
    if (size < NOTHING)
      return "0 s";
    if (size >= 1e-3)
      return size >= 1 ? digits(value) + " s" : digits(value * 1e3) + " ms";
    return size >= 1e-6 ? digits(value * 1e6) + " \u00b5s" : digits(value * 1e9) + " ns";
  }

  function counted(value, unit) {
    var size = Math.abs(value), i;
    for (i = 0; i < PREFIXES.length; i++)
      if (size >= PREFIXES[i][0])
        return digits(value / PREFIXES[i][2]) + " " + PREFIXES[i][1] + (unit === "bytes" ? "B" : "");
    return (size === Math.round(size) && size < 1e5 ? String(value) : digits(value)) +
      (unit === "bytes" ? " B" : "");
  }

  /* A number with its unit; "n/a" for what there is none of. */
  scalana.quantity = function (value, unit) {
    if (!isFinite(value))
      return "n/a";
    return unit === "s" ? seconds(value) : counted(value, unit);
  };

  scalana.percent = function (part) {
    var size = Math.abs(100 * part);
    if (!isFinite(part))
      return "n/a";
    if (size === 0)
      return "0 %";
    if (size < 0.005)
      return "< 0.01 %";
    return (100 * part).toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2) + " %";
  };

  /* 0 to 5, by the part of the whole; with a sign where less than nothing can be. */
  scalana.severity = function (part) {
    var size = Math.abs(part), level = 0;
    if (!isFinite(part))
      return "none";
    while (level < STEPS.length && size >= STEPS[level])
      level++;
    return (part < 0 && level ? "less-" : "") + level;
  };

  scalana.modes = [
    { name: "absolute", title: "absolute" },
    { name: "whole", title: "% of the whole" },
    { name: "metric", title: "% of the metric" },
    { name: "parent", title: "% of the parent" },
    { name: "rank", title: "per rank (mean)" }
  ];

  /*
   * One value as a mode has it. `of` has `value`; `whole`, `metric` and `parent`, which it is compared
   * with; `unit`; `isRatio`; `ranks`, over which a mean is made; `other`, the same in another run.
   */
  scalana.told = function (mode, of) {
    if (mode.name === "run")
      return difference(of);
    if (of.isRatio || mode.name === "absolute")
      return scalana.quantity(of.value, of.unit);
    if (mode.name === "rank")
      return scalana.quantity(of.value / of.ranks, of.unit);
    return scalana.percent(of.value / of[mode.name]);
  };

  function difference(of) {
    var change = of.base - of.other, text;
    if (!isFinite(change))
      return "n/a";
    text = (change > 0 ? "+" : "") + scalana.quantity(change, of.unit);
    return of.other > 0 ? text + " (" + (change > 0 ? "+" : "") + scalana.percent(change / of.other) + ")"
      : text;
  }
})();
