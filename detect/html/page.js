/* What scripts of the page share: elements, and seconds as text. */
var scalanaPage = (function () {
  function element(name, kind, text) {
    var made = document.createElement(name);
    if (kind) { made.className = kind; }
    if (text) { made.textContent = text; }
    return made;
  }

  function seconds(value) {
    var units = [[1, "s"], [1e-3, "ms"], [1e-6, "us"], [1e-9, "ns"]], size = Math.abs(value);
    var unit = units.find(function (one) { return size >= one[0]; }) || units[3];
    return size ? Number((value / unit[0]).toPrecision(3)) + " " + unit[1] : "0 s";
  }

  return { element: element, seconds: seconds };
}());
