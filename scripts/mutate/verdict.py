"""What a report says of a planted defect."""
import os
import re

import places

TOP = 3
NEAR = 0.2
CLASSES = ("first", "first, a callee's loop", "first, a loop inside", "loop or call around",
           "top three", "missed")


def spot(vertex):
    return os.path.basename(vertex["file"]), vertex["line"]


def caused_waits(cause):
    if "direct_core_s" in cause:
        return cause["direct_core_s"] + cause["indirect_core_s"]
    return cause["cost_core_s"]


def relation(vertices, vertex, planted):
    """How a cause's place lies to the planted loop: same, callee, inside, around, other."""
    if spot(vertex) == planted:
        return "same"
    called = vertex["kind"] == "call"
    for around in places.ancestors(vertices, vertex):
        if spot(around) == planted and around["kind"] == "loop":
            return "callee" if called else "inside"
        called = called or around["kind"] == "call"
    for one in vertices:
        if spot(one) == planted and vertex["kind"] in ("loop", "call") and vertex["id"] in (
                around["id"] for around in places.ancestors(vertices, one)):
            return "around"
    return "other"


CLASS_OF_FIRST = {"same": CLASSES[0], "callee": CLASSES[1], "inside": CLASSES[2],
                  "around": CLASSES[3]}


def cause_name(report, cause):
    vertex = report["vertices"][cause["vertex"]]
    return f"{os.path.basename(vertex['file'])}:{vertex['line']} {cause['category']}"


def healthy(report):
    """The causes of the unmutated program, by name."""
    return [cause_name(report, cause) for cause in report["root_causes"]]


def own_causes(report, planted, known):
    """[(cause, relation)] without those that the unmutated program has too."""
    vertices = report["vertices"]
    found = [(cause, relation(vertices, vertices[cause["vertex"]], planted))
             for cause in report["root_causes"]]
    return [(cause, how) for cause, how in found
            if how in ("same", "callee", "inside") or cause_name(report, cause) not in known]


def class_of(causes):
    """(class, the cause that it is about or None)."""
    if causes and causes[0][1] in CLASS_OF_FIRST:
        return CLASS_OF_FIRST[causes[0][1]], causes[0][0]
    for cause, how in causes[1:TOP]:
        if how in ("same", "callee", "inside"):
            return "top three", cause
    return "missed", None


def base(report):
    """Ranks x duration of the largest run, as if each rank had a core."""
    run = report["runs"][-1]
    return run["account"]["base_core_s"] if "account" in run else run["ranks"] * run["wall_s"]


def truth(seconds, ranks):
    """Cost and gain of what each rank measured."""
    size = len(seconds)
    each = sum(seconds) / len(ranks)
    return {"cost": (size - len(ranks)) * each, "gain": size * max(seconds)}


def least_gain(report, seconds):
    """Of a rank that has less to do than others anyway, only what it is behind the next is won: by
    what each rank computed, measured from call to call. Where ranks wait for each other in every
    step it may be more, at most what was planted on each."""
    computed = report["vertices"][0].get("rank_s") if report["vertices"] else None
    if not computed or len(computed) != len(seconds):
        return len(seconds) * max(seconds)
    without = [all_of - more for all_of, more in zip(computed, seconds)]
    return len(seconds) * max(0, max(computed) - max(without))


def named_in(note):
    """The places that a note names: (file, line)."""
    return {(name, int(line)) for name, line in re.findall(r"\(([^\s():]+):(\d+) ", note)}


def told(report, planted):
    """A remark where a note names the place, and what only another run can decide."""
    vertices = report["vertices"]
    near = {spot(vertex) for vertex in vertices
            if relation(vertices, vertex, planted) in CLASS_OF_FIRST}
    return ["told in a note"] if any(named_in(note) & near for note in report["notes"]) else []


def judge(report, defect, seconds, known):
    size = report["runs"][-1]["ranks"]
    ranks = defect.ranks_of(size)
    planted = truth(seconds, ranks)
    place = (os.path.basename(defect.loop.file), defect.loop.line)
    causes = own_causes(report, place, known)
    name, cause = class_of(causes)
    remarks = [] if not cause or set(cause["ranks"]) == set(ranks) else \
        [f"ranks wrong: {','.join(str(r) for r in cause['ranks'])}"]
    if cause and cause.get("between"):
        remarks.append("between two calls")
    if not cause and causes:
        remarks.append(f"first is {cause_name(report, causes[0][0])}")
    if not cause:
        remarks += told(report, place)
    return {"class": name, "category": cause and cause["category"], "remarks": remarks,
            "cost": {"reported": cause and caused_waits(cause), "planted": planted["cost"]},
            "gain": {"reported": cause and cause["gain_core_s"], "planted": planted["gain"],
                     "least": min(planted["gain"], least_gain(report, seconds))},
            "share": planted["cost"] / base(report) if base(report) else 0,
            "beside": [cause_name(report, one) for one, _ in causes if one is not cause]}


def is_near(pair):
    least = pair.get("least", pair["planted"])
    return pair["reported"] is not None and \
        (1 - NEAR) * least <= pair["reported"] <= (1 + NEAR) * pair["planted"]


def summary(results):
    found = {name: sum(r["class"] == name for r in results) for name in CLASSES}
    named = [r for r in results if r["cost"]["reported"] is not None]
    return {"defects": len(results), **found,
            "ranks_wrong": sum(any(m.startswith("ranks") for m in r["remarks"]) for r in results),
            "with_others": sum(bool(r["beside"]) for r in results), "named": len(named),
            "gain_near": sum(is_near(r["gain"]) for r in named),
            "cost_near": sum(is_near(r["cost"]) for r in named)}
