"""identity.py BEFORE WITHIN LONGER: the graphs of three builds, as identity.test made them."""
import collections
import json
import sys


def functions(path):
    with open(path) as file:
        return {f["linkage"]: f for f in json.load(file)["functions"]}


def paths(function):
    """Per vertex: kind, arm, callee and the ordinal among siblings alike in those, on the way down."""
    result, seen = {0: (function["linkage"],)}, collections.Counter()
    for index, vertex in enumerate(function["vertices"][1:], 1):
        step = (vertex["kind"], vertex["arm"], vertex.get("callee", ""))
        key = (vertex["parent"], step)
        result[index] = result[vertex["parent"]] + ((*step, seen[key]),)
        seen[key] += 1
    return result


before, within, longer = map(functions, sys.argv[1:])
assert before["first"]["key"] != within["first"]["key"], "first() has another body"
assert before["second"]["key"] == within["second"]["key"], "second() is what it was"
assert before["second"]["key"] != longer["second"]["key"], "its lines moved"
for name in ("first", "second"):
    old, new = paths(before[name]), paths(longer[name])
    assert old == new and len(set(old.values())) == len(old), (old, new)
    for index, vertex in enumerate(before[name]["vertices"]):
        assert longer[name]["vertices"][index]["line"] == vertex["line"] + 4
print(len(paths(before["second"])), "vertices of second() keep their path")
