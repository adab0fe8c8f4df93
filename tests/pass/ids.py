"""ids.py SOURCE LINES: marks in the source (LOOP X, BODY X, CALL X) against llvm-dwarfdump's line
table: one id per mark, all different, none 0."""
import re
import sys

marks, ids = {}, {}
for number, text in enumerate(open(sys.argv[1]), 1):
    found = re.search(r"/\* ((?:LOOP|BODY|CALL) \w) \*/", text)
    if found:
        marks[number] = found.group(1)
for row in open(sys.argv[2]):
    field = row.split()
    if not row.startswith("0x") or "end_sequence" in row:
        continue
    line, identity = int(field[1]), int(field[5])
    if line in marks:
        ids.setdefault(marks[line], set()).add(identity)
errors = [f"{mark}: no row" for mark in set(marks.values()) - set(ids)]
errors += [f"{mark}: ids {sorted(found)}" for mark, found in ids.items() if len(found) != 1 or 0 in found]
taken = [min(found) for found in ids.values()]
if len(set(taken)) != len(taken):
    errors.append(f"ids are shared: {ids}")
sys.exit("\n".join(errors) or 0)
