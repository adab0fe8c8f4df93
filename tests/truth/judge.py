"""Compares a report with what the program's source says."""
import program as suite
import scalana  # found by program
import share

NEAR = 0.15  # how far cost and gain may be from the truth
LEFT_OPEN = 0.1  # of all waits: the most that may be unexplained
NOTICED = 0.1  # of all waits: the least that a class of waits must have to be seen
TOP = 3


def place_of(report, cause):
    """From 1; 0 if the report does not name it."""
    sites = [scalana.cause_site(report, i)[:2] for i in range(len(report["root_causes"]))]
    return sites.index((cause.file, cause.line)) + 1 if (cause.file, cause.line) in sites else 0


def caused_waits(found):
    """What others waited for it. The cost has its own excess beside that."""
    if "direct_core_s" in found:
        return found["direct_core_s"] + found["indirect_core_s"]
    return found["cost_core_s"]


def missing_waits(report, cause):
    """Classes of waits that the cause must make and the report does not have."""
    rows = report.get("waits", [])
    every = sum(row["wait_core_s"] for row in rows)
    found = {name: sum(row["wait_core_s"] for row in rows if row["class"] == name)
             for name in cause.waits}
    return [name for name in cause.waits if rows and found[name] < NOTICED * every]


def named_first(report):
    return "{}:{}".format(*scalana.cause_site(report)[:2]) if report["root_causes"] else "none"


def fault_of(report, cause, place, size):
    """None if the report is right about this cause, else what is wrong."""
    if not place:
        return f"misses {cause.file}:{cause.line}, first is {named_first(report)}"
    found = report["root_causes"][place - 1]
    if found["category"] != cause.category:
        return f"category {found['category']}, the truth is {cause.category}"
    if set(found["ranks"]) != cause.on(size):
        return f"ranks {found['ranks']}, the truth is {cause.ranks}"
    missing = missing_waits(report, cause)
    return f"no waits of class {', '.join(missing)}" if missing else None


def is_told(report, cause):
    """Whether a note names the place and leaves open only whether shared cores did it."""
    place = f"({cause.file}:{cause.line} "
    return any(place in note and "cores may differ" in note for note in report["notes"])


def reached_through(report, found, sites):
    """None, or what is wrong with the calls that lead to the cause."""
    vertices = {vertex["id"]: vertex for vertex in report["vertices"]}
    at, calls = found["vertex"], set()
    while at in vertices:
        calls.add((vertices[at]["file"].rsplit("/", 1)[-1], vertices[at]["line"]))
        at = vertices[at]["parent"]
    if sites and not calls & set(sites):
        return f"reached not through {sites[0][0]}:{sites[0][1]}"
    return None


def price(program, i, found, planted, off_gain, size):
    cause = program.causes[i]
    ranks = cause.on(size)
    grows = cause.category in ("nonscalable", "communication")
    return {
        "cost": {"reported": found and (found["cost_core_s"] if grows else caused_waits(found)),
                 "planted": suite.planted(cause.cost, planted[i], ranks)},
        "gain": {"reported": found and found["gain_core_s"],
                 "ci": found and found.get("gain_ci_core_s"),
                 "planted": suite.planted(cause.gain, planted[i], ranks),
                 "off": off_gain if len(program.causes) == 1 else None},
    }


def base(report):
    """Ranks x duration of the largest run; virtual where ranks shared cores, if the report says
    how long that is."""
    run = report["runs"][-1]
    if "account" in run:
        return run["account"]["base_core_s"]
    return None if run["oversubscribed"] else run["ranks"] * run["wall_s"]


def unexplained(report):
    """The part of the largest run's replayed waits that is charged to no computation."""
    account = report["runs"][-1]["account"]
    waits = account["explained_core_s"] + account["unexplained_core_s"]
    return account["unexplained_core_s"] / waits if waits > 0 else 0


def off_gain(report, without):
    if without is None or base(report) is None or base(without) is None:
        return None
    return base(report) - base(without)


def is_first(causes):
    """The cause that is worth most, by what was planted, or another that is worth about as much;
    where the truth does not say what they are worth, the first it tells of."""
    named = next((c for c in causes if c["place"] == 1), None)
    most = max(c["gain"]["planted"] or 0 for c in causes)
    if not named or not most:
        return named is causes[0]
    return (named["gain"]["planted"] or 0) >= (1 - NEAR) * most


def first_fault(program, report, without, causes, size):
    places = [cause["place"] for cause in causes]
    names = [f"{name}:{line}" for name, line, *_ in
             (scalana.cause_site(report, i) for i in range(len(report["root_causes"])))]
    if not program.causes:
        return f"false alarm: {named_first(report)}" if names else None
    if not names and all(is_told(report, cause) for cause in program.causes):
        return None
    for i, cause in enumerate(program.causes):
        fault = fault_of(report, cause, places[i], size) or reached_through(
            report, report["root_causes"][places[i] - 1], program.sites())
        if fault:
            return fault
    if not is_first(causes) or max(places) > TOP:
        return f"names {named_first(report)} first, and the causes in places {places}"
    extra = [name for i, name in enumerate(names, 1) if i not in places]
    if extra:
        return f"also names {extra[0]}"
    if without and without["root_causes"]:
        return f"switched off, false alarm: {named_first(without)}"
    return None


def judge(program, report, planted, without):
    size, found = report["runs"][-1]["ranks"], report["root_causes"]
    places = [place_of(report, cause) for cause in program.causes]
    gain = off_gain(report, without)
    causes = [dict(place=place, file=cause.file, line=cause.line,
                   **price(program, i, found[place - 1] if place else None, planted, gain, size))
              for i, (cause, place) in enumerate(zip(program.causes, places))]
    return {"program": program.name, "way": program.way, "opt": program.opt, "causes": causes,
            "wrong": first_fault(program, report, without, causes, size),
            "told": not found and any(is_told(report, cause) for cause in program.causes),
            "reported": len(found), "unexplained": unexplained(report),
            "healthy": [len(found)] if not program.causes else
                       [len(without["root_causes"])] if without else []}


def reason_in(lines):
    """The line that says most: a compiler's or the system's error, else the last one."""
    return next((line for line in lines if "error:" in line), lines[-1])


def broken(program, failure):
    """Of one that does not build, run or leave results. It counts as no try: it fails the suite."""
    said = str(failure).strip().splitlines() or [type(failure).__name__]
    nothing = {"reported": None, "planted": None, "off": None}
    causes = [{"place": 0, "file": cause.file, "line": cause.line, "cost": nothing, "gain": nothing}
              for cause in program.causes]
    return {"program": program.name, "way": program.way, "opt": program.opt, "causes": causes,
            "wrong": f"broken: {reason_in(said)}", "broken": True, "output": said, "reported": 0,
            "unexplained": 0, "healthy": []}


def nearness(pairs):
    pairs = [(a, b) for a, b in pairs if a is not None and b]
    return {"compared": len(pairs), "within": sum(abs(a - b) <= NEAR * b for a, b in pairs)}


def never_right(results):
    """Programs that were wrong in all of their tries."""
    names = {result["program"] for result in results}
    return sorted(names - {result["program"] for result in results if not result["wrong"]})


def is_enough(summary):
    """Nothing is broken, and so few wrong tries come from a rate of 97 %."""
    return not summary["broken"] and summary["tries"] > 0 and not share.is_too_low(
        summary["right"], summary["tries"])


def summarise(every):
    results = [result for result in every if not result.get("broken")]
    causes = [cause for result in results for cause in result["causes"]]
    # of several causes in one program only one can be first; all counts are of tries
    firsts = sum(any(c["place"] == 1 for c in r["causes"]) for r in results if r["causes"])
    healthy = [n for result in results for n in result["healthy"]]
    left_open = [result["unexplained"] for result in results]
    return {
        "programs": len({result["program"] for result in every}),
        "tries": len(results),
        "broken": [f"{r['program']} in {r['way']}: {r['wrong']}" for r in every if r.get("broken")],
        "unexplained": {"most": max(left_open, default=0),
                        "within": sum(part <= LEFT_OPEN for part in left_open)},
        "right": (right := sum(not result["wrong"] for result in results)),
        "share": right / max(1, len(results)),
        "too_low": share.is_too_low(right, len(results)),
        "share_interval": share.interval(right, len(results)) if results else (0, 1),
        "never_right": never_right(results),
        "with_defect": sum(bool(result["causes"]) for result in results),
        "defects": len(causes),
        "first": firsts,
        "told": sum(result.get("told", False) for result in results),
        "share_first": firsts / max(1, sum(bool(result["causes"]) for result in results)),
        "top_three": sum(1 <= c["place"] <= TOP for c in causes),
        "missed": sum(not c["place"] for c in causes),
        "healthy_runs": len(healthy),
        "false_alarms": sum(n > 0 for n in healthy),
        "cost": nearness((c["cost"]["reported"], c["cost"]["planted"]) for c in causes),
        "gain": nearness((c["gain"]["reported"], c["gain"]["planted"]) for c in causes),
        "off": nearness((c["gain"]["reported"], c["gain"]["off"]) for c in causes),
    }
