"""What all benchmarks share on their command lines, and how they begin and end."""
import argparse
import os
import pathlib
import shlex
import shutil
import sys
import tempfile

import machine
import output

TOP = pathlib.Path(__file__).resolve().parents[2]
RANKS_PER_CORE = 64  # with more, a program does little but wait for its turn


class Failure(Exception):
    """Ends the benchmark with one line."""


def numbers(text):
    try:
        found = [int(word) for word in text.split(",")]
    except ValueError:
        found = []
    if not found or min(found) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers above 0")
    return found


def names(text):
    return [word for word in text.split(",") if word]


def peer(text):
    name, _, path = text.partition("=")
    if not name or not path:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=PATH")
    return name, pathlib.Path(path).resolve()


OPTIONS = {
    "rounds": dict(type=int, metavar="N", help="alternating rounds (default: %(default)s)"),
    "programs": dict(type=names, metavar="NAME,..", help="which programs (default: all)"),
    "ranks": dict(type=numbers, metavar="N,..", help="numbers of ranks (default: %(default)s)"),
    "peer": dict(type=peer, action="append", default=[], metavar="NAME=PATH",
                 help="another library to preload, in the same alternation; repeatable"),
}


def folder(text):
    return pathlib.Path(text).resolve()


def build_folder():
    return pathlib.Path(os.environ.get("SCALANA_BUILD", TOP / "build"))


def parser(bench, purpose, generated=False, **defaults):
    """`defaults` says which of OPTIONS the benchmark has, and their defaults. Generated ranks need
    no cores."""
    made = argparse.ArgumentParser(prog=f"scripts/bench-{bench}.sh", description=purpose)
    for name, value in defaults.items():
        extra = {} if value is None else {"default": value}
        made.add_argument(f"--{name}", **{**OPTIONS[name], **extra})
    made.add_argument("--quick", action="store_true",
                      help="seconds instead of minutes: shows that it works, measures nothing")
    made.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-results"),
                      metavar="DIR", help=f"where {bench}.json and {bench}.md go "
                      "(default: %(default)s)")
    made.add_argument("--prefix", type=pathlib.Path, metavar="DIR",
                      default=pathlib.Path(os.environ.get("SCALANA_PREFIX", TOP / "prefix")),
                      help="where ScalAna is installed (default: $SCALANA_PREFIX, else %(default)s)")
    made.set_defaults(generated=generated)
    return made


def check_prefix(prefix):
    for part in ("bin/scalana-static", "bin/scalana-detect", "lib/libscalana-prof.so"):
        if not (prefix / part).exists():
            raise Failure(f"{prefix} has no {part}: install ScalAna there "
                          "(cmake --install BUILD --prefix DIR), or name its place with --prefix")
    return prefix.resolve()


def choose(options, known, quick):
    """The programs asked for; without --programs all, or those for --quick."""
    asked = options.programs or (quick if options.quick else known)
    for name in asked:
        if name not in known:
            raise Failure(f"no program '{name}': there are {', '.join(known)}")
    return [name for name in known if name in asked]


def rounds(options, quick=1):
    return min(options.rounds, quick) if options.quick else options.rounds


def check_tools(*tools):
    for tool in tools:
        if not shutil.which(tool):
            raise Failure(f"{tool} is not installed")


def check_ranks(ranks):
    """Programs on so many ranks make progress."""
    cores = len(os.sched_getaffinity(0))
    if max(ranks) > RANKS_PER_CORE * cores:
        raise Failure(f"{max(ranks)} ranks are too many for {cores} cores: "
                      f"at most {RANKS_PER_CORE} for each")


def check_peers(peers):
    for name, path in peers:
        if not path.exists():
            raise Failure(f"--peer {name}: {path} is not there")


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments(bench):
    """How it was called, without the places of this machine."""
    words, kept = list(sys.argv[1:]), []
    while words:
        word = words.pop(0)
        name, _, value = word.partition("=")
        if name in ("--prefix", "--out", "--build", "--peer"):
            words = words if value else words[1:]
        else:
            kept.append(shlex.quote(word))
    return " ".join([f"scripts/bench-{bench}.sh", *kept])


def result(bench, heading, purpose, options, tables, **raw):
    return {"schema": output.SCHEMA, "bench": bench, "heading": heading, "purpose": purpose,
            "command": arguments(bench), "quick": options.quick, "tables": tables, "raw": raw}


def check_options(options):
    options.prefix = check_prefix(options.prefix)
    if getattr(options, "rounds", 1) < 1:
        raise Failure("--rounds must be above 0")
    if not options.generated:
        check_ranks(getattr(options, "ranks", [1]))
    check_peers(getattr(options, "peer", []))


def run(bench, made, measure):
    """Parses, measures in a folder of its own, writes. `measure(options, work)` gives a result; what it
    lists under `failed` is said in a line each, and the exit status is 1."""
    options = made.parse_args()
    try:
        check_options(options)
        header = machine.describe(options.prefix)
        with tempfile.TemporaryDirectory(prefix=f"bench-{bench}-") as work:
            found = measure(options, pathlib.Path(work))
        found["machine"] = {**header, "load_after": machine.load()}
        output.write(options.out, found)
    except (Failure, OSError) as wrong:
        say(f"bench-{bench}: {wrong}")
        return 1
    print(output.markdown(found))
    for words in found["raw"].get("failed", []):
        say(f"FAILED {words}")
    return 1 if found["raw"].get("failed") else 0
