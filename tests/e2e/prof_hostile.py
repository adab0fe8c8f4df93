#!/usr/bin/env python3
"""Programs that are hard to watch: they say what they say without the runtime, every call is
counted, and memory stays bounded.

usage: prof_hostile.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from prof_launch import CASE, RUNTIME, launch, lines, own, show, take

MEMORY_KB = 4096  # most that the runtime takes, per rank
MANY_PATHS_KB = 8192  # with 10,000 call paths to keep and send, and code kept beside them
CHANNELS_KB = 16384  # with the 131,072 channels that are followed at most
REQUESTS_KB = 65536  # with 200,000 receives under way: a quarter of a KB each
LOCKED_KB = 8192  # all of the library and its tables
PAPI_KB = 3072  # its own, where it drives the sampling


def start(folder, way, preload=True, env=None):
    run = launch(folder, way, env, preload, program="./hostile", ranks=1)
    assert run.returncode == 0, (run.returncode, run.stderr)
    return run


def memory(run):
    return int(re.search(r"^memory (\d+)$", run.stderr, re.M).group(1))


def watched(folder, way, counts, env=None, most=MEMORY_KB):
    """Runs it with and without; returns both, and the profile in words."""
    plain, run = start(folder, way, preload=False), start(folder, way, env=env)
    assert own(run) == own(plain), (run.stdout, plain.stdout)
    assert len(lines(run)) == 1 and "profile in" in lines(run)[0], run.stderr
    text = show(folder / "scalana-hostile-1p")
    for function, count in counts.items():
        found = re.findall(rf"^rank 0: site {function} count (\d+) ", text, re.M)
        assert sum(map(int, found)) == count, (function, count, found[:9])
    taken = memory(run) - memory(plain)
    print(f"{way}: {taken} KB more memory")
    assert taken <= most, f"{taken} KB more than without"
    return text


def paths(folder):
    """10,000 call paths are told apart, each with its own count."""
    text = watched(folder, "paths", {"MPI_Barrier": 30000}, most=MANY_PATHS_KB)
    assert len(re.findall(r"^rank 0: site MPI_Barrier count 3 ", text, re.M)) == 10000


def deep(folder):
    watched(folder, "deep", {"MPI_Barrier": 200})


def tags(folder):
    watched(folder, "tags", {"MPI_Send": 10**6, "MPI_Irecv": 10**6, "MPI_Wait": 10**6},
            most=MEMORY_KB + CHANNELS_KB)


def outstanding(folder):
    """Each of 200,000 requests under way is found: the wait for all of them has all their bytes."""
    text = watched(folder, "outstanding", {"MPI_Irecv": 200000, "MPI_Send": 200000},
                   most=REQUESTS_KB)
    assert "rank 0: site MPI_Waitall count 1 bytes 800000\n" in text, text


def locked(folder):
    """A program that locks its memory, before MPI_Init or later, locks little of ours."""
    for way, barriers in ("locked", 100), ("locked_later", 200):
        plain, run = start(folder, way, preload=False), start(folder, way)
        assert own(run) == own(plain) and "profile in" in lines(run)[-1], run.stderr
        if "mlockall" in plain.stderr:
            sys.exit(77)
        taken = [int(re.search(r"^resident (\d+)$", r.stderr, re.M).group(1)) for r in (plain, run)]
        assert taken[1] - taken[0] <= LOCKED_KB, taken
        counts = re.findall(r"^rank 0: site MPI_Barrier count (\d+) ",
                            show(folder / "scalana-hostile-1p"), re.M)
        assert sum(map(int, counts)) == barriers, counts
        shutil.rmtree(folder / "scalana-hostile-1p")


def comms(folder):
    watched(folder, "comms", {"MPI_Comm_dup": 10**5, "MPI_Comm_free": 10**5, "MPI_Barrier": 10**5})


def plugins(folder):
    fast = {"SCALANA_FREQUENCY": "5000", "SCALANA_BUDGET": "100"}
    watched(folder, "plugins", {"MPI_Barrier": 300}, fast, most=MEMORY_KB + PAPI_KB)


def timers(folder):
    watched(folder, "timers", {})


def masked(folder):
    """Signals that the program blocked while sampling began end nothing when it lets them through."""
    watched(folder, "masked", {"MPI_Barrier": 1})


def children(folder):
    watched(folder, "children", {"MPI_Barrier": 5})


def jump(folder):
    watched(folder, "jump", {"MPI_Barrier": 100})


def budget(folder):
    """Calls alone cost more than a tenth of a percent: samples become rarer, counts stay exact."""
    text = watched(folder, "tags", {"MPI_Send": 10**6}, {"SCALANA_BUDGET": "0.1"},
                   most=MEMORY_KB + CHANNELS_KB)
    assert re.search(r"^meta budget.sampling=(2|4|8|16)$", text, re.M), text


def budget_shared(folder):
    """On shared cores samples become rarer only if a budget was asked for."""
    ranks = 2 * len(os.sched_getaffinity(0))
    for env, rarer in (({"SCALANA_BUDGET": "0.1"}, True), ({}, False)):
        run = launch(folder, "few_tags", env, True, program="./hostile", ranks=ranks)
        assert run.returncode == 0, (run.returncode, run.stderr)
        run_directory = folder / f"scalana-hostile-{ranks}p"
        text = show(run_directory)
        assert rarer == bool(re.search(r"^meta budget.sampling=", text, re.M)), text
        shutil.rmtree(run_directory)


def later(folder):
    """MPI_Finalize, and calls before it, in a destructor."""
    watched(folder, "later", {"MPI_Barrier": 1})


def full_disk(folder):
    """The tables outgrow the disk while they are filled: no signal, and a line that says so or a
    profile."""
    disk = folder / "disk"
    disk.mkdir()
    for size in ("8k", "80k", "400k"):
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", disk],
                          capture_output=True).returncode:
            print("no file system may be mounted here: skipped")
            sys.exit(77)
        try:
            plain = start(folder, "paths", preload=False)
            run = start(folder, "paths", env={"SCALANA_OUTPUT": str(disk / "run")})
            assert own(run) == own(plain) and 1 <= len(lines(run)) <= 2, run.stderr
            said = lines(run)[-1]
            assert "profile" in said, said
            if "profile in " in said:
                counts = re.findall(r"^rank 0: site MPI_Barrier count (\d+) ",
                                    show(disk / "run"), re.M)
                assert sum(map(int, counts)) == 30000, (size, sum(map(int, counts)), lines(run))
        finally:
            subprocess.run(["umount", disk], check=True)


CASES = {function.__name__: function for function in (
    paths, deep, tags, outstanding, locked, comms, plugins, timers, masked, children, jump, budget,
    budget_shared, later, full_disk)}


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scalana-hostile-")).resolve()
    take(folder, "hostile", "plugin.so")
    try:
        CASES[CASE](folder)
    finally:
        shutil.rmtree(folder)


assert os.path.exists(RUNTIME)
main()
