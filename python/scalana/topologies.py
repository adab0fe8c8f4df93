"""Topologies of a report: where each rank stands, and its values as a picture's cells."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .columns import Array
from .library import library
from .rows import Rows, shared

if TYPE_CHECKING:
    from .report import Report


class Topology(NamedTuple):
    """Of the largest run: `dims` and whether each is `periodic`, `names` of dimensions ("" each where nobody
    gave them), and `coordinates`, ranks x dimensions; the first is -1 of a rank that is not in it."""

    name: str
    kind: str
    dims: tuple[int, ...]
    periodic: tuple[bool, ...]
    names: tuple[str, ...]
    coordinates: Array

    def __repr__(self) -> str:
        return f"<{self.kind} topology {self.name}: {' x '.join(map(str, self.dims))}>"


def topologies(report: Report) -> list[Topology]:
    """Those of Cartesian and graph communicators first, then the hardware, then rank x thread."""
    lib, handle = library(), report.handle
    rows = Rows("report_topology", report.summary["ntopologies"],
                lambda *row: int(lib.report_topologies(handle, *row)))
    return [_topology(handle, rows[number]) for number in range(len(rows))]


def _topology(handle: Any, row: Any) -> Topology:
    text, dims = library().text, tuple(int(row.dims[i]) for i in range(row.ndims))
    coordinates = shared(handle, row.coordinates, row.nlocations * row.ndims).reshape(-1, row.ndims)
    return Topology(text(row.name), text(row.kind), dims, tuple(bool(row.periodic[i]) for i in range(row.ndims)),
                    tuple(text(row.dimension_names[i]) for i in range(row.ndims)), coordinates)


def folded(place: Topology, values: Array) -> Array:
    """Values as an image: the last dimension across, the one before down, planes of all others beside each
    other with a column between; NaN where no rank stands, and the sum where several do."""
    dims = (1,) * (2 - len(place.dims)) + place.dims
    height, width = dims[-2], dims[-1]
    planes = int(np.prod(dims[:-2], dtype=np.int64))
    there = place.coordinates[:, 0] >= 0
    there[len(values):] = False
    at = place.coordinates[there].astype(np.int64)
    lead = np.zeros(len(at), dtype=np.int64)
    for dimension in range(len(place.dims) - 2):
        lead = lead * place.dims[dimension] + at[:, dimension]
    row = at[:, -2] if len(place.dims) > 1 else np.zeros(len(at), dtype=np.int64)
    image = np.full((height, planes * (width + 1) - 1), np.nan)
    cell = (row, lead * (width + 1) + at[:, -1])
    image[cell] = 0
    np.add.at(image, cell, values[:len(there)][there])
    return image
