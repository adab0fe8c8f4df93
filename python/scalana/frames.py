"""Tables: named columns, which pandas, Arrow's readers, terminals and notebooks show."""
from __future__ import annotations

import html
from typing import Any, Iterator, Mapping, Optional, Union

import numpy as np

from . import arrow
from .columns import Array, Column, Texts, take, values
from .errors import needed, unknown

SHOWN = 10  # rows that a table shows of itself


class Table:
    """Columns of equal length by their names; ``table["name"]`` is one as a numpy array.

    `title` is what `repr` begins with.
    """

    def __init__(self, columns: Mapping[str, Column], title: str = "") -> None:
        self.columns = {name: plain(column) for name, column in columns.items()}
        self.title = title

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def __getitem__(self, name: str) -> Array:
        if name not in self.columns:
            raise unknown("column", name, self.columns)
        return values(self.columns[name])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        arrays = {name: values(column) for name, column in self.columns.items()}
        for row in range(len(self)):
            yield {name: array[row] for name, array in arrays.items()}

    def head(self, count: int) -> Table:
        """The first rows."""
        return Table({name: take(column, slice(count)) for name, column in self.columns.items()}, self.title)

    def dataframe(self) -> Any:
        """A pandas DataFrame: texts are categories, numbers are not copied where pandas allows it."""
        try:
            import pandas
        except ImportError as missing:
            raise needed("pandas", "dataframe()") from missing
        return pandas.DataFrame({name: _series(pandas, column) for name, column in self.columns.items()},
                                copy=False)

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """Arrow's C stream, for Polars, DuckDB, PyArrow ...: one batch, numbers not copied."""
        return arrow.stream(self.columns)

    def __repr__(self) -> str:
        lines = [self.title] if self.title else []
        return "\n".join(lines + _text(self.head(SHOWN)) + _more(self))

    def to_text(self) -> str:
        """All rows as lines of text."""
        return "\n".join(([self.title] if self.title else []) + _text(self))

    def _repr_html_(self) -> str:
        shown = self.head(SHOWN)
        head = "".join(f"<th>{html.escape(name)}</th>" for name in shown.columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(word(cell))}</td>" for cell in row.values()) +
                       "</tr>" for row in shown)
        return (f"<p>{html.escape(self.title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}"
                f"</tbody></table>{''.join(f'<p>{line}</p>' for line in _more(self))}")


def plain(column: Column) -> Column:
    """The same column; numpy's texts of fixed width as Python's."""
    if not isinstance(column, Texts) and column.dtype.kind in "US":
        return column.astype(object)
    return column


def _series(pandas: Any, column: Column) -> Any:
    if isinstance(column, Texts):
        return pandas.Categorical.from_codes(column.codes, categories=column.known)
    return column


def _more(table: Table) -> list[str]:
    return [f"... {len(table) - SHOWN} more rows"] if len(table) > SHOWN else []


def word(cell: Union[object, float]) -> str:
    """A cell as people read it."""
    if cell is None:
        return "-"
    if isinstance(cell, (float, np.floating)):
        return "-" if np.isnan(cell) else f"{cell:.4g}"
    return str(cell)


def _text(table: Table) -> list[str]:
    cells = [[word(cell) for cell in row.values()] for row in table]
    lines = [list(table.columns), *cells]
    widths = [max(len(line[i]) for line in lines) for i in range(len(table.columns))]
    right = [not isinstance(column, Texts) for column in table.columns.values()]
    return ["  ".join(cell.rjust(width) if to_right else cell.ljust(width)
                      for cell, width, to_right in zip(line, widths, right)).rstrip() for line in lines]
