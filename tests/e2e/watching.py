#!/usr/bin/env python3
"""A job is looked at while it runs, hangs, ends and after it was killed: scalana-live.

watching.py CASE [MPI]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
sys.path.insert(0, str(HERE))
import scalana  # noqa: E402
import viewer_tmux  # noqa: E402

LIVE = scalana.PREFIX / "bin" / "scalana-live"
SOURCE = HERE / "programs" / "hangs.c"
PATIENCE = 400.0  # seconds until what is waited for must have come: only who hangs needs as many
ENOUGH = 150  # iterations of the uneven program to look at
RANKS = 4


def line_of(mark):
    """The line of the program with this comment: `line: MARK`."""
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if f"/* line: {mark} */" in line:
            return number
    raise AssertionError(f"no line {mark}")


class Job:
    """A program under the runtime, in the background; what is left of it is ended."""

    def __init__(self, work, kind, mpi, seconds=600, env=None, flags=("-O2", "-g"), plain=True):
        self.run = work / f"run-{kind}"
        program = scalana.compile_program(SOURCE, work / "hangs", mpi=mpi, flags=flags, plain=plain)
        variables = {**scalana.preloaded(mpi, scalana.RUNTIME), "SCALANA_OUTPUT": str(self.run),
                     **(env or {})}
        if mpi == "openmpi":
            launch = [*scalana.OPENMPI,
                      *(word for name in variables for word in ("-x", f"{name}={variables[name]}"))]
        else:
            launch = ["mpiexec.mpich",
                      *(word for name in variables for word in ("-genv", name, variables[name]))]
        self.errors = open(work / "errors", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [*launch, "-n", str(RANKS), str(program), kind, str(seconds)],
            cwd=work, stdout=self.errors, stderr=self.errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.errors.close()

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def said(self):
        self.errors.seek(0)
        return self.errors.read()


def live(*arguments, cwd=None, timeout=PATIENCE):
    return scalana.execute([LIVE, *arguments], cwd=cwd, check=False, timeout=timeout)


def look(run):
    """What is seen now; None while there is nothing to see."""
    done = live("--once", "--json", run)
    return json.loads(done.stdout) if done.returncode == 0 else None


def wait_for(run, is_so):
    until = time.monotonic() + PATIENCE
    while True:
        seen = look(run)
        if seen and is_so(seen):
            return seen
        if time.monotonic() > until:
            raise AssertionError(f"not seen in {PATIENCE} s: {json.dumps(seen, indent=1)}")
        time.sleep(0.3)


def alarmed(run, *words):
    """The first look whose first alarm says all of this: it says more of each rank and thread once that has waited."""
    return wait_for(run, lambda s: s["alarms"] and all(word in s["alarms"][0] for word in words))


def others_wait(seen):
    """All that will wait for one rank do so."""
    return seen["awaited_ranks"] and seen["awaited_ranks"][0]["waiting"] == RANKS - 1


def others_wait_for(seen, *words):
    return others_wait(seen) and all(word in seen["waits"][0] for word in words)


def has_words(text, *words):
    for word in words:
        assert str(word) in text, f"{word!r} not in {text!r}"


def in_call(seen, rank):
    at = seen["rank"][rank]["in"]
    return at["name"], at["line"]


def deadlock(work, mpi):
    with Job(work, "deadlock", mpi) as job:
        seen = wait_for(job.run, lambda s: s["deadlock_ranks"] and all(rank["stuck"] for rank in s["rank"]))
        assert seen["deadlock_ranks"] == [0, 1] and len(seen["alarms"]) == 1, seen
        has_words(seen["alarms"][0], "deadlock", f"hangs.c:{line_of('zero')} waits for rank 1",
                  f"hangs.c:{line_of('one')} waits for rank 0")
        assert in_call(seen, 0) == ("MPI_Recv", line_of("zero"))
        assert seen["state"] == "running" and "so far" in seen["state_in_words"]
        assert job.process.poll() is None


def pairs(work, mpi):
    """Two circles: neither waits for the other."""
    with Job(work, "pairs", mpi) as job:
        seen = wait_for(job.run, lambda s: all(rank["stuck"] for rank in s["rank"]))
        assert seen["deadlock_ranks"] == [0, 1], seen
        has_words(seen["alarms"][0], f"rank 1 in MPI_Recv at hangs.c:{line_of('pair')} waits for rank 0; "
                  "2 more are stuck without them")


def ring(work, mpi):
    with Job(work, "ring", mpi) as job:
        seen = wait_for(job.run, lambda s: s["deadlock_ranks"])
        assert seen["deadlock_ranks"] == [0, 1, 2, 3], seen
        has_words(seen["alarms"][0], f"MPI_Send at hangs.c:{line_of('send')}")


def absent(work, mpi):
    with Job(work, "absent", mpi) as job:
        seen = wait_for(job.run, others_wait)
        assert seen["alarms"] == [] and seen["deadlock_ranks"] == [], seen
        assert seen["awaited_ranks"][0] == {"rank": 1, "waiting": 3, "hops": 2}, seen
        has_words(seen["waits"][0], "all 3 other ranks wait, through 2 hops, for rank 1, computing at",
                  f"called at hangs.c:{line_of('absent')}")
        assert seen["rank"][1]["state"] == "late"


def counts(work, mpi):
    """Who has made a call less often than ranks like it is named; rounds that a branch may pass over are a bound."""
    with Job(work, "counts", mpi, plain=False) as job:
        seen = wait_for(job.run, lambda s: s["deadlock_ranks"] and all(rank["stuck"] for rank in s["rank"]))
        assert seen["deadlock_ranks"] == [1, 2], seen
        has_words(seen["alarms"][0], f"rank 1 in MPI_Allreduce at hangs.c:{line_of('sum')} waits for rank 2",
                  f"rank 1 has called MPI_Send at hangs.c:{line_of('row')} 99 times, 2 ranks like it 100 times")
        assert seen["iterations_at_least"] and seen["iterations"] == 4, seen["iterations"]


def mismatch(work, mpi):
    with Job(work, "mismatch", mpi) as job:
        seen = alarmed(job.run, "mismatched collectives on MPI_COMM_WORLD",
                       f"MPI_Bcast at hangs.c:{line_of('bcast')}",
                       f"MPI_Reduce at hangs.c:{line_of('reduce')}")


def requests(work, mpi):
    with Job(work, "requests", mpi) as job:
        seen = wait_for(job.run, others_wait)
        assert seen["awaited_ranks"][0]["rank"] == 2 and not seen["alarms"], seen
        assert seen["rank"][0]["waits_for"] == [2], seen["rank"][0]
        assert in_call(seen, 0) == ("MPI_Waitall", line_of("waitall"))


def polls(work, mpi):
    """Who only looks waits, and says for whom; who computes between its looks does not."""
    with Job(work, "polls", mpi) as job:
        seen = wait_for(job.run, lambda s: others_wait(s) and s["rank"][2]["state"] == "late")
        assert seen["awaited_ranks"][0] == {"rank": 2, "waiting": 3, "hops": 3}, seen
        assert seen["alarms"] == [] and seen["deadlock_ranks"] == [], seen
        for rank, name, mark, awaited in ((0, "MPI_Test", "test", [1]), (1, "MPI_Iprobe", "probe", [2]),
                                          (3, "MPI_Testall", "testall", [0, 1, 2])):
            row = seen["rank"][rank]
            assert in_call(seen, rank) == (name, line_of(mark)) and row["polls"] and not row["stuck"], row
            assert row["state"] == "waiting" and row["waits_for"] == awaited, row
        has_words(seen["waits"][0], "all 3 other ranks wait, through 3 hops, for rank 2")


def subgroup(work, mpi):
    with Job(work, "subgroup", mpi) as job:
        seen = wait_for(job.run, others_wait)
        assert seen["awaited_ranks"][0]["rank"] == 1 and not seen["alarms"], seen
        has_words(seen["rank"][0]["waits_for_what"], "rank 1 of communicator 1 of MPI_Comm_split (2 ranks)")


def wildcard(work, mpi):
    with Job(work, "wildcard", mpi) as job:
        seen = alarmed(job.run, "deadlock", f"MPI_Recv at hangs.c:{line_of('any')}")
        has_words(seen["rank"][0]["waits_for_what"], "any rank")


def finalize(work, mpi):
    with Job(work, "finalize", mpi) as job:
        seen = alarmed(job.run, f"MPI_Recv at hangs.c:{line_of('last')}", "MPI_Finalize")


def tag(work, mpi):
    """A message is there, but with another tag: whom the receive waits for is in a barrier."""
    with Job(work, "tag", mpi) as job:
        seen = alarmed(job.run, f"MPI_Recv at hangs.c:{line_of('seven')} waits for rank 1, for tag 7",
                       f"one with tag 8, sent at hangs.c:{line_of('eight')}, is there")
        assert seen["deadlock_ranks"] == [1, 3], seen


def tags(work, mpi):
    """The same of one of four requests: not the tag of the other message that is there."""
    with Job(work, "tags", mpi) as job:
        seen = alarmed(job.run, f"MPI_Waitall at hangs.c:{line_of('tags')} waits for rank 1, for tag 10",
                       f"one with tag 11, sent at hangs.c:{line_of('eleven')}, is there")
        assert 2 in seen["deadlock_ranks"], seen


def neighbour(work, mpi):
    """Messages that are being sent, and were received before, are no others."""
    with Job(work, "neighbour", mpi) as job:
        seen = alarmed(job.run, f"rank 2 in MPI_Sendrecv at hangs.c:{line_of('neighbour')} waits for rank 3")
        assert seen["deadlock_ranks"] == [2, 3], seen


def eager(work, mpi):
    """A small message of MPI_Sendrecv is not waited for: nobody hangs."""
    with Job(work, "eager", mpi) as job:
        seen = wait_for(job.run, others_wait)
        assert seen["awaited_ranks"][0]["rank"] == 2 and not seen["alarms"], seen
        assert seen["rank"][0]["waits_for"] == [2], seen["rank"][0]


def leaves(work, mpi):
    """A rank that ends is named, however soon the launcher ends the others."""
    with Job(work, "leaves", mpi) as job:
        job.process.wait(timeout=PATIENCE)
        seen = wait_for(job.run, lambda s: s["alarms"])
        assert seen["rank"][2]["state"] == "ended" and seen["state"] == "broken-off", seen
        has_words(" ".join(seen["alarms"]), f"rank 2, which called exit at hangs.c:{line_of('leaves')}")


def order(work, mpi):
    """Until all have come, a rank waits for another one, too."""
    with Job(work, "order", mpi) as job:
        seen = wait_for(job.run, lambda s: s["alarms"] and all(rank["stuck"] for rank in s["rank"]))
        line = f"in MPI_Allreduce at hangs.c:{line_of('order')} waits for rank"
        has_words(seen["alarms"][0], f"rank 0 {line} 2 on communicator 1 of MPI_Comm_dup (4 ranks)",
                  f"rank 2 {line} 0 on communicator 2 of MPI_Comm_dup (4 ranks)")


def stops(work, mpi):
    with Job(work, "stops", mpi) as job:
        wait_for(job.run, lambda s: others_wait_for(s, "rank 1, ", "stopped, outside MPI since MPI_"))


def sleeps(work, mpi):
    with Job(work, "sleeps", mpi) as job:
        wait_for(job.run, lambda s: others_wait_for(s, "rank 1, asleep, outside MPI since MPI_"))


def roots(work, mpi):
    with Job(work, "roots", mpi) as job:
        seen = alarmed(job.run, "different roots on MPI_COMM_WORLD", "with root 0",
                       f"rank 3 is in MPI_Gather at hangs.c:{line_of('roots')} with root 1")


def root_left(work, mpi):
    """Those that named another root are in their next call."""
    with Job(work, "root_left", mpi) as job:
        at = f"hangs.c:{line_of('root_left')}"
        seen = alarmed(job.run, "different roots on MPI_COMM_WORLD", f"rank 2 is in MPI_Bcast at {at} with root 1",
                       f"but rank 0 has called MPI_Bcast at {at} with root 0")


def locks(work, mpi):
    """Both threads are named, with the line where each waits and the one where the other took the lock."""
    with Job(work, "locks", mpi) as job:
        seen = wait_for(job.run, lambda s: len(s["alarms"]) > 1)  # the other ranks may come later
        has_words(seen["alarms"][0], "deadlock of threads in rank 1",
                  f"pthread_mutex_lock at hangs.c:{line_of('second wanted')} waits",
                  f"took the lock at hangs.c:{line_of('second taken')}",
                  f"pthread_mutex_lock at hangs.c:{line_of('first wanted')} waits",
                  f"took the lock at hangs.c:{line_of('first taken')}")
        has_words(seen["alarms"][1], "waits for rank 1, whose threads wait for each other")
        snapshot = work / "dead"
        assert live("--snapshot", snapshot, job.run).returncode == 0
        job.end()
        dead = wait_for(job.run, lambda s: s["state"] == "broken-off")
        has_words(dead["alarms"][0], "deadlock of threads in rank 1")


def other_locks(work, mpi):
    """Whatever the locks are."""
    with Job(work, "other_locks", mpi) as job:
        seen = alarmed(job.run, "deadlock of threads in rank 1",
                       f"mtx_lock at hangs.c:{line_of('c11 wanted')} waits",
                       f"took the lock at hangs.c:{line_of('c11 taken')}",
                       f"pthread_rwlock_rdlock at hangs.c:{line_of('to read')} waits",
                       f"took the lock at hangs.c:{line_of('written')}")


def lock_and_receive(work, mpi):
    """Ranks wait for each other, since the threads that would send wait for a lock."""
    with Job(work, "lock_and_receive", mpi) as job:
        seen = alarmed(job.run, f"rank 0 in MPI_Recv at hangs.c:{line_of('locked')} waits for rank 1, while thread",
                       f"pthread_mutex_lock at hangs.c:{line_of('to send')}",
                       f"took the lock at hangs.c:{line_of('to receive')}")
        assert seen["deadlock_ranks"] == [0, 1], seen


def mutexes(work, mpi):
    """Who waits for long is woken up to tell of it, and gets what it would have got."""
    with Job(work, "mutexes", mpi) as job:
        assert job.process.wait(timeout=PATIENCE) == 0, job.said()
        said = job.said()
        plain = subprocess.run([work / "hangs", "mutexes"], capture_output=True, text=True, timeout=PATIENCE, check=True)
        lines = plain.stdout.splitlines()
        assert len(lines) == 8 and all(said.count(line) == RANKS for line in lines), (said, lines)


def fence(work, mpi):
    with Job(work, "fence", mpi) as job:
        seen = wait_for(job.run, others_wait)
        assert seen["awaited_ranks"][0]["rank"] == 1 and not seen["alarms"], seen
        assert in_call(seen, 0) == ("MPI_Win_fence", line_of("fence"))
        assert seen["rank"][0]["waits_for"] == [1], seen["rank"][0]


def epoch(work, mpi):
    """One of two origins has completed its epoch: the other is waited for."""
    with Job(work, "epoch", mpi) as job:
        seen = alarmed(job.run, f"MPI_Win_wait at hangs.c:{line_of('epoch')} waits for rank 2")
        assert seen["deadlock_ranks"] == [0, 2], seen
        has_words(seen["rank"][0]["waits_for_what"], "MPI_Win_complete of rank 2")


def compute(work, mpi):
    """Whoever computes for long hangs for nobody."""
    with Job(work, "compute", mpi) as job:
        seen = wait_for(job.run, lambda s: all(r.get("since_s", 0) > 3 for r in s["rank"]))
        assert not seen["alarms"] and not seen["waits"], seen
        assert all(r["state"] == "computing" for r in seen["rank"]), seen
        assert "deadlock" not in live("--once", job.run).stdout


def watched_to_the_end(work, job, *words):
    """What a watcher says; the job ends once it has said the words of a running job."""
    with subprocess.Popen([LIVE, "--watch", "--interval=0.5", job.run], stdout=subprocess.PIPE, text=True) as watcher:
        said = ""
        while not all(word in said for word in words):
            line = watcher.stdout.readline()
            assert line, said
            said += line
        (work / "enough").touch()
        said += watcher.communicate(timeout=PATIENCE)[0]
    assert watcher.returncode == 0, said
    return said


def uneven(work, mpi):
    """The line is named while the program runs; the watcher sees its end, and the run is as ever."""
    with Job(work, "uneven", mpi, plain=False) as job:
        seen = wait_for(job.run, lambda s: s["causes"] and s.get("iterations", 0) > ENOUGH)
        cause = seen["causes"][0]
        assert cause["ranks"] == [1] and cause["category"] == "imbalance", cause
        first, last = line_of("crunch"), line_of("uneven")
        assert cause["line"] in (first, first + 1, last), cause
        assert seen["state"] == "running", seen
        assert seen["main_loop"]["function"] == "uneven" and 0 < seen["efficiency"]["parallel"] < 1, seen
        report, done = scalana.detect([job.run], work)
        assert any("is running" in note and "so far" in note for note in report["notes"]), report["notes"]
        has_words(watched_to_the_end(work, job, "running since", "rank 1"), "over: it took")
        assert job.process.wait(timeout=PATIENCE) == 0
    assert (job.run / "profile.sca").exists()
    over = look(job.run)
    assert over["state"] == "over"
    has_classes(live("--once", job.run).stdout, over["classes"])


def has_classes(page, classes):
    """A line for each, with its ranks last."""
    lines = page.splitlines()
    [head] = [i for i, line in enumerate(lines) if line.split()[:1] == ["CLASS"]]
    shown = [re.search(r" s  ([0-9, -]+)$", line).group(1) for line in lines[head + 1:head + 1 + len(classes)]]
    assert shown == [ranges(row["ranks"]) for row in classes], (page, classes)


def ranges(ranks):
    """Of at most four ranks: 0, 2-3 is no range."""
    whole = len(ranks) > 2 and ranks[-1] - ranks[0] == len(ranks) - 1
    return f"{ranks[0]}-{ranks[-1]}" if whole else ", ".join(map(str, ranks))


def fail_above(work, mpi):
    with Job(work, "uneven", mpi, plain=False) as job:
        wait_for(job.run, lambda s: s["causes"])
        done = live("--watch", "--fail-above=5", "--interval=0.3", job.run)
        assert done.returncode == 3, done
        told = [line for line in done.stdout.splitlines() if "rank 1" in line]
        assert len(told) == 2, done.stdout  # once, though its figures change; and at the end
        assert re.search(r"ended with status 3: .* rank 1.*saves at least [0-9.]+ %, more than 5 %$",
                         done.stdout.splitlines()[-1]), done.stdout
        assert job.process.poll() is None


def formats(work, mpi):
    with Job(work, "absent", mpi) as job:
        wait_for(job.run, others_wait)
        text = live("--once", "--openmetrics", job.run).stdout
        lines = text.splitlines()
        assert lines[-1] == "# EOF"
        sample = re.compile(r'scalana_\w+\{program="hangs"(,\w+="[^"]*")*\} -?[0-9.e+-]+$')
        for line in lines[:-1]:
            assert line.startswith(("# TYPE ", "# HELP ", "# UNIT ")) or sample.match(line), line
        assert 'scalana_ranks{program="hangs",state="late"} 1' in lines, text
        assert 'scalana_running{program="hangs"} 1' in lines, text
        plain = live(job.run).stdout
        has_words(plain, "hangs on 4 ranks, running since", "RANK", "late", "MPI_Allreduce")
        by_name = live("--once", "--json", "hangs", cwd=work)
        assert by_name.returncode == 1 and "hangs" in by_name.stderr


def since(work, mpi):
    """A snapshot, and what came after it."""
    with Job(work, "uneven", mpi, plain=False) as job:
        seen = wait_for(job.run, lambda s: s.get("iterations", 0) > 50)
        snapshot = work / "early"
        assert live("--snapshot", snapshot, job.run).returncode == 0
        early = look(snapshot)
        assert early["state"] == "snapshot", early["state"]
        kept, _ = scalana.detect([snapshot], work)
        assert kept["series"]["loops"][0]["points"]["last_iteration"][-1] > 40, kept["series"]
        # By iterations, not by seconds: a busy machine gives as much to look at, later.
        wait_for(job.run, lambda s: s.get("iterations", 0) > seen["iterations"] + ENOUGH)
        later, _ = scalana.detect([job.run], work, f"--since={snapshot}")
        whole, _ = scalana.detect([job.run], work)
        part = later["runs"][0]["wall_s"]
        assert 0 < part < whole["runs"][0]["wall_s"] - 0.5 * early["running_s"], (part, early)
        # Who computes is what the program does; whether that is confirmed as a cause is the machine's, too.
        computed = next(vertex for vertex in later["vertices"] if vertex["parent"] is None)["rank_s"]
        # Three times as much as the others, one of which may have a slow core.
        assert computed[1] * scalana.SHARED_CORE > 3 * max(computed[:1] + computed[2:]), computed
        assert all(cause["ranks"] == [1] for cause in later["root_causes"][:1]), later["root_causes"]
        assert any(str(snapshot) in note for note in later["notes"]), later["notes"]
        again = scalana.detect([snapshot], work, f"--since={job.run}", check=False)[1]
        assert again.returncode == 1 and "snapshot" in again.stderr, again
        assert live("--snapshot", snapshot, job.run).returncode == 1  # nothing is overwritten


def snapshots(run):
    """{second: ranks that are in it}"""
    return {int(folder.name[:-1]): len(list(folder.iterdir())) for folder in (run / "snapshots").glob("*s")}


def periodic(work, mpi):
    """On a busy machine a rank that makes no call for a second leaves a snapshot out, as one that has ended
    does. So the job goes on until all ranks are in two of them."""
    with Job(work, "uneven", mpi, env={"SCALANA_SNAPSHOT": "1s"}, plain=False) as job:
        wait_for(job.run, lambda _: list(snapshots(job.run).values()).count(RANKS) > 1)
        (work / "enough").touch()
        assert job.process.wait(timeout=PATIENCE) == 0, job.said()
        assert (job.run / "profile.sca").exists()
        whole, _ = scalana.detect([job.run], work)
        taken, lasted = snapshots(job.run), whole["runs"][0]["wall_s"]
        assert all(0 < second <= lasted + 1 and ranks for second, ranks in taken.items()), (taken, lasted)
        first = min(second for second, ranks in taken.items() if ranks == RANKS)
        rest, _ = scalana.detect([job.run], work, f"--since={job.run / 'snapshots' / f'{first}s'}")
        assert 0 < rest["runs"][0]["wall_s"] < lasted, (rest["runs"], lasted)


def refusals(work, mpi):
    def refused(*arguments, status=1, words=()):
        done = live(*arguments, cwd=work)
        assert done.returncode == status and not done.stdout, done
        assert done.stderr.count("\n") == 1, done.stderr
        has_words(done.stderr, *words)

    (work / "empty").mkdir()
    refused("--once", "empty", words=["empty", "no run directory"])
    refused("--once", "nowhere", words=["nowhere", "no such run"])
    refused("--once", SOURCE, words=["hangs.c", "not a run directory"])
    refused("--json", "--openmetrics", "empty", status=2, words=["--json and --openmetrics"])
    refused("--fail-above=3", "empty", status=2, words=["--watch"])
    with Job(work, "compute", mpi) as job:
        wait_for(job.run, lambda s: True)
        newer = work / "newer"
        assert live("--snapshot", newer, job.run).returncode == 0
        for part in newer.iterdir():
            bytes_ = bytearray(part.read_bytes())
            bytes_[8] = 99
            part.write_bytes(bytes_)
        refused("--once", newer, words=["version 99"])
        full = pathlib.Path("/dev/full")
        if full.exists():
            with open(full, "w") as out:
                done = subprocess.run([LIVE, "--once", job.run], stdout=out, stderr=subprocess.PIPE,
                                      text=True, timeout=PATIENCE)
            assert done.returncode == 1 and done.stderr.count("\n") == 1, done
        unwritable = "/proc/snapshot"
        refused("--snapshot", unwritable, job.run, words=[unwritable])
        if os.geteuid() == 0:
            for folder in [work, *work.parents][:-2]:
                folder.chmod(folder.stat().st_mode | 0o011)
            (job.run).chmod(0o700)
            done = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", LIVE, "--once", job.run],
                                  capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode == 1 and "Permission denied" in done.stderr, done
            assert done.stderr.count("\n") == 1, done.stderr


def screen(work, mpi):
    if not shutil.which("tmux"):
        print("tmux is not installed (apt-get install tmux): skipped")
        sys.exit(77)
    with Job(work, "absent", mpi) as job:
        wait_for(job.run, others_wait)
        with viewer_tmux.Terminal(f"{LIVE} --interval=0.3 {job.run}", columns=120, rows=30) as t:
            t.wait(r"hangs on 4 ranks, running since .* so far", r"^ +1  late", r"q quit",
                   r"all 3 other ranks wait, through 2 hops, for rank 1")
            t.keys("z")
            t.wait(r"\[frozen\]")
            t.keys("z", "c")
            t.wait(r"CLASS +RANKS +COMPUTED +LEAST TO MOST +IN MPI +WHICH")
            t.keys("c", "f", "2", "Enter")
            t.wait(r"call path:", r"MPI_Allreduce")
            t.keys("f", "f", "9", "Enter")
            t.wait(r"there is no rank 9: 0 to 3")
            t.keys("d")
            t.wait(r"there is no snapshot to compare with")
            t.keys("s")
            t.wait(r"snapshot and report.json in")
            assert (work / "run-absent.snapshot-1" / "report.json").exists()
            t.keys("d")
            t.wait(r"HEAVIEST SINCE THE SNAPSHOT")
            t.keys("?")
            t.wait(r"follow one rank: type its number")
            t.resize(60, 16)
            t.wait(r"hangs on 4 ranks")
            job.end()
            t.wait(r"broke off after")
            t.keys("q")
            t.wait(r"EXIT=0")
            assert t.errors() == "", t.errors()


CASES = {function.__name__: function for function in
         (deadlock, ring, absent, counts, mismatch, requests, polls, subgroup, wildcard, finalize, tag, tags, neighbour,
          eager, leaves, order, stops, sleeps, roots, root_left, locks, other_locks, lock_and_receive, mutexes, fence,
          epoch, compute, pairs,
          uneven, fail_above, formats, since, periodic, refusals, screen)}


def main():
    case, mpi = CASES[sys.argv[1]], sys.argv[2] if sys.argv[2:] else "openmpi"
    with tempfile.TemporaryDirectory(prefix="sca-watching-") as folder:
        case(pathlib.Path(folder).resolve(), mpi)


if __name__ == "__main__":
    main()
