"""Correlations of metrics, under Chopper's names (Nader et al., "Chopper", 2024)."""
from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple, Sequence, Union

import numpy as np

from .columns import Array
from .errors import Error, unknown
from .frames import Table
from .vertices import VertexSet

if TYPE_CHECKING:
    from .graph import Graph

METHODS = ("pearson", "spearman", "kendall")
MOST_PAIRED = 5000  # rows whose pairs kendall compares


def ranked(values: Array) -> Array:
    """Places from the least on; equal values share the mean of theirs."""
    found, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    middle: Array = (ends - (counts - 1) / 2)[codes]
    return middle


def pearson(one: Array, other: Array) -> float:
    """NaN where one of the two does not vary."""
    one, other = one - one.mean(), other - other.mean()
    product = float(np.sqrt((one * one).sum() * (other * other).sum()))
    return float((one * other).sum()) / product if product > 0 else float("nan")


def kendall(one: Array, other: Array) -> float:
    """Tau-b, over all pairs of rows."""
    if len(one) > MOST_PAIRED:
        raise Error(f"kendall compares all pairs of rows: at most {MOST_PAIRED:,} rows, not {len(one):,}; "
                    "take g.top_down, or spearman")
    both = ones = others = 0.0
    for row in range(len(one) - 1):
        first, second = np.sign(one[row + 1:] - one[row]), np.sign(other[row + 1:] - other[row])
        both += float((first * second).sum())
        ones += float(np.abs(first).sum())
        others += float(np.abs(second).sum())
    return both / float(np.sqrt(ones * others)) if ones * others > 0 else float("nan")


def coefficient(one: Array, other: Array, method: str) -> float:
    """Of two columns, over the rows where both have values; -1 to 1."""
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    known = np.isfinite(one) & np.isfinite(other)
    one, other = one[known].astype(float), other[known].astype(float)
    if len(one) < 2:
        return float("nan")
    if method == "kendall":
        return kendall(one, other)
    return pearson(ranked(one), ranked(other)) if method == "spearman" else pearson(one, other)


def _members(of: Union[VertexSet, Graph]) -> VertexSet:
    return of if isinstance(of, VertexSet) else of.vertices


def correlation_analysis(vertices: Union[VertexSet, Graph], metrics: Sequence[str],
                         method: str = "pearson") -> Table:
    """The matrix of correlations, -1 to 1, of metrics over the vertices of a set, or of a whole graph; method
    "pearson", "spearman" or "kendall". NaN: one of the two does not vary, or no run has both."""
    vertices = _members(vertices)
    columns = [vertices[name] for name in metrics]
    matrix = {name: np.array([coefficient(column, other, method) for other in columns])
              for name, column in zip(metrics, columns)}
    title = f"{method} over {len(vertices)} vertices"
    return Table({"metric": np.array(list(metrics), dtype=object), **matrix}, title)


def filter_correlation_matrix(matrix: Table, threshold: float = 0.5) -> Table:
    """The pairs of a matrix that are correlated at least so much, in either direction; the most first."""
    names = matrix["metric"].tolist()
    pairs = [(one, other, float(matrix[one][names.index(other)]))
             for one, other in itertools.combinations(names, 2)]
    found = sorted((pair for pair in pairs if abs(pair[2]) >= threshold), key=lambda pair: -abs(pair[2]))
    one, other = ([pair[i] for pair in found] for i in (0, 1))
    return Table({"metric": np.array(one, dtype=object), "with": np.array(other, dtype=object),
                  "correlation": np.array([pair[2] for pair in found])}, f"correlated by {threshold} or more")


class Regression(NamedTuple):
    """The line metric2 = intercept + slope x metric1, of logarithms if so asked, and each vertex beside it:
    its values, what the line expects, and `distance` from it at right angles, the farthest first."""

    slope: float
    intercept: float
    correlation: float
    table: Table
    logscale: bool = False


def pairwise_correlation(vertices: Union[VertexSet, Graph], metric1: str, metric2: str,
                         logscale: bool = False) -> Regression:
    """How the second metric goes with the first over a set's or a graph's vertices, by least squares. With
    `logscale` both are taken as logarithms to the base of 10, without vertices that have nothing of one."""
    vertices = _members(vertices)
    one, other = vertices[metric1].astype(float), vertices[metric2].astype(float)
    known = np.isfinite(one) & np.isfinite(other) & ((one > 0) & (other > 0) if logscale else True)
    kept, one, other = vertices.filter(known), one[known], other[known]
    if logscale:
        one, other = np.log10(one), np.log10(other)
    if len(one) < 2 or one.min() == one.max():
        raise Error(f"no line through {len(one)} vertices: {metric1} does not vary")
    slope, intercept = (float(number) for number in np.polyfit(one, other, 1))
    expected = intercept + slope * one
    distance = np.abs(other - expected) / np.sqrt(1 + slope * slope)
    order = np.argsort(-distance, kind="stable")
    columns = kept[order].table("label", metric1, metric2).columns
    columns["expected"] = (10 ** expected if logscale else expected)[order]
    columns["distance"] = distance[order]
    title = f"{metric2} by {metric1}: slope {slope:.4g}, correlation {pearson(one, other):.3f}"
    return Regression(slope, intercept, pearson(one, other), Table(columns, title), logscale)
