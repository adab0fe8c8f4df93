#!/usr/bin/env python3
"""Ranks that wait for each other, or sleep, outside MPI: what the program says stays, the wait is no
computation, and whom they wait for is the cause.

usage: prof_outside.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE DETECT
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from prof_launch import CASE, MPI, RUNTIME, launch, lines, own, show, take

DETECT = sys.argv[6]
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
SOURCE = PROGRAMS / "outside.c"
RANKS, STEPS, STEP_S = 2, 30, 0.020
OF_RANK_1 = STEPS * STEP_S  # rank 0 computes a quarter of it
CALLS = {"barrier": "pthread_barrier_wait", "semaphore": "sem_wait", "pipe": "read",
         "socket": "recv", "lock": "flock", "mutex": "pthread_mutex_lock", "sleep": "usleep"}


def line_of(text):
    found = [n for n, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line]
    assert len(found) == 1, (text, found)
    return found[0]


def near(seconds, wanted):
    return between(wanted, seconds, wanted)


def between(least, seconds, most):
    return 0.8 * least <= seconds <= 1.2 * most


def watch(folder, name):
    program = f"./{name}"
    take(folder, name)
    plain = launch(folder, CASE, None, False, program=program, ranks=RANKS)
    run = launch(folder, CASE, {"SCALANA_FREQUENCY": "1000", "SCALANA_BUDGET": "100"}, True,
                 program=program, ranks=RANKS)
    assert run.returncode == plain.returncode == 0, (plain, run)
    assert own(run) == own(plain) and own(plain), (own(plain), own(run))
    assert len(lines(run)) == 1 and "profile in" in lines(run)[0], run.stderr
    return run


def judge(folder):
    done = subprocess.run([DETECT, f"scalana-outside-{RANKS}p", "-o", "report.json"], cwd=folder,
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    return json.loads((folder / "report.json").read_text())


def note(report, words):
    found = [text for text in report["notes"] if words in text]
    assert len(found) == 1, (words, report["notes"])
    return found[0]


def is_told(report, text):
    """Where it blocks, and in what."""
    assert f"outside.c:{line_of(f'/* {CASE} */')} {CALLS[CASE]}" in text, text


def charged(report):
    """Rank 1's computation keeps rank 0 waiting for three quarters of it."""
    cause = report["root_causes"][0]
    vertex = report["vertices"][cause["vertex"]]
    place = vertex["function"] in ("compute", "main")  # or the loop that has all of it
    assert cause["ranks"] == [1] and place, (cause, vertex)
    assert near(cause["cost_core_s"], 0.75 * OF_RANK_1), cause["cost_core_s"]


def not_charged(report, slept_s):
    """Nothing that would save as much as a step; how far ranks begin apart is the machine's, and how long
    who sleeps waits for a core after that."""
    account = report["runs"][0]["account"]
    causes = [cause for cause in report["root_causes"] if cause["gain_core_s"] > STEP_S]
    assert not causes, causes
    assert between(0.75 * OF_RANK_1, account["blocked_core_s"], slept_s), (account, slept_s)


def useful(report):
    account = report["runs"][0]["account"]
    computed = account["useful_core_s"] + account["extra_core_s"] + account["tool_core_s"]
    assert near(computed, 1.25 * OF_RANK_1), account
    efficiency = report["scaling"]["efficiency"][0]
    assert efficiency["parallel"] < 0.75, efficiency


def unharmed(folder):
    """Calls are cancelled, interrupted, time out and fail as without; those that slept are booked."""
    watch(folder, "blocks")
    text = show(folder / f"scalana-blocks-{RANKS}p")
    for name in ("read", "poll", "select", "nanosleep", "clock_nanosleep", "sem_wait",
                 "sem_timedwait", "pthread_cond_timedwait"):
        assert f"rank 0: site {name} count 1 " in text, (name, text)


def loading(folder):
    """A library's constructor waits for a thread that blocks: the thread may not wait for the loader."""
    source = PROGRAMS / "loading.c"
    compiler = [f"mpicc.{MPI}", "-O1", source, "-lpthread", "-o"]
    subprocess.run([*compiler, folder / "loading"], check=True)
    subprocess.run([*compiler, folder / "library.so", "-DAS_LIBRARY", "-shared", "-fPIC"], check=True)
    done = subprocess.run(["./loading", "./library.so"], cwd=folder, text=True, capture_output=True,
                          env={**os.environ, "LD_PRELOAD": RUNTIME}, timeout=500)
    assert (done.returncode, done.stdout) == (0, "loaded\nopened\n"), done


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if CASE in ("unharmed", "loading"):
            globals()[CASE](folder)
            return
        run = watch(folder, "outside")
        report = judge(folder)
    useful(report)
    if CASE == "sleep":
        not_charged(report, float(re.search(r"^slept ([\d.]+) s$", run.stderr, re.M)[1]))
        is_told(report, note(report, "blocked outside MPI"))
        return
    charged(report)
    if CASE != "barrier":
        is_told(report, note(report, "waited outside MPI for other ranks"))
        return
    places = [report["vertices"][wait["vertex"]] for wait in report["waits"]]
    assert [(place["name"], place["line"]) for place in places][0] == (
        CALLS[CASE], line_of("/* barrier */")), places


main()
