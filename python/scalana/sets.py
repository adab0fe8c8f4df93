"""What vertex sets and edge sets have in common: members, columns, and operations on sets."""
from __future__ import annotations

import abc
import fnmatch
from typing import Any, Callable, Generic, Iterator, Optional, TypeVar, Union, overload

import numpy as np

from .columns import Array, Column, Texts, values
from .errors import Error
from .frames import Table

Self = TypeVar("Self", bound="Set[Any]")
Member = TypeVar("Member")


class Attributes:
    """Values that users gave to members, by name: members without one have NaN, or None."""

    def __init__(self) -> None:
        self.given: dict[str, tuple[Array, Array]] = {}

    def put(self, name: str, ids: Array, given: Array) -> None:
        """Later values of a member replace its earlier ones."""
        if name in self.given:
            old, before = self.given[name]
            kept = ~np.isin(old, ids)
            ids, given = np.concatenate([ids, old[kept]]), np.concatenate([given, before[kept]])
        order = np.argsort(ids, kind="stable")
        self.given[name] = ids[order], given[order]

    def get(self, name: str, ids: Array) -> Array:
        """Those of some members."""
        known, given = self.given[name]
        if not len(known):
            return np.full(len(ids), np.nan)
        at = np.minimum(np.searchsorted(known, ids), len(known) - 1)
        there = known[at] == ids
        return blanked(given[at], there)


def blanked(column: Array, there: Array) -> Array:
    """The same column with NaN, or None, where nothing is there."""
    if there.all():
        return column
    objects = column.dtype.kind == "O"
    found: Array = column.astype(object if objects else float)
    found[~there] = None if objects else np.nan
    return found


class Set(abc.ABC, Generic[Member]):
    """Members of a view in some order, each once. Sets never change; operations make new ones.

    ``s["name"]`` is a property, metric or attribute of each member, as a numpy array;
    ``s["name"] = values`` gives them an attribute. ``s[3]`` is a member, ``s[2:5]`` and
    ``s[s["time"] > 1]`` are sets. ``|``, ``&``, ``-``, ``^`` and ``~`` are union, intersection,
    difference, what is in one only, and complement.
    """

    SHOWN: tuple[str, ...] = ()  # columns of table() without arguments

    def __init__(self, view: Any, ids: Array) -> None:
        self.view = view
        self.ids = ids

    @abc.abstractmethod
    def column(self, name: str) -> Column:
        """A property, metric or attribute of each member."""

    @abc.abstractmethod
    def member(self, number: int) -> Member:
        """One by its number in the view."""

    @abc.abstractmethod
    def attributes(self) -> Attributes:
        """Of the view."""

    @abc.abstractmethod
    def everything(self: Self) -> Self:
        """All that the view has."""

    def new(self: Self, ids: Array) -> Self:
        """A set of the same view."""
        return type(self)(self.view, ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Member]:
        return (self.member(number) for number in self.ids.tolist())

    def __contains__(self, member: Any) -> bool:
        return member.view is self.view and bool((self.ids == member.number).any())

    @overload
    def __getitem__(self, key: str) -> Array: ...
    @overload
    def __getitem__(self, key: int) -> Member: ...
    @overload
    def __getitem__(self: Self, key: Union[slice, Array]) -> Self: ...

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return values(self.column(key))
        if isinstance(key, (int, np.integer)):
            return self.member(int(self.ids[key]))
        return self.new(self.ids[key])

    def __setitem__(self, name: str, given: Any) -> None:
        given = np.asarray(given)
        if given.ndim > 1 or given.ndim and len(given) != len(self):
            raise Error(f"{given.shape} values of {name} for {len(self)} members")
        if given.dtype.kind in "US":
            given = given.astype(object)
        self.check_free(name)
        self.attributes().put(name, self.ids, np.broadcast_to(given, len(self)).copy())

    def check_free(self, name: str) -> None:
        """An Error where a property or metric has that name."""
        if name in self.attributes().given:
            return
        try:
            self[:0].column(name)
        except Error:
            return
        raise Error(f'"{name}" is a property or metric: give the attribute another name')

    # ---- sets ----

    def _same_view(self, other: Set[Any]) -> None:
        if type(self) is not type(other) or self.view is not other.view:
            raise Error("sets of different graphs or views have no members in common")

    def union(self: Self, other: Self) -> Self:
        """The members of this one, then those that only the other has."""
        self._same_view(other)
        return self.new(np.concatenate([self.ids, other.ids[~np.isin(other.ids, self.ids)]]))

    def intersection(self: Self, other: Self) -> Self:
        """The members of this one that the other has, too."""
        self._same_view(other)
        return self.new(self.ids[np.isin(self.ids, other.ids)])

    def difference(self: Self, other: Self) -> Self:
        """The members of this one that the other has not."""
        self._same_view(other)
        return self.new(self.ids[~np.isin(self.ids, other.ids)])

    def complement(self: Self) -> Self:
        """All members of the view that are not in this set."""
        return self.everything().difference(self)

    def symmetric_difference(self: Self, other: Self) -> Self:
        """What is in one of the two only."""
        return self.difference(other).union(other.difference(self))

    __or__, __and__, __sub__, __xor__ = union, intersection, difference, symmetric_difference
    __invert__ = complement

    def __eq__(self, other: object) -> bool:
        """Whether both have the same members, in whatever order."""
        return (isinstance(other, Set) and type(self) is type(other) and self.view is other.view
                and np.array_equal(np.sort(self.ids), np.sort(other.ids)))

    __hash__ = None  # type: ignore[assignment]

    # ---- choosing ----

    def filter(self: Self, test: Union[Array, Callable[[Self], Array]]) -> Self:
        """The members for which `test`, an array or a function of this set that gives one, is true."""
        mask = np.asarray(test(self) if callable(test) else test)
        if mask.dtype != bool or len(mask) != len(self):
            raise Error(f"filter needs {len(self)} truth values, not {mask.shape} of {mask.dtype}")
        return self[mask]

    def select(self: Self, **wanted: Any) -> Self:
        """The members whose properties are as wanted, all of them.

        A text is a pattern of names (``label="MPI_*"``, upper and lower case differ), a pair the
        least and the most (None: no bound), a list or set the values that will do, a function a
        test of the column, and anything else the value itself.
        """
        mask = np.ones(len(self), dtype=bool)
        for name, one in wanted.items():
            mask &= fits(self.column(name), one)
        return self[mask]

    def sort(self: Self, by: str, reverse: bool = True) -> Self:
        """By a column, the greatest first; what has no value comes last."""
        column = self.column(by)
        keys = column.array().astype(str) if isinstance(column, Texts) else column
        absent = np.isnan(keys) if keys.dtype.kind == "f" else np.zeros(len(keys), dtype=bool)
        rows = np.flatnonzero(~absent)
        order = np.argsort(keys[rows][::-1 if reverse else 1], kind="stable")
        rows = rows[::-1][order][::-1] if reverse else rows[order]
        return self.new(self.ids[np.concatenate([rows, np.flatnonzero(absent)])])

    def top(self: Self, count: int, by: str) -> Self:
        """The `count` members that have most of a column."""
        return self.sort(by)[:count]

    def classify(self: Self, by: Union[str, Callable[[Self], Array]]) -> dict[Any, Self]:
        """Sets by the value of a column, or of what a function makes of this set."""
        column = by(self) if callable(by) else self.column(by)
        if isinstance(column, Texts):
            column = column.array().astype(str)
        found, codes = np.unique(column, return_inverse=True)
        return {value: self[codes == i] for i, value in enumerate(found.tolist())}

    def sum(self, name: str) -> float:
        """Of a column over all members; what has no value counts nothing."""
        return float(np.nansum(self[name]))

    # ---- showing ----

    def table(self, *names: str) -> Table:
        """Columns by their names; without any, the usual ones."""
        return Table({name: self.column(name) for name in names or self.SHOWN}, self.title())

    def title(self) -> str:
        """What the set is, in words."""
        return f"{len(self)} members"

    def dataframe(self, *names: str) -> Any:
        """A pandas DataFrame of columns; without names, the usual ones."""
        return self.table(*names).dataframe()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        """Arrow's C stream of the usual columns; ``table(...)`` has one of others."""
        return self.table().__arrow_c_stream__(requested_schema)

    def _shown(self) -> Table:
        if self.view.graph.closed:
            return Table({}, f"{len(self)} members of a closed graph")
        first = self[:11].table()
        first.title = self.title()
        return first

    def __repr__(self) -> str:
        shown = repr(self._shown())
        return shown.replace("... 1 more rows", f"... {len(self) - 10} more rows")

    def _repr_html_(self) -> str:
        shown = self._shown()._repr_html_()
        return shown.replace("... 1 more rows", f"... {len(self) - 10} more rows")


def fits(column: Column, wanted: Any) -> Array:
    """Which rows of a column are as wanted; see Set.select()."""
    if callable(wanted):
        return np.asarray(wanted(values(column)), dtype=bool)
    if isinstance(column, Texts):
        if isinstance(wanted, str):
            return column.those(lambda text: fnmatch.fnmatchcase(text, wanted))
        return column.those(lambda text: text in set(wanted))
    if isinstance(wanted, tuple) and len(wanted) == 2:
        least, most = wanted
        mask = np.ones(len(column), dtype=bool)
        mask &= column >= least if least is not None else True
        mask &= column <= most if most is not None else True
        return mask
    if isinstance(wanted, (list, set, frozenset, range)):
        return np.isin(column, list(wanted))
    return np.asarray(column == wanted)

