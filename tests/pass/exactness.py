"""exactness.py SHOW_PLACES BINARY...: do instructions in machine loops carry the right vertex?

The judge is the machine code and its natural loops. A loop's source loop is the deepest one, other
than its inner loops', that four in five of its instructions lie in, by their whole chain of inlined
frames as llvm-symbolizer reads them. Loops of which the compiler said that it unrolled them
completely are none of the machine's, unless a jump back lies in them: BINARY.remarks, if it is there,
has its remarks (-Rpass=loop-unroll). An instruction is right if its chain passes through that loop, enclosing if its vertex
is one around it, wrong otherwise, and unknown if it has no vertex at all. The column `detect` is the
share of instructions for which scalana-detect's own look-up, SHOW_PLACES, names the source loop: it
goes by the line where an id was lost. Exit status 1 if a binary has fewer than 97 % right, more than
0.3 % wrong, less than 97 % by detect, or an MPI call without its vertex.
"""
import collections
import json
import os
import re
import subprocess
import sys


KINDS = ("right", "enclosing", "wrong", "unknown")


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def load_graph(binary):
    graph = json.loads(run("scalana-static", "--dump=json", binary))
    units = {u["hash"]: sorted((e["first_id"], e["function"]) for e in u["functions"])
             for u in graph["units"]}
    return graph["functions"], units


def units_of(binary, addresses):
    """The hashes of the compile units that each address lies in: several where the linker kept one
    of many copies."""
    opened, closed, unit = collections.defaultdict(set), collections.defaultdict(set), None
    for line in run("llvm-dwarfdump", "--debug-info", "--recurse-depth=0", binary).splitlines():
        low = re.search(r"DW_AT_low_pc\t\((0x\w+)\)", line)
        span = (re.search(r"\[(0x\w+), (0x\w+)\)", line)
                or re.search(r"DW_AT_high_pc\t\((0x\w+)\)", line))
        found = re.search(r"DW_AT_producer.* scalana:(\w+)", line)
        if "DW_TAG_compile_unit" in line:
            unit = start = None
        elif found:
            unit = found.group(1)
        elif low:
            start = int(low.group(1), 16)
        elif span and unit:
            bounds = [int(b, 16) for b in span.groups()]
            opened[start if len(bounds) == 1 else bounds[0]].add(unit)
            closed[bounds[-1]].add(unit)
    bounds, inside, result = sorted(opened.keys() | closed.keys()), set(), {}
    for address in sorted(addresses):
        while bounds and bounds[0] <= address:
            bound = bounds.pop(0)
            inside = (inside - closed[bound]) | opened[bound]
        result[address] = frozenset(inside)
    return result


def vertex_of(functions, units, known, own, frame):
    """(function, vertex) of a frame: the unit is the one whose vertex covers the frame's line, of
    those that the address lies in if there is one. With link-time optimization it need not be."""
    key = (own, frame["Discriminator"], frame["Line"], frame["FileName"])
    if key not in known:
        mine = [units[u] for u in own if u in units]
        known[key] = closest(functions, mine, frame) or closest(functions, units.values(), frame)
    return known[key]


def closest(functions, units, frame):
    best = None
    for entries in units:
        for first, index in reversed(entries):
            if first <= frame["Discriminator"]:
                number = frame["Discriminator"] - first
                function = functions[index]
                if number < len(function["vertices"]):
                    root, vertex = function["vertices"][0], function["vertices"][number]
                    same = os.path.basename(function["files"][vertex["file"]]) == os.path.basename(frame["FileName"])
                    if same and root["line"] <= frame["Line"] <= root["end_line"] + 1:
                        distance = max(vertex["line"] - frame["Line"], frame["Line"] - vertex["end_line"], 0)
                        if best is None or distance < best[0]:
                            best = (distance, index, number)
                break
    return best[1:] if best else None


def ancestors(functions, place):
    function, vertex = place
    while vertex:
        yield function, vertex
        vertex = functions[function]["vertices"][vertex]["parent"]
    yield function, 0


def disassemble(binary):
    """Per function: list of (address, text)."""
    result, current = [], None
    for line in run("llvm-objdump", "-d", "--no-show-raw-insn", "-j", ".text", binary).splitlines():
        if re.match(r"[0-9a-f]+ <.*>:", line):
            current = []
            result.append(current)
        found = re.match(r"\s+([0-9a-f]+):\s+(.*)", line)
        if found:
            current.append((int(found.group(1), 16), found.group(2)))
    return result


def control_flow(code):
    """Basic blocks by first address: (instructions, successors)."""
    known = {address for address, _ in code}
    leaders, jumps = {code[0][0]}, {}
    for (address, text), following in zip(code, code[1:] + [(None, "")]):
        jump = re.match(r"(j\w+)\s+\*?(?:0x([0-9a-f]+))?", text)
        ends = jump or re.match(r"(ret|ud2|hlt)", text)
        if not ends:
            continue
        target = int(jump.group(2), 16) if jump and jump.group(2) else None
        falls = jump and not jump.group(1).startswith("jmp")
        jumps[address] = [t for t in (target, following[0] if falls else None) if t in known]
        leaders.update(jumps[address])
        leaders.add(following[0])
    blocks, current = {}, None
    for address, text in code:
        if address in leaders:
            if current is not None and blocks[current][1] is None:
                blocks[current][1] = [address]
            current = address
            blocks[current] = [[], None]
        blocks[current][0].append(address)
        if address in jumps:
            blocks[current][1] = jumps[address]
    return {first: (body, after or []) for first, (body, after) in blocks.items()}


def dominators(blocks, entry):
    order, seen, stack = [], {entry}, [(entry, iter(blocks[entry][1]))]
    while stack:
        for after in stack[-1][1]:
            if after not in seen:
                seen.add(after)
                stack.append((after, iter(blocks[after][1])))
                break
        else:
            order.append(stack.pop()[0])
    order.reverse()
    before = collections.defaultdict(list)
    for first in order:
        for after in blocks[first][1]:
            before[after].append(first)
    over = {first: set(order) for first in order}
    over[entry], changed = {entry}, True
    while changed:
        changed = False
        for first in order[1:]:
            new = set.intersection(*(over[p] for p in before[first])) | {first}
            changed |= new != over[first]
            over[first] = new
    return over, before


def machine_loops(code):
    """Innermost natural loop of each instruction {address: header}, the loops in each loop, and the
    jumps back of each."""
    if not code:
        return {}, {}, {}
    blocks = control_flow(code)
    over, before = dominators(blocks, code[0][0])
    bodies, jumps_back = collections.defaultdict(set), collections.defaultdict(list)
    for tail in over:
        for header in blocks[tail][1]:
            if header in over[tail]:
                jumps_back[header].append(blocks[tail][0][-1])
                bodies[header].add(header)
                open_ = [tail]
                while open_:
                    at = open_.pop()
                    if at not in bodies[header]:
                        bodies[header].add(at)
                        open_ += before[at]
    inside = {}
    for header in sorted(bodies, key=lambda h: -len(bodies[h])):  # inner ones win
        for first in bodies[header]:
            inside.update({address: header for address in blocks[first][0]})
    text = dict(code)
    nested = {h: {g for g in bodies if g != h and g in bodies[h]} for h in bodies}
    return {a: h for a, h in inside.items() if not text[a].startswith("nop")}, nested, jumps_back


def inlined_alike(before, at):
    """Whether what is innermost inlined at `at` also holds what stands before: then both are of one
    basic block, for what has no place of its own is taken for inlined no further than there."""
    def outer(frames):
        return [(f["FunctionName"], f["Line"], f.get("Discriminator")) for f in frames[1:]]
    same = before[-len(at):]
    return (len(at) > 1 and len(same) == len(at) and same[0]["FunctionName"] == at[0]["FunctionName"]
            and outer(same) == outer(at))


def symbolize(binary, code):
    """Frames of every address. A row with line 0 stands for the one before if both are of one inlined
    call, else for its function's next one with a line."""
    text = "".join(f"0x{a:x}\n" for function in code for a, _ in function)
    lines = run("llvm-symbolizer", "--output-style=JSON", "--inlines", "--obj=" + binary, text=text)
    symbols = iter(json.loads(line)["Symbol"] for line in lines.splitlines())
    result = {}
    for function in code:
        frames = [next(symbols) for _ in function]
        for i in range(1, len(frames)):
            if frames[i] and not frames[i][0]["Line"] and inlined_alike(frames[i - 1], frames[i]):
                frames[i] = frames[i - 1]
        for i in reversed(range(len(frames) - 1)):
            if not frames[i] or not frames[i][0]["Line"]:
                frames[i] = frames[i + 1]
        result.update({a: f for (a, _), f in zip(function, frames)})
    return result


def look_up(show_places, binary, everything):
    """What scalana-detect says of every address: a set of kind:line."""
    text = "".join(f"0x{a:x}\n" for function in everything for a, _ in function)
    lines = run(show_places, os.path.abspath(binary), text=text).splitlines()
    return {int(first, 16): set(chain) for first, *chain in map(str.split, lines)}


def judge(show_places, binary):
    functions, units = load_graph(binary)
    count, calls = collections.Counter(), collections.Counter()
    everything = disassemble(binary)
    symbols = symbolize(binary, everything)
    own, gone, known = units_of(binary, symbols), unrolled(binary), {}
    places_of = look_up(show_places, binary, everything)
    for code in everything:
        chains = {}
        for address, text in code:
            frames = symbols[address]
            places = [vertex_of(functions, units, known, own[address], f)
                      for f in frames if f.get("Discriminator")]
            places = [p for p in places if p]
            chain = [a for p in places for a in ancestors(functions, p)]
            chains[address] = (places, chain)
            called = re.search(r"call\w*\s+.*<(MPI_(?!Wti)\w+|mpi_(?!wti)\w+_)@plt>", text)
            if called and places:
                vertex = functions[places[0][0]]["vertices"][places[0][1]]
                calls["right" if vertex.get("callee") == called.group(1) else "wrong"] += 1
        if any(places for places, _ in chains.values()):
            count_loops(functions, machine_loops(code), chains, places_of, gone, count)
    return count, calls


def is_loop(functions, place):
    return functions[place[0]]["vertices"][place[1]]["kind"] == "loop"


def unrolled(binary):
    """(file, line) of the loops that the compiler unrolled completely."""
    remarks = binary + ".remarks"
    text = open(remarks).read() if os.path.exists(remarks) else ""
    return {(os.path.basename(file), int(line)) for file, line in
            re.findall(r"^(.*?):(\d+):\d+: remark: completely unrolled", text, re.M)}


def is_gone(functions, place, gone):
    function = functions[place[0]]
    vertex = function["vertices"][place[1]]
    return (os.path.basename(function["files"][vertex["file"]]), vertex["line"]) in gone


def count_loops(functions, loops, chains, places_of, gone, count):
    inside, nested, jumps_back = loops
    members, truths = collections.defaultdict(list), {}
    for address, header in inside.items():
        members[header].append(address)
    for header in sorted(members, key=lambda h: len(nested[h])):  # inner ones first
        addresses = members[header]
        votes = collections.Counter(
            place for a in addresses for place in set(chains[a][1]) if is_loop(functions, place))
        depth = {p: len(chains[a][1]) - chains[a][1].index(p)
                 for a in addresses for p in chains[a][1]}
        # A loop also holds what prepares its inner ones, and inner ones that were unrolled.
        below = {truths.get(h) for h in nested[header]}
        looping = {p for a in jumps_back[header] if a in chains for p in chains[a][1]}
        strong = [p for p, n in votes.items() if n > 0.8 * len(addresses) and p not in below
                  and (p in looping or not is_gone(functions, p, gone))]
        if not strong:  # memcpy-like loops that the compiler made
            continue
        truth = truths[header] = max(strong, key=lambda p: depth[p])
        above = next(c for a in addresses for c in [chains[a][1]] if truth in c)
        above = set(above[above.index(truth):])
        for a in addresses:
            places, chain = chains[a]
            kind = ("unknown" if not places else "right" if truth in chain
                    else "enclosing" if places[0] in above or
                    any(is_loop(functions, p) and p in above for p in chain) or
                    places[0][1] == 0 else "wrong")
            count[kind] += 1
            line = functions[truth[0]]["vertices"][truth[1]]["line"]
            count["detect"] += f"loop:{line}" in places_of.get(a, ())


def main():
    failed = False
    print(f"{'program':<12} {'in loops':>9} {'right':>8} {'enclosing':>9} {'wrong':>7} "
          f"{'unknown':>8} {'MPI calls':>9} {'detect':>8}")
    for binary in sys.argv[2:]:
        count, calls = judge(sys.argv[1], binary)
        total = sum(count[k] for k in KINDS) or 1
        share = {k: 100 * count[k] / total for k in (*KINDS, "detect")}
        print(f"{binary.split('/')[-1]:<12} {total:>9} {share['right']:>7.2f}% "
              f"{share['enclosing']:>8.2f}% {share['wrong']:>6.2f}% {share['unknown']:>7.2f}% "
              f"{calls['right']:>4}/{sum(calls.values())} {share['detect']:>12.2f}%")
        failed |= share["right"] < 97 or share["wrong"] > 0.3 or calls["wrong"] > 0
        failed |= share["detect"] < 97
    sys.exit(failed)


main()
