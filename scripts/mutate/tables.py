"""What mutate.sh prints."""
import verdict


def pair(values):
    reported = "-" if values["reported"] is None else f"{values['reported']:.2f}"
    least = values.get("least", values["planted"])
    least = "" if least > 0.95 * values["planted"] else f"{least:.2f}-"
    return f"{reported:>6} of {least + format(values['planted'], '.2f'):>11}"


HEAD = (f"{'loop':28} {'kind':9} {'ranks':7} {'planted s':>9} {'share':>6} {'verdict':24} "
        f"{'cost':>21} {'gain':>21}")


def row(result):
    remarks = list(result["remarks"])
    if result["beside"]:
        remarks.append(f"beside it: {', '.join(result['beside'][:2])}")
    ranks = ",".join(str(rank) for rank in result["ranks"])
    return (f"{result['loop']:28} {result['kind']:9} {ranks:7} {sum(result['planted_s']):9.3f} "
            f"{result['share']:6.1%} {result['class']:24} {pair(result['cost'])} "
            f"{pair(result['gain'])}  {'; '.join(remarks)}").rstrip()


def summary(found):
    total = found["defects"]
    shares = ", ".join(f"{found[name]} {name}" for name in verdict.CLASSES)
    return [f"Of {total} defects: {shares}.",
            f"Ranks wrong in {found['ranks_wrong']}; other causes beside it in "
            f"{found['with_others']}.",
            f"Within {verdict.NEAR:.0%} of what was planted: gain {found['gain_near']}, cost "
            f"{found['cost_near']} of the {found['named']} that were named."]


def healthy(known):
    return f"unmutated: {', '.join(known) if known else 'no cause'}"
