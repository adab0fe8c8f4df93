#!/usr/bin/env python3
"""A job on several hosts is looked at while it hangs: collectors in a tree, one of which dies.

watching_hosts.py      (status 77: no namespaces here)
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import namespaces  # noqa: E402
import scalana  # noqa: E402

LIVE = scalana.PREFIX / "bin" / "scalana-live"
HOSTS = 3
PATIENCE = 400.0


class Bench:
    def __init__(self, work, hosts):
        self.work, self.hosts, self.agent = work, hosts, hosts.agent()
        self.run = hosts.local / "run"
        self.cache = work / "cache"
        self.temporary = work / "tmp"
        self.temporary.mkdir()
        program = scalana.compile_program(HERE / "programs" / "hangs.c", work / "hangs", flags=("-O1", "-g"), plain=True)
        addresses = [hosts.address(i) for i in range(HOSTS)]
        self.job = subprocess.Popen(
            hosts.on(0, *scalana.OPENMPI, "--mca", "plm_rsh_agent", self.agent, "--host", ",".join(addresses),
                     "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "10.177.0.0/24",
                     "--mca", "oob_tcp_if_include", "10.177.0.0/24", "-x", f"LD_PRELOAD={scalana.RUNTIME}",
                     "-x", f"SCALANA_OUTPUT={self.run}", program, "phases", "300"),
            cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.command = self.from_hosts(addresses)
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.cache), "TMPDIR": str(self.temporary)}

    def from_hosts(self, addresses):
        launcher = ["--launcher", f"{self.agent} {{host}}", "--hosts", ",".join(addresses), "--fanout", "1"]
        return [LIVE, *launcher, self.run]

    def live(self, *options, command=None):
        return subprocess.run(self.hosts.on(0, *(command or self.command), *options), env=self.environment, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)

    def wait_for(self, is_so, what):
        until = time.monotonic() + PATIENCE
        while not (found := is_so()):
            assert time.monotonic() < until, what
            time.sleep(0.1)
        return found

    def parts(self):
        return sum(os.path.exists(f"/proc/{pid}/root{self.run}/rank-{i}.part")
                   for i, pid in enumerate(self.hosts.inside))

    def end(self):
        self.job.send_signal(signal.SIGTERM)
        self.job.wait(timeout=PATIENCE)


def collectors(bench):
    """host -> process number"""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().split(b"\0")
            space = os.readlink(path / "ns/uts")
        except OSError:
            continue
        if words[0] == str(LIVE).encode() and b"--collect" in words and str(bench.run).encode() in words:
            for number, pid in enumerate(bench.hosts.inside):
                if os.readlink(f"/proc/{pid}/ns/uts") == space:
                    found[number] = int(path.name)
    return found


def leaves_nothing(bench):
    assert not list(bench.cache.glob("scalana/live/*")), "a token is left"
    assert not list(bench.temporary.iterdir()), list(bench.temporary.iterdir())
    bench.wait_for(lambda: not collectors(bench), "collectors are left")


def sees_all(bench):
    """A chain of three: all ranks are seen, in few bytes. Returns what is seen."""
    def look():
        done = bench.live("--once", "--json")
        seen = json.loads(done.stdout) if done.returncode == 0 else None
        all_answer = seen and all(host["state"] == "answers" for host in seen["hosts"])
        return seen if all_answer and seen["deadlock_ranks"] else None
    seen = bench.wait_for(look, "no deadlock is seen")
    assert seen["deadlock_ranks"] == [0, 1] and seen["state"] == "running", seen
    assert "waits for rank 1" in seen["alarms"][0] and "waits for rank 0" in seen["alarms"][0], seen["alarms"]
    hosts = {host["host"]: host for host in seen["hosts"]}
    assert sorted(hosts) == ["node0", "node1", "node2"] and len(seen["hosts"]) == 3, seen["hosts"]
    assert sorted(host["above"] for host in seen["hosts"]) == [0, 1, 2], seen["hosts"]
    for number, name in enumerate(sorted(hosts)):
        host = hosts[name]
        assert host["ranks"] == [number] and host["state"] == "answers" and not host["note"], host
        assert host["first_bytes"] <= 1024 and 0 < host["later_bytes"] <= 100 * host["later_looks"], host
    assert not seen["refused"] and not seen["missing"], seen
    leaves_nothing(bench)
    return seen


def keeps_a_snapshot(bench, seen):
    """With all that a report has: the job stands still, so classes are those of the look."""
    folder = bench.work / "kept"
    done = bench.live("--snapshot", folder)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in folder.iterdir()) == [f"rank-{r}.part" for r in range(HOSTS)]
    report, _ = scalana.detect([folder], bench.work)
    assert report["runs"][0]["ranks"] == HOSTS, report["runs"]
    has_series(report["series"])
    assert graphs(seen["classes"]) == graphs(report["rank_classes"]), (seen["classes"], report["rank_classes"])
    assert sorted(rank for row in seen["classes"] for rank in row["ranks"]) == [*range(HOSTS)], seen["classes"]


def names_what_is_missing(bench):
    """A host that cannot be reached: the others are shown, and why its ranks are not."""
    addresses = [bench.hosts.address(0), "10.9.9.9", bench.hosts.address(2)]
    done = bench.live("--once", "--json", command=bench.from_hosts(addresses))
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["missing"] == ("no collector tells of 1 of 3 ranks; the launcher said last: no host 10.9.9.9"), seen
    assert [rank["state"] for rank in seen["rank"]].count("unknown") == 1, seen["rank"]
    leaves_nothing(bench)


def graphs(classes):
    """The ranks of each graph: what is so whatever times are."""
    found = {}
    for row in classes:
        found.setdefault(row["graph"], []).extend(row["ranks"])
    return sorted(sorted(ranks) for ranks in found.values())


def has_series(series):
    """It has come to a standstill: the copies have what the ranks have, of all hosts."""
    points = series["loops"][0]["points"]
    assert points["last_iteration"][-1] == 40, points
    assert series["nranks"] == HOSTS and not series["left_out"], series
    phases = {phase["name"]: phase for phase in series["phases"]}
    assert phases["level 3"]["count"] == 1 and phases["level 3"]["nranks"] == HOSTS, phases
    assert sorted(phases) == ["level 3", "level 4"], phases


def missed(output):
    """Lines of hosts whose collector has ended; on a busy machine others may answer late, which is said, too."""
    return [line for line in output.read_text().splitlines()
            if "has not answered" in line and "its collector has ended" in line]


def goes_on_without_one(bench):
    """The collector that others come through is killed: its own ranks alone are lost."""
    output = bench.work / "watched"
    with open(output, "w", encoding="utf-8") as file:
        watch = subprocess.Popen(bench.hosts.on(0, *bench.command, "--watch", "--interval", "0.3"),
                                 env=bench.environment, stdout=file, stderr=subprocess.STDOUT)
    bench.wait_for(lambda: "deadlock" in output.read_text(), "no alarm")
    bench.wait_for(lambda: sorted(collectors(bench)) == [0, 1, 2], "a collector is missing")
    os.kill(collectors(bench)[1], signal.SIGKILL)
    bench.wait_for(lambda: missed(output), "nobody is missed")
    bench.wait_for(lambda: sorted(collectors(bench)) == [0, 2], "the other ranks are lost, too")
    assert watch.poll() is None
    time.sleep(1)  # for what should not be said
    lines = missed(output)
    assert len(lines) == 1 and re.search(r"host node1 \(rank 1\) has not answered .* its collector has ended", lines[0]), lines
    watch.send_signal(signal.SIGINT)
    assert watch.wait(timeout=PATIENCE) == -signal.SIGINT
    leaves_nothing(bench)


def main():
    if not all(shutil.which(tool) for tool in ("ip", "nsenter", "unshare", "mpirun.openmpi")):
        print("no ip, nsenter, unshare or mpirun.openmpi")
        return 77
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        with namespaces.Hosts(work, HOSTS) as hosts:
            bench = Bench(work, hosts)
            try:
                bench.wait_for(lambda: bench.parts() == HOSTS, "the job has not begun")
                keeps_a_snapshot(bench, sees_all(bench))
                names_what_is_missing(bench)
                goes_on_without_one(bench)
            finally:
                bench.end()
    except namespaces.Unable as reason:
        print(f"no namespaces here: {reason}")
        return 77
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
