"""Power laws through measurements, with intervals: value ~ ranks^slope, as ScalAna fits what grows."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .columns import Array

# Student's t, 97.5 %, for 1 to 10 degrees of freedom, 15, 20, 30 and infinitely many.
DEGREES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30)
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.131, 2.086, 2.042)


def student(degrees: int) -> float:
    """The factor of a 95 % interval; infinite where nothing is left to tell the scatter."""
    if degrees < 1:
        return float("inf")
    return float(STUDENT[max(place for place, one in enumerate(DEGREES) if one <= degrees)])


class PowerLaw(NamedTuple):
    """log(value) = intercept + slope log(ranks), least squares; `slope_error` is half of its 95 % interval
    (infinite: two measurements have none), `deviation` that of the logarithms from the line."""

    slope: float
    intercept: float
    slope_error: float
    deviation: float
    points: int
    middle: float
    spread: float

    def at(self, ranks: Array) -> Array:
        """What it expects."""
        return np.asarray(np.exp(self.intercept + self.slope * np.log(ranks)))

    def interval(self, ranks: Array) -> tuple[Array, Array]:
        """The 95 % interval of the line at some ranks; NaN where there is none."""
        factor = student(self.points - 2)
        if not np.isfinite(factor) or not self.spread:
            return np.full(len(ranks), np.nan), np.full(len(ranks), np.nan)
        width = factor * self.deviation * np.sqrt(1 / self.points + (np.log(ranks) - self.middle) ** 2 / self.spread)
        return self.at(ranks) * np.exp(-width), self.at(ranks) * np.exp(width)


def power_law(ranks: Array, values: Array) -> PowerLaw:
    """Through measurements above 0, at least two of them on different numbers of ranks."""
    x, y = np.log(ranks), np.log(values)
    middle, spread = float(x.mean()), float(((x - x.mean()) ** 2).sum())
    slope = float(((x - middle) * (y - y.mean())).sum() / spread)
    intercept = float(y.mean() - slope * middle)
    left = len(x) - 2
    deviation = float(np.sqrt(((y - intercept - slope * x) ** 2).sum() / left)) if left > 0 else float("nan")
    error = student(left) * deviation / np.sqrt(spread) if left > 0 else float("inf")
    return PowerLaw(slope, intercept, float(error), deviation, len(x), middle, spread)
