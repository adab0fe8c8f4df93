"""The share of right tries: what is known of the true rate, and whether a count is too low for it.

Tries are taken as independent, each right with the same chance (a binomial count). The interval is
that of Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the
binomial", Biometrika 26 (1934).
"""
import math

RATE = 0.97  # of tries that must be right
CHANCE = 0.001  # of a false alarm: a count that a suite with that rate has once in 1,000 runs
HALVINGS = 60  # of [0, 1] until a bound is exact


def at_most(right, tries, rate):
    """The chance of so few right tries, or fewer, at that true rate."""
    return sum(math.comb(tries, k) * rate ** k * (1 - rate) ** (tries - k)
               for k in range(right + 1))


def is_too_low(right, tries):
    """Whether the count is one that the rate would give once in 1,000 runs."""
    return at_most(right, tries, RATE) < CHANCE


def rate_where(chance_of, wanted):
    """The rate at which a chance that falls with the rate is the wanted one."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if chance_of(middle) > wanted else (low, middle)
    return low


def interval(right, tries, level=0.95):
    """(low, high): true rates that do not contradict the count, at that level."""
    tail = (1 - level) / 2
    low = 0.0 if right == 0 else rate_where(
        lambda rate: at_most(right - 1, tries, rate), 1 - tail)
    high = 1.0 if right == tries else rate_where(
        lambda rate: at_most(right, tries, rate), tail)
    return low, high
