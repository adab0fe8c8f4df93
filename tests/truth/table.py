"""What is printed of the results of tries: a line each, and what they come to."""
import judge
import share

HEAD = (f"{'program':22} {'way':15} {'verdict':64} {'cost s':>7} {'planted':>7} {'gain s':>7} "
        f"{'planted':>7} {'off':>7} {'open %':>6}")


def way_of(result):
    return result["way"] if result["opt"] == "O2" else f"{result['way']} {result['opt']}"


def seconds(value):
    return f"{value:7.2f}" if value is not None else f"{'':7}"


def rows(result):
    """A line per cause of the program."""
    words = result["wrong"] or ("told in a note" if result.get("told") else "right")
    left_open = f"{100 * result['unexplained']:6.1f}"
    start = f"{result['program']:22} {way_of(result):15}"
    if not result["causes"]:
        yield f"{start} {words:64} {'':39} {left_open}"
    for cause in result["causes"]:
        columns = [cause["cost"]["reported"], cause["cost"]["planted"], cause["gain"]["reported"],
                   cause["gain"]["planted"], cause["gain"]["off"]]
        yield f"{start} {words:64} {' '.join(seconds(c) for c in columns)} {left_open}"
        words = left_open = ""


def grouped(results, key):
    groups = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def right(results):
    return sum(not result["wrong"] for result in results)


def is_first(result):
    return any(cause["place"] == 1 for cause in result["causes"])


def way_rows(results):
    """A line per way: right tries, and tries with a cause that is named first."""
    yield f"{'way':15} {'right':>12} {'cause first':>12}"
    for way, group in grouped(results, way_of).items():
        ill = [result for result in group if result["causes"]]
        yield (f"{way:15} {f'{right(group)} of {len(group)}':>12} "
               f"{f'{sum(map(is_first, ill))} of {len(ill)}':>12}")


def program_rows(results):
    """A line per program and way that was not right each time."""
    groups = grouped(results, lambda result: (result["program"], way_of(result)))
    for (name, way), group in groups.items():
        if right(group) < len(group):
            words = next(result["wrong"] for result in group if result["wrong"])
            yield f"{name:22} {way:15} {right(group)} of {len(group)} right: {words}"


def summary_rows(results, summary):
    low, high = summary["share_interval"]
    yield (f"{summary['right']} of {summary['tries']} tries right, of {summary['programs']} "
           f"programs: {summary['share']:.1%} (95 % of chance: {low:.1%} to {high:.1%}); the cause "
           f"first in {summary['first']} of {summary['with_defect']}: {summary['share_first']:.1%}")
    yield (f"told in a note, for shared cores may differ as much: {summary['told']}")
    yield (f"of {summary['defects']} causes {summary['top_three']} in the top three, "
           f"{summary['missed']} missed; {summary['false_alarms']} false alarms on "
           f"{summary['healthy_runs']} healthy programs")
    left_open = summary["unexplained"]
    yield (f"waits that no computation explains: {left_open['most']:.1%} of all at most, "
           f"{left_open['within']} of {summary['tries']} tries within {judge.LEFT_OPEN:.0%}")
    for what in ("cost", "gain", "off"):
        near = summary[what]
        if near["compared"]:
            yield (f"{what if what != 'off' else 'gain against off'}: {near['within']} of "
                   f"{near['compared']} within {judge.NEAR:.0%}")
    for name in summary["never_right"]:
        yield f"never right: {name}"
    for words in summary["broken"]:
        yield f"FAILED {words}"
    if summary["too_low"]:
        yield (f"FAILED {summary['right']} of {summary['tries']} right: at a true rate of "
               f"{share.RATE:.0%} so few come once in {1 / share.CHANCE:,.0f} runs or more rarely")


def print_all(results, summary):
    print()
    print("\n".join([*program_rows(results), "", *way_rows(results), "",
                     *summary_rows(results, summary)]))
