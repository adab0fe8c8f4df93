"""What the library says of its own cost, in the line with which a run ends."""
import re

import spread
import variants
from output import table

NOTE = ("The library measures its own work inside the ranks: every sample, and one MPI call in 64. The "
        "interrupt behind a sample has the price that was measured at the start. The closing line gives the "
        "sum as a share of the ranks' CPU time. The machine's noise does not enter. Nor does what "
        "it does to caches, nor what other ranks wait meanwhile. Where ranks share cores, it "
        "pays for cold caches and dearer switches: with a core to each rank it is less. Samples "
        "become rarer as a run goes on, so it is less in longer runs, too.")


def own_cost(stderr):
    """Percent, or None when the run left no such line."""
    found = re.search(r"own cost ([0-9.]+) % of CPU time", stderr)
    return float(found.group(1)) if found else None


def shares_of(raw):
    """(label, percent of each run) of each program whose runs left the line."""
    for label, found in raw.items():
        shares = [run["account"] for run in found[variants.SCALANA] if run["account"] is not None]
        if shares:
            yield label, shares


def own_table(*groups):
    """Each group: programs in runs of one kind, with what is in the middle of them."""
    rows = []
    for group in groups:
        found = list(shares_of(group))
        medians = [spread.median(shares) for _, shares in found]
        rows += [[label, f"{middle:.2f} %", f"{min(shares):.2f} to {max(shares):.2f} %"]
                 for (label, shares), middle in zip(found, medians)]
        if len(medians) > 1:
            rows.append(["median of these, and least to most", f"{spread.median(medians):.2f} %",
                         f"{min(medians):.2f} to {max(medians):.2f} %"])
    return table("The library's own account", ["program", "own cost, median", "least to most"],
                 rows, NOTE)
