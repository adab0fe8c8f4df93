"""samples.py SOURCE TICKS PLACES: is each sample where the program said it was? The source marks its
loops (LOOP N) and code without graph (CODE N NAME); a tick is an address and such a number, a place
what show_places says of the address. Exit status 1 if fewer than 99 % are right, or of one loop so few
as a true share of 95 % gives once in 100,000 runs: where a loop begins and ends, a tick may come between
what the program says and what it does."""
import collections
import math
import re
import sys

LEAST, CHANCE = 0.95, 1e-5


def too_few(right, total):
    """Whether the count is one that the least share hardly gives (binomial)."""
    logs = (math.lgamma(total + 1) - math.lgamma(k + 1) - math.lgamma(total - k + 1)
            + k * math.log(LEAST) + (total - k) * math.log(1 - LEAST) for k in range(right + 1))
    return math.fsum(math.exp(log) for log in logs) < CHANCE


expected = {}
for number, text in enumerate(open(sys.argv[1]), 1):
    found = re.search(r"// (LOOP|CODE) (\d+) ?(\w*)", text)
    if found:
        expected[int(found[2])] = f"loop:{number}" if found[1] == "LOOP" else f"{found[3]}()"
right, total, wrong = collections.Counter(), collections.Counter(), collections.Counter()
for tick, place in zip(open(sys.argv[2]), open(sys.argv[3]), strict=True):
    address, phase = tick.split()
    first, *chain = place.split()
    assert first == address, (tick, place)
    total[int(phase)] += 1
    if expected[int(phase)] in chain:
        right[int(phase)] += 1
    else:
        wrong[phase, address, " ".join(chain)] += 1
print(f"{'':>4} {'expected':<14} {'samples':>8} {'right':>8}")
for phase, name in sorted(expected.items()):
    print(f"{phase:>4} {name:<14} {total[phase]:>8} {100 * right[phase] / max(total[phase], 1):>7.2f}%")
share = sum(right.values()) / sum(total.values())
print(f"all {'':<14} {sum(total.values()):>9} {100 * share:>7.2f}%")
for (phase, address, chain), count in wrong.most_common(5):
    print(f"  {count} of loop {phase} at {address}: {chain}")
missing = [phase for phase in expected if not total[phase]]
poor = [phase for phase in total if too_few(right[phase], total[phase])]
sys.exit(bool(share < 0.99 or missing or poor))
