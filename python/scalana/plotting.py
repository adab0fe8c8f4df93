"""What all plots share: figures that fit a paper's column, colours that everybody can tell apart, files."""
from __future__ import annotations

import contextlib
import io
import os
from typing import Any, Iterator, Optional, Sequence, Union

from .errors import needed

COLUMN, PAGE = 3.5, 7.2  # inches: a column of a two-column page, and the page
SAVED: dict[str, Any] = {"dpi": 200, "bbox_inches": "tight", "pad_inches": 0.03}  # nothing is cut off
# Okabe and Ito, "Color universal design", 2008.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#000000")
SOFT = "#8c8c8c"
SEVERITY, SIGNED = "YlOrRd", "RdBu_r"  # matplotlib's colour maps
STYLE = {"font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
         "legend.fontsize": 7, "legend.frameon": False, "axes.spines.top": False, "axes.spines.right": False,
         "axes.linewidth": 0.6, "lines.linewidth": 1.2, "lines.markersize": 3.5, "grid.linewidth": 0.4,
         "pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none", "font.family": "DejaVu Sans"}
Path = Union[str, "os.PathLike[str]"]


class Plot:
    """A picture: `figure` and `axes` are matplotlib's, to be changed as its users are used to.

    ``plot.save("scaling.pdf")`` writes it, as the file's ending says; a notebook shows it.
    """

    def __init__(self, figure: Any, axes: Any) -> None:
        self.figure, self.axes = figure, axes

    def save(self, path: Path) -> None:
        """Writes it: .pdf, .svg, .png ..."""
        with paper():
            self.figure.savefig(os.fspath(path), **SAVED)

    def _repr_png_(self) -> bytes:
        made = io.BytesIO()
        with paper():
            self.figure.savefig(made, format="png", **SAVED)
        return made.getvalue()

    def __repr__(self) -> str:
        return f"<plot: {self.axes.get_title() or 'untitled'}; save(path) writes it>"


def matplotlib() -> Any:
    """The package; an Error where it is not installed."""
    try:
        import matplotlib as package
        import matplotlib.figure
    except ImportError as missing:
        raise needed("matplotlib", "plots") from missing
    return package


@contextlib.contextmanager
def paper() -> Iterator[None]:
    """The style, for as long as something is drawn; what the user set comes back."""
    with matplotlib().rc_context(STYLE):
        yield


def begin(axes: Optional[Any], width: float = COLUMN, height: float = 2.4) -> Plot:
    """Axes of a figure of its own, in inches, or the given ones."""
    if axes is not None:
        return Plot(axes.figure, axes)
    figure = matplotlib().figure.Figure(figsize=(width, height), layout="constrained")
    return Plot(figure, figure.add_subplot())


def colour_bar(plot: Plot, drawn: Any, label: str) -> None:
    """The scale of an image's colours, beside it."""
    bar = plot.figure.colorbar(drawn, ax=plot.axes, fraction=0.05, pad=0.02)
    bar.set_label(label)
    bar.outline.set_linewidth(0.4)


def few(count: int, most: int = 8) -> Sequence[int]:
    """Up to `most` places on an axis of `count`, evenly."""
    step = max(1, -(-count // most))
    return range(0, count, step)


def short(text: str, most: int = 30) -> str:
    """With its middle left out where it is too long for a label."""
    return text if len(text) <= most else text[:most // 2 - 1] + "…" + text[-(most - most // 2):]
