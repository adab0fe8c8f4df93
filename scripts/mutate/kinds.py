"""The kinds of defects: who does a loop again, how often, and what that is expected to cost."""
import dataclasses

from places import Loop

KINDS = ("repeat", "quarter", "serial", "every16", "one-site")
QUARTER = 0.25
LEAST_INSTANCES = 3  # of those that repeat


@dataclasses.dataclass
class Defect:
    kind: str
    loop: Loop
    ranks: list   # of the largest run
    size: int     # of the largest run
    amount: float  # passes done again for each instance, on the mean
    every: int = 1
    site: tuple = ()
    wanted: float = 0  # share of ranks x wall

    def ranks_of(self, size):
        """The same ranks of a smaller run; one at least does not repeat."""
        found = sorted({rank * size // self.size for rank in self.ranks})
        return found[:max(1, size - 1)]

    def settings(self, size):
        """For again.c."""
        return {"MUTATE_RANKS": ",".join(str(rank) for rank in self.ranks_of(size)),
                "MUTATE_AMOUNT": f"{self.amount:.6f}", "MUTATE_EVERY": str(self.every),
                "MUTATE_SITE": "1" if self.site else "0"}

    def seconds(self):
        """Of each rank, what is done again if there is one pass more for each instance."""
        return self.loop.sites[self.site] if self.site else self.loop.seconds


def cost_share(extra, delayed, size, wall):
    """What the others wait for ranks that take `extra` seconds longer, of ranks x wall."""
    return (size - delayed) * extra / (size * (wall + extra))


def extra_for(share, delayed, size, wall):
    """The other way round."""
    rest = (size - delayed) - share * size
    return share * size * wall / rest if rest > 0 else float("inf")


def base_seconds(defect):
    """One pass more for each instance, mean of the ranks that do it."""
    every = defect.seconds()
    return sum(every[rank] for rank in defect.ranks) / len(defect.ranks)


def drawn(kind, loop, size, chance):
    """A Defect without its amount, or None where the kind does not fit the loop."""
    if kind == "one-site":
        if len(loop.sites) < 2:
            return None
        site = chance.choice(sorted(loop.sites))
        return Defect(kind, loop, [chance.randrange(size)], size, 0, site=site)
    if kind == "quarter":
        if size < 3:
            return None
        return Defect(kind, loop, sorted(chance.sample(range(size), 2)), size, QUARTER)
    if kind == "serial":
        return Defect(kind, loop, [0], size, 0)
    return Defect(kind, loop, [chance.randrange(size)], size, 0, 16 if kind == "every16" else 1)


def priced(defect, wall, low, high, chance):
    """The Defect with an amount that costs between these shares; None if none does."""
    base = base_seconds(defect)
    delayed = len(defect.ranks)
    if base <= 0:
        return None
    if defect.kind == "quarter":
        defect.wanted = cost_share(base * QUARTER, delayed, defect.size, wall)
        return defect if low <= defect.wanted <= high else None
    most = min(high, 0.95 * (defect.size - delayed) / defect.size)
    defect.wanted = chance.uniform(low, max(low, most))
    defect.amount = extra_for(defect.wanted, delayed, defect.size, wall) / base
    return defect
