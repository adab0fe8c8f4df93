"""Statistics of few, noisy measurements: medians, their intervals, slopes. No figure here assumes
that noise is normal."""
import math
import random


def median(values):
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def coverage(n, k):
    """Probability that the median lies between the k-th smallest and the k-th largest of n."""
    below = sum(math.comb(n, i) for i in range(k))
    return 1 - 2 * below / 2 ** n


def median_interval(values, level=0.95):
    """(low, high, coverage): the narrowest pair of order statistics that covers the median with at
    least `level`; all values where there are too few for that (David and Nagaraja, Order
    Statistics, section 7.1)."""
    ordered, n = sorted(values), len(values)
    k = max([k for k in range(1, (n + 1) // 2 + 1) if coverage(n, k) >= level], default=1)
    return ordered[k - 1], ordered[n - k], coverage(n, k)


def bootstrap_interval(values, statistic=median, level=0.95, draws=2000, seed=1):
    """(low, high): percentiles of the statistic over samples drawn again from the values."""
    chance = random.Random(seed)
    found = sorted(statistic(chance.choices(values, k=len(values))) for _ in range(draws))
    tail = (1 - level) / 2
    return found[int(tail * draws)], found[min(draws - 1, int((1 - tail) * draws))]


def ratios(values, base):
    """Round by round, so that what slows down a whole round cancels out."""
    return [value / other for value, other in zip(values, base, strict=True)]


def added(found):
    """Ratios as what they add, for a table: their median, and the interval that covers it."""
    low, high, _ = median_interval(found)
    return [f"{100 * (median(found) - 1):+.2f} %",
            f"{100 * (low - 1):+.2f} to {100 * (high - 1):+.2f}"]


def differences(values, base):
    return [value - other for value, other in zip(values, base, strict=True)]


def line(xs, ys):
    """(slope, intercept) of least squares."""
    n = len(xs)
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    spread = sum((x - mean_x) ** 2 for x in xs)
    if n < 2 or spread == 0:
        raise ValueError("a slope needs two different places")
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    return slope, mean_y - slope * mean_x


def power(xs, ys):
    """The exponent b of y = a x^b; 1 is linear, 0 constant."""
    return line([math.log(x) for x in xs], [math.log(y) for y in ys])[0]
