"""What a program says of its results. Work that is done again may change them (a sum gets greater, a
force stronger); but where they are of another size, or no numbers, the program goes another way, and
whose seconds are whose is no fair question. What differs from run to run, and what is said of time,
is no result."""
import math
import re

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][-+]?\d+)?(?![\w.]*\w)")
CLOCK = re.compile(r"time|sec|\bs\b|wall|cpu|flop|/s|rate|bandwidth|perform|speed|date|\d:\d\d",
                   re.IGNORECASE)
DIGITS = 4  # a number with fewer may be the same twice by chance, as a short time
FAR = 0.5  # of the greater one: numbers that differ by more are of another size
MOST = 1 << 20  # bytes of a file that may tell


def number(word):
    return float(word.replace("d", "e").replace("D", "E"))


def said(text):
    """{(line without its numbers, how often it came before): its numbers}."""
    found, before = {}, {}
    for line in text.splitlines():
        if CLOCK.search(line):
            continue
        form = NUMBER.sub("#", line)
        times = before[form] = before.get(form, -1) + 1
        found[form, times] = [number(word) for word in NUMBER.findall(line)]
    return found


def near(one, other):
    return math.isclose(one, other, rel_tol=FAR)


def has_digits(value):
    return len(f"{value:.10g}".lstrip("-").split("e")[0].replace(".", "").strip("0")) >= DIGITS


def steady(one, other):
    """Of what two runs of the same program say, the numbers that are the same: (line, place) of
    each."""
    one, other = said(one), said(other)
    return {(line, place): value for line in one if line in other
            for place, value in enumerate(one[line])
            if value == other[line][place] and has_digits(value)}


def changed(known, text):
    """The first of the steady numbers that is another one, in words; None."""
    now = said(text)
    for (line, place), value in known.items():
        if line not in now:
            return f"'{line[0].strip()[:50]}' is not said"
        if not near(value, now[line][place]):
            return f"{now[line][place]:g}, not {value:g}, in '{line[0].strip()[:50]}'"
    return None


def written(tree, since):
    """What the files say that were written since then."""
    text = []
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_mtime >= since \
                and path.stat().st_size <= MOST:
            text.append(path.read_text(errors="replace"))
    return "\n".join(text)
