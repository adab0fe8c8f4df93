"""Writes the kernels of a C or C++ source in another way. A writer gets a Kernel and returns its
text, or None to leave it."""
import re

import kernels

# Assignments that are no x * a + b, and the function of work.h that is the same.
SPECIAL = {
    "at = next[at];": "at = hop(next, at);",
    "sum += 1 / (1 + (mine[i] - other[j]) * (mine[i] - other[j]));":
        "sum += pull(mine[i] - other[j]);",
    "v[y * NX + x] = 0.25 * (c[-1] + c[1] + c[-NX] + c[NX]);":
        "v[y * NX + x] = mean(c[-1], c[1], c[-NX], c[NX]);",
    "x = (i & 7) ? x * 0.9999998 + 2e-8 : x + 1e-9 * (double)(i % 13);": "x = bend(x, i);",
}


def is_work(kernel):
    return bool(kernel.flop() or kernel.mark or kernel.body.strip() in SPECIAL)


def head(kernel):
    return (f"{kernel.pad}for ({kernel.type} {kernel.var} = {kernel.first}; "
            f"{kernel.var} < ({kernel.end}); {kernel.var}++){kernel.mark}\n")


def with_value(kernel, value):
    found = kernel.assignment()
    return f"{found['pad']}{found['target']} = {value};"


def call(kernel):
    """The work in a function: of a header or of another file."""
    flop, special = kernel.flop(), SPECIAL.get(kernel.body.strip())
    if special:
        return head(kernel) + kernel.body.replace(kernel.body.strip(), special)
    return flop and head(kernel) + with_value(kernel, f"flop({flop.x}, {flop.a}, {flop.b})")


def operator(kernel):
    flop = kernel.flop()
    return flop and head(kernel) + with_value(
        kernel, f"(work::Real{{{flop.x}}} * ({flop.a}) + ({flop.b})).value")


def started(kernel, start, lines, end):
    """A call with a lambda; the line that starts it carries the mark."""
    pad = kernel.pad
    inside = "".join(f"{pad}    {line}\n" for line in lines)
    return f"{pad}{start} {{{kernel.mark}\n{inside}{pad}}}{end}"


def counts(kernel):
    return f"work::Count({kernel.first}), work::Count({kernel.end})"


def for_each(kernel):
    if is_work(kernel):
        return started(kernel, f"std::for_each({counts(kernel)}, [&](long {kernel.var})",
                       [kernel.body.strip()], ");")
    return None


def algorithm(kernel):
    """std::accumulate into a variable, std::transform into an array."""
    found = kernel.assignment()
    if not found or not is_work(kernel):
        return for_each(kernel)
    target, value = found["target"], found["value"]
    if found["sign"] == "+=":
        value = f"{target} + {value}"
    element = re.fullmatch(rf"(\w+)\[{kernel.var}\]", target)
    if element:
        start = (f"std::transform({counts(kernel)}, &{element[1]}[{kernel.first}], "
                 f"[&](long {kernel.var})")
    elif target.isidentifier():
        start = (f"{target} = std::accumulate({counts(kernel)}, {target}, "
                 f"[&](auto {target}, long {kernel.var})")
    else:
        return for_each(kernel)
    return started(kernel, start, [f"return {value};"], ");")


def parallel(kernel):
    """A template of one's own, called with a lambda."""
    if not is_work(kernel):
        return None
    return started(kernel, f"work::parallel_for({kernel.first}, {kernel.end}, "
                           f"[&](long {kernel.var})", [kernel.body.strip()], ");")


def functor(kernel):
    """A template of one's own, called with an object, where nothing else is in the formula."""
    flop = kernel.flop()
    if not flop or not kernels.NUMBER.match(flop.a) or not kernels.NUMBER.match(flop.b):
        return parallel(kernel)
    return (f"{kernel.pad}work::parallel_for({kernel.first}, {kernel.end}, "
            f"work::Flop{{{flop.x}, {flop.a}, {flop.b}}});{kernel.mark}")


def nest(kernel):
    """An outer loop over blocks: an inner loop, work of its own, another inner loop."""
    if not kernel.assignment() or not is_work(kernel) or kernel.nested:
        return None
    pad, var, end = kernel.pad, kernel.var, f"NEST_END(chunk, ({kernel.end}))"
    body = kernel.body.strip()
    lines = [f"    {kernel.type} {var} = chunk, end = {end};",
             f"    for (; {var} < chunk + NEST_FIRST && {var} < end; {var}++)", f"        {body}",
             f"    if ({var} + NEST_OWN <= end) {{", *[f"        FOUR_TIMES({body} {var}++;)"] * 4,
             "    }", f"    for (; {var} < end; {var}++)", f"        {body}", "}"]
    return (f"{pad}for (long chunk = {kernel.first}; chunk < ({kernel.end}); "
            f"chunk += NEST_BLOCK) {{{kernel.mark}\n" + "\n".join(pad + line for line in lines))


def paths(kernel):
    """One loop for all of them: that of work_paths.c. The mark stays there."""
    flop, found = kernel.flop(), kernel.assignment()
    plain = flop and flop.x == found["target"] and flop.x.isidentifier() and all(
        kernels.NUMBER.match(part) for part in (flop.a, flop.b))
    if not plain:
        return None
    first = "" if kernel.first == "0" else f" - ({kernel.first})"
    mark = kernel.mark.replace("CAUSE", "SITE")
    return (f"{kernel.pad}{flop.x} = iterated({flop.x}, ({kernel.end}){first}, {flop.a}, "
            f"{flop.b});{mark}")


def to_cpp(text):
    """C as C++ takes it: what malloc and its like return needs its type."""
    def cast(line):
        declared = re.match(r" +(?:const )?(\w+) \*\w+ = ", line)
        return line if not declared else re.sub(
            r"= (malloc|calloc|aligned_alloc)\(", rf"= ({declared[1]} *)\1(", line)
    return "\n".join(cast(line) for line in text.split("\n"))
