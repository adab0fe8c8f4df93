"""closure.py SOURCE GRAPH main|alone: the loops of main() against their marks in the source: LOOP,
then whether it carries a marker, then whether it reaches MPI in the program. Alone, without what it
is linked to, a file knows only its own calls and pointers."""
import json
import re
import sys

source, graph = open(sys.argv[1]).read().splitlines(), json.load(open(sys.argv[2]))
linked = sys.argv[3] == "main"
expected = {}
for number, text in enumerate(source, 1):
    found = re.search(r"/\* LOOP (marked|bare) (reaches|quiet) \*/", text)
    if found:
        own = "pointer(" in source[number] or "int j" in text or "int j" in source[number]
        expected[number] = (found[1] == "marked", found[2] == "reaches" and (linked or own))
main = next(f for f in graph["functions"] if f["linkage"] == "main")
actual = {v["line"]: (v["marked"], v["reaches_mpi"]) for v in main["vertices"]
          if v["kind"] == "loop"}
wrong = {line: (expected.get(line), actual.get(line)) for line in {*expected, *actual}
         if expected.get(line) != actual.get(line)}
by_name = {f["linkage"]: f["reaches_mpi"] for f in graph["functions"]}
if linked:
    names = {"other": True, "archived": True, "shared": True, "deep": True, "odd": True,
             "quiet": False}
    wrong.update({name: (yes, by_name.get(name)) for name, yes in names.items()
                  if by_name.get(name) != yes})
    wrong.update({"plain": (None, by_name["plain"])} if "plain" in by_name else {})
sys.exit(f"expected, found: {wrong}" if wrong or len(expected) != 11 else 0)
