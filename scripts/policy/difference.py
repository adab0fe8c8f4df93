"""What another detector says of the same runs: the same, another price, other causes, or wrong."""
import json
import pathlib
import re

# From most to least. A change of the verdict: right before and wrong now, or the other way round.
KINDS = ("fails", "verdict", "causes", "price", "notes", "digits", "nothing")
PRICE = 0.05  # cost or gain: what is less is a change of digits


def place(report, cause):
    vertex = next(v for v in report["vertices"] if v["id"] == cause["vertex"])
    return f"{pathlib.Path(vertex['file']).name}:{vertex['line']}"


def causes(report):
    """In their order: what is named."""
    return [f"{place(report, cause)} {cause['category']} {','.join(map(str, cause['ranks']))}"
            for cause in report["root_causes"]]


def prices(report):
    return [cause[name] for cause in report["root_causes"]
            for name in ("cost_core_s", "gain_core_s")]


def notes(report):
    """Their words; figures are compared as prices."""
    return [re.sub(r"\d+(\.\d+)?", "#", note) for note in report["notes"]]


def is_far(before, now):
    return any(abs(a - b) > PRICE * max(abs(a), abs(b)) for a, b in zip(before, now))


def in_words(before, now):
    gone = [name for name in before if name not in now]
    new = [name for name in now if name not in before]
    told = [f"no longer {name}" for name in gone] + [f"also {name}" for name in new]
    return "; ".join(told) or "in another order"


def of_reports(before, now):
    """(kind, what changed) of two reports as texts."""
    if before == now:
        return "nothing", ""
    old, new = json.loads(before), json.loads(now)
    if causes(old) != causes(new):
        return "causes", in_words(causes(old), causes(new))
    if is_far(prices(old), prices(new)):
        return "price", " ".join(f"{a:.3g}->{b:.3g}" for a, b in zip(prices(old), prices(new)))
    if notes(old) != notes(new):
        return "notes", in_words(notes(old), notes(new))
    return "digits", ""


def of_verdicts(before, now):
    """(kind, what changed), or None if both are right or both are wrong."""
    if bool(before) == bool(now):
        return None
    return "verdict", f"wrong: {now}" if now else "right, was wrong"


def most(kinds):
    return min(kinds, key=KINDS.index, default="nothing")
