#!/usr/bin/env python3
"""Every way a program can end: it behaves as without the runtime, and its profile is there.

usage: prof_leave.py CASE MPI RUNTIME LAUNCHER SHOW_PROFILE
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from prof_launch import (CASE, LAUNCHER, MPI, OPTIONS, RANKS, RUNTIME, launch, lines, own,
                         rank_facts, show, take)

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "leave.c"
TRIES = 20
CALLS = 100


KEEP_STATUS = """#!/bin/sh
"$@"
status=$?
echo $status > status.${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
exit $status
"""


def launch_keeping(folder, way, **how):
    """Keeps each rank's own status, which nobody chooses."""
    keep = folder / "keep_status"
    keep.write_text(KEEP_STATUS)
    keep.chmod(0o755)
    for kept in folder.glob("status.*"):
        kept.unlink()
    return launch(folder, way, prefix=("./keep_status",), **how)


def status_of_who_leaves(folder, way, preload):
    kept = folder / "status.1"
    launch_keeping(folder, way, preload=preload)
    return kept.read_text() if kept.exists() else "ended before it left"


def same_as_without(folder, way, run):
    """When one rank dies, which rank's status a launcher returns is a race: where it is not one of
    those it returns without the library, that of the rank which leaves must be the same."""
    seen = set()
    for _ in range(TRIES):
        plain = launch(folder, way, preload=False)
        assert own(run) == own(plain), (run.stdout, plain.stdout)
        seen.add(plain.returncode)
        if run.returncode in seen:
            return
    statuses = [status_of_who_leaves(folder, way, preload) for preload in (False, True)]
    assert statuses[0] == statuses[1], (run.returncode, seen, statuses, run.stderr)


def expect_complete(folder, name=None):
    directory = folder / (name or f"scalana-leave-{RANKS}p")
    assert sorted(os.listdir(directory)) == ["profile.sca"], os.listdir(directory)
    text = show(directory)
    assert f"complete 1 ranks {RANKS} " in text, text
    for rank in range(RANKS):
        for function in ("MPI_Sendrecv", "MPI_Allreduce"):
            assert f"rank {rank}: site {function} count {CALLS} " in text, text
    return text


def expect_incomplete(folder, least=CALLS // 2):
    """Parts of all ranks, with what was recorded until then."""
    text = show(folder / f"scalana-leave-{RANKS}p")
    assert f"complete 0 ranks {RANKS} " in text, text
    for rank in range(RANKS):
        facts = rank_facts(text, rank)
        assert facts["present"] == "1" and int(facts["calls"]) >= 2 * least, text
        assert int(facts["wall_ns"]) > 0, text
    return text


def one_line(run, *words):
    said = lines(run)
    assert len(said) == 1 and all(word in said[0] for word in words), run.stderr


def finalize(folder):
    run = launch(folder, "")
    same_as_without(folder, "", run)
    one_line(run, "profile in", f"scalana-leave-{RANKS}p", "own cost")
    text = expect_complete(folder)
    name = {"openmpi": "Open MPI", "mpich": "MPICH"}[MPI]
    for fact in ("program=leave", f"path={folder}/leave", f"ranks={RANKS}", f"mpi={name}",
                 "hosts=1", "frequency=200"):
        assert f"meta {fact}\n" in text, text
    assert re.search(r"^meta build_id=[0-9a-f]{40}$", text, re.M), text


def second(folder):
    for name in ("", ".2", ".3"):
        one_line(launch(folder, ""), f"scalana-leave-{RANKS}p{name} (")
        expect_complete(folder, f"scalana-leave-{RANKS}p{name}")


def status(folder):
    run = launch(folder, "status")
    same_as_without(folder, "status", run)
    expect_complete(folder)


def early(folder, way, *words):
    run = launch(folder, way)
    same_as_without(folder, way, run)
    if words:
        one_line(run, *words)
    return expect_incomplete(folder)


def abort(folder):
    early(folder, "abort", "rank 1 called MPI_Abort with 3", "incomplete profile in")


def exit_(folder):
    early(folder, "exit", "rank 1 ended without MPI_Finalize", "incomplete profile in")


def forget(folder):
    run = launch(folder, "forget")
    one_line(run, "ended without MPI_Finalize", "incomplete profile in")
    expect_incomplete(folder, CALLS - 1) # the launcher kills who is not as quick


def kill(folder):
    early(folder, "kill")


def term(folder):
    early(folder, "term")


def segv(folder):
    early(folder, "segv")


def late(folder):
    """The others wait for rank 0 in MPI_Finalize, as they would without the runtime."""
    one_line(launch(folder, "late"), "profile in")
    expect_complete(folder)


def all_is_kept(folder):
    """Whether the living have said it all, and their parts are whole."""
    def kept(said):
        return "profile kept" in said and whole_parts(folder) == ["1", "0", "1"]
    return kept


def whole_parts(folder):
    text = show(folder / f"scalana-leave-{RANKS}p")
    return [rank_facts(text, rank)["complete"] for rank in range(RANKS)]


def dead(folder):
    """A launcher that lets the others live: MPI_Finalize's part of ours does not wait for who
    cannot come. Open MPI's own part does at times: without us, too, one run in eight never ends in
    its fence. So the run is ended once all is there that is asserted."""
    if MPI != "openmpi":
        launch(folder, "dead")  # nothing is asserted but that it ends
        return
    OPTIONS.append("-enable-recovery")
    run = launch(folder, "dead", enough=all_is_kept(folder))
    one_line(run, "profile kept in parts", "rank 1 died")
    expect_incomplete(folder, CALLS)
    assert whole_parts(folder) == ["1", "0", "1"]


def fork(folder):
    run = launch(folder, "fork")
    same_as_without(folder, "fork", run)
    one_line(run, "profile in")
    expect_complete(folder)


def unwritable(folder):
    for output in ("/proc/none/run", "/dev/null/run"):
        run = launch(folder, "", {"SCALANA_OUTPUT": output})
        same_as_without(folder, "", run)
        one_line(run, "no profile", output)
    assert os.listdir(folder) == ["leave"], os.listdir(folder)


def output(folder):
    run = launch(folder, "", {"SCALANA_OUTPUT": "elsewhere"})
    one_line(run, f"{folder}/elsewhere ")
    expect_complete(folder, "elsewhere")
    launch(folder, "", {"SCALANA_OUTPUT": "."})
    expect_complete(folder)


def disabled(folder):
    run = launch(folder, "", {"SCALANA_ENABLE": "0"})
    same_as_without(folder, "", run)
    assert not lines(run) and os.listdir(folder) == ["leave"]


def events(folder):
    """What is not to sample leaves the kernel alone."""
    def expect(ranks, setting):
        said = own(launch(folder, "events", setting))
        assert said.count("perf events open") == ranks, (setting, ranks, said)
    expect(0, {"SCALANA_ENABLE": "0"})
    expect(0, {"SCALANA_FREQUENCY": "0"})
    launch(folder, "")
    sampling = re.search("^meta sampling=(.*)$", show(folder / f"scalana-leave-{RANKS}p.2"), re.M)
    expect(RANKS if sampling.group(1).startswith("perf") else 0, {"SCALANA_FREQUENCY": "100"})


def quiet(folder):
    run = launch(folder, "", {"SCALANA_LOG": "quiet"})
    assert not lines(run), run.stderr
    expect_complete(folder)


def cost(folder):
    """A run of an instant: nearly all that the library takes is paid once, and said above it."""
    line = re.compile(r"own cost ([0-9.]+) % of CPU time(?:, ([0-9.]+) % once for MPI_Init and "
                      r"MPI_Finalize, ([0-9.]+) % for MPI calls: [0-9.]+ us each, "
                      r"one every [0-9.]+ [num]?s)?(?: \(ranks share cores: [^()]*\))?$")
    whole, once, calls = line.search(
        lines(launch(folder, "", {"SCALANA_BUDGET": "0.1"}))[0]).groups()
    assert 0.1 < float(once) <= float(whole), (whole, once)
    assert 0 <= float(calls) <= float(whole), (whole, calls)
    asked = lines(launch(folder, "", {"SCALANA_BUDGET": "0.1", "SCALANA_RECORD": "full"}))[0]
    assert "for MPI calls with every iteration recorded (SCALANA_RECORD): " in asked, asked
    whole, once, _ = line.search(lines(launch(folder, "", {"SCALANA_BUDGET": "100"}))[0]).groups()
    assert once is None and float(whole) < 100, (whole, once)


def wrong_values(folder):
    wrong = {"SCALANA_FREQUENCY": "often", "SCALANA_BUDGET": "-3", "SCALANA_LOG": "loud",
             "SCALANA_ENABLE": "perhaps", "SCALANA_EVENTS": "no;list",
             "SCALANA_RECORD": "everything"}
    run = launch(folder, "", wrong)
    same_as_without(folder, "", run)
    for name, value in wrong.items():
        assert run.stderr.count(f"{name}='{value}'") == 1, run.stderr
    assert len(lines(run)) == len(wrong) + 1, run.stderr
    expect_complete(folder)


def file_limit(folder):
    """Too small for a live state, enough for MPI and the profile: no signal, and a profile."""
    run = launch(folder, "", shell="ulimit -f 19000")
    assert run.returncode == 0, run.stderr
    expect_complete(folder)
    assert any("only in memory" in line for line in lines(run)), run.stderr
    run = launch(folder, "limit")
    assert run.returncode == 0, run.stderr
    one_line(run, "profile kept in parts", "File too large")


def crowded(folder):
    """More threads than cores, by what the program was told. Then the own cost is not the whole."""
    one_line(launch(folder, "", {"OMP_NUM_THREADS": "2000,2"}), "own cost", "(ranks share cores: ")
    assert "meta oversubscribed=1\n" in expect_complete(folder)


def core_use(folder):
    """Which cores a rank computed on, where ranks share them: here all on the last one."""
    core = max(os.sched_getaffinity(0))
    run = launch(folder, "", shell=f"taskset -p -c {core} $$ >/dev/null")
    assert run.returncode == 0, run.stderr
    text = show(folder / f"scalana-leave-{RANKS}p")
    for rank in range(RANKS):
        assert f"rank {rank}: cores {core}:1000\n" in text, text


WITHOUT = "if [ ${OMPI_COMM_WORLD_RANK:-$PMI_RANK} = %d ]; then unset LD_PRELOAD; fi"


def partial(folder):
    """A rank without the library: the program runs as ever, and no rank waits for it. That is seen by
    what is said: which rank it is; who waits in vain cannot tell."""
    for rank in (0, RANKS - 1):
        run = launch(folder, "", shell=WITHOUT % rank)
        same_as_without(folder, "", run)
        one_line(run, "no profile", f"rank {rank} on this host has not loaded")
    assert os.listdir(folder) == ["leave"], os.listdir(folder)


def partial_unseen(folder):
    """The same where the launcher does not say who is on this host."""
    blind = "unset OMPI_COMM_WORLD_LOCAL_RANK MPI_LOCALRANKID; "
    run = launch(folder, "", shell=blind + WITHOUT % (RANKS - 1))
    same_as_without(folder, "", run)
    assert {line.partition(":")[2] for line in lines(run)} == {
        " no profile: not every rank has loaded libscalana-prof.so"}, run.stderr
    assert os.listdir(folder) == ["leave"], os.listdir(folder)
    launch(folder, "", shell=blind + "true")
    expect_complete(folder)


def stderr_taken(folder):
    """The application's own file in the place of standard error stays its own."""
    run = launch(folder, "stderr")
    assert run.returncode == 0 and not lines(run), run.stderr
    assert (folder / "app.log").read_text() == ""
    expect_complete(folder)


def peer(folder):
    """Another tool of the profiling interface: both see every call, whoever comes first."""
    other = folder / "libpeer.so"
    subprocess.run([f"mpicc.{MPI}", "-O1", "-shared", "-fPIC", SOURCE.parent / "peer.c", "-o",
                    other], check=True)
    alone = launch(folder, "", {"LD_PRELOAD": str(other)}, preload=False)
    assert f"peer: {RANKS * CALLS} sendrecvs, {RANKS * CALLS} allreduces\n" in alone.stdout
    for name, preload in (("first", f"{RUNTIME}:{other}"), ("second", f"{other}:{RUNTIME}")):
        run = launch(folder, "", {"LD_PRELOAD": preload, "SCALANA_OUTPUT": name}, preload=False)
        assert own(run) == own(alone) and run.returncode == alone.returncode, run.stdout
        one_line(run, "profile in")
        expect_complete(folder, name)


def sessions(folder):
    """A program that never calls MPI_Init: recorded from its first communicator of all processes
    to its last session's end. Ranks are that communicator's."""
    subprocess.run([f"mpicc.{MPI}", "-g", "-O1", SOURCE.parent / "sessions.c", "-o",
                    folder / "sessions"], check=True)
    run, plain = (launch(folder, "", preload=preload, program="./sessions")
                  for preload in (True, False))
    assert own(run) == own(plain) and run.returncode == plain.returncode == 0, run.stdout
    one_line(run, "profile in")
    text = expect_complete(folder, f"scalana-sessions-{RANKS}p")
    assert "rank 0: site MPI_Session_finalize count 1 " in text, text


def launcher(folder):
    run = launch(folder, "", preload=False, prefix=[LAUNCHER, "-o", "there", "--frequency=100"])
    one_line(run, f"{folder}/there ")
    assert "meta frequency=100\n" in expect_complete(folder, "there")


def launcher_misuse(folder):
    def usage(*words):
        return subprocess.run([LAUNCHER, *words], cwd=folder, text=True, capture_output=True)
    missing = usage("./nothing")
    assert missing.returncode == 127 and missing.stderr.count("\n") == 1, missing
    assert "./nothing" in missing.stderr
    assert usage("./leave.c").returncode == 127
    (folder / "plain").write_text("")
    assert usage("./plain").returncode == 126
    for words in ((), ("--nonsense", "./leave"), ("-f", "often", "./leave"), ("-o",)):
        wrong = usage(*words)
        assert wrong.returncode == 2 and wrong.stderr.startswith("scalana-prof: "), wrong
    (folder / "alone.c").write_text("int main(void) { return 5; }")
    subprocess.run(["cc", "-static", "alone.c", "-o", "alone"], cwd=folder, check=True)
    for how in ({}, {"PATH": f"/nowhere:{folder}"}):
        name = "alone" if how else "./alone"
        alone = subprocess.run([LAUNCHER, name], cwd=folder, text=True, capture_output=True,
                               env={**os.environ, **how})
        assert alone.returncode == 1 and alone.stderr.count("\n") == 1, alone
        assert re.match(r"scalana-prof: \S*/alone is statically linked, ", alone.stderr), alone
    others = subprocess.run([LAUNCHER, "env"], text=True, capture_output=True,
                            env={**os.environ, "LD_PRELOAD": "/lib/x86_64-linux-gnu/libm.so.6"})
    assert re.search(r"^LD_PRELOAD=\S*libscalana-prof\.so:\S*libm\.so\.6$", others.stdout, re.M)


def linked_in(folder):
    """A program with MPI in its own file, which a preloaded library does not see: one line says so
    on each host. One without, and one that never calls the MPI it is linked with, say nothing."""
    for name, own_mpi in (("inside", True), ("without", False)):
        source = "int PMPI_Init(void) { return 0; }\nint main(void) { return PMPI_Init(); }"
        (folder / f"{name}.c").write_text(source if own_mpi else "int main(void) { return 0; }")
        subprocess.run([f"mpicc.{MPI}", f"{name}.c", "-o", name], cwd=folder, check=True)
        # MPICH's launcher may end by a signal itself when its ranks end at once.
        run = launch_keeping(folder, "", program=f"./{name}")
        assert not run.stdout, run
        assert [(folder / f"status.{rank}").read_text() for rank in range(RANKS)] == RANKS * ["0\n"], run
        said = lines(run)
        assert len(said) == own_mpi, said
        assert not own_mpi or "MPI is statically linked into the program" in said[0], said
    assert not lines(launch(folder, "", program="./inside", env={"SCALANA_ENABLE": "0"}))
    assert not lines(launch(folder, "", program="./inside", env={"SCALANA_LOG": "quiet"}))


CASES = {function.__name__.rstrip("_"): function for function in (
    finalize, second, status, abort, exit_, forget, kill, term, segv, late, dead, fork, unwritable,
    output, disabled, events, quiet, cost, wrong_values, file_limit, crowded, core_use, partial,
    partial_unseen, stderr_taken, peer, sessions, launcher,
    launcher_misuse, linked_in)}


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="scalana-leave-")).resolve()
    take(folder, "leave")
    CASES[CASE](folder)
    shutil.rmtree(folder)


main()
