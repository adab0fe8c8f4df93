"""The ways to run a program that are compared, and their alternation."""
import dataclasses
import pathlib

import launch

NONE, AGAIN, EMPTY, SCALANA = "none", "none, again", "empty library", "ScalAna"


@dataclasses.dataclass
class Variant:
    name: str
    preload: pathlib.Path | None


def empty_library(work):
    """A library with nothing in it: what any preloaded library costs."""
    path = work / "libempty.so"
    source = work / "empty.c"
    source.write_text("extern int nothing;\nint nothing;\n")
    launch.run(["cc", "-shared", "-fPIC", "-O2", source, "-o", path])
    return path


def all_of(options, work):
    """None twice: what differs between those two is noise."""
    return [Variant(NONE, None), Variant(AGAIN, None), Variant(EMPTY, empty_library(work)),
            Variant(SCALANA, options.prefix / "lib" / "libscalana-prof.so"),
            *[Variant(name, path) for name, path in options.peer]]


def order(variants, number):
    """Another one goes first in each round, and every other round goes backwards: none gains from
    its place."""
    turn = number // 2 % len(variants)
    turned = variants[turn:] + variants[:turn]
    return turned if number % 2 == 0 else turned[::-1]


def alternate(variants, rounds, measure):
    """{name: [measure(variant) of each round]}; one more round before is thrown away."""
    found = {variant.name: [] for variant in variants}
    measure(variants[0])
    for number in range(rounds):
        for variant in order(variants, number):
            found[variant.name].append(measure(variant))
    return found
