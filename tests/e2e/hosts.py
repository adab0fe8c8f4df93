#!/usr/bin/env python3
"""One run on two hosts: network namespaces joined by a cable, each with a name, a clock, a working
directory and shared memory of its own. What is true of them is set here, not measured by us.

usage: hosts.py CASE RUNTIME SHOW_PROFILE DETECT     (status 77: namespaces are not permitted here)
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

CASE = sys.argv[1]
RUNTIME, SHOW, DETECT = (os.path.abspath(path) for path in sys.argv[2:5])
SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "leave.c"
CLOCK_S = 5000  # the second host's clock is ahead by this much
AT_ONCE_NS = CLOCK_S * 10**8  # all left Init at about one time: nearer than the clocks are
NAMES = ("localhost", "localhost") if CASE == "same_name" else ("nodeA", "nodeB")
ADDRESSES = ("10.77.0.1", "10.77.0.2")
CALLS = 100

# Entered by the launcher in place of ssh: HOST COMMAND...
AGENT = """#!/bin/sh
shift
exec ip netns exec second unshare --uts --mount --time --monotonic={clock} --boottime={clock} \\
  --fork sh -c 'hostname {name} && mount --bind {second} {work} && mount -t tmpfs none /dev/shm &&
                cd {work} && exec sh -c "$*"' sh "$@"
"""


def permitted():
    tools = all(shutil.which(tool) for tool in ("ip", "unshare", "mpirun.openmpi", "mount"))
    probe = ["unshare", "--net", "--uts", "--mount", "--time", "--monotonic=5", "--fork",
             "sh", "-c", "ip link add wire type veth peer name eriw && mount -t tmpfs none /mnt"]
    return tools and subprocess.run(probe, capture_output=True).returncode == 0


def command(*words):
    subprocess.run(words, check=True)


def be_first_host():
    """Runs in namespaces of its own, which vanish with it."""
    command("mount", "--make-rprivate", "/")
    command("hostname", NAMES[0])
    command("mkdir", "-p", "/run/netns")
    command("mount", "-t", "tmpfs", "none", "/run/netns")
    command("ip", "netns", "add", "second")
    command("ip", "link", "add", "wire", "type", "veth", "peer", "name", "wire", "netns", "second")
    for prefix, address in ((["ip"], ADDRESSES[0]), (["ip", "-n", "second"], ADDRESSES[1])):
        command(*prefix, "addr", "add", f"{address}/24", "dev", "wire")
        for link in ("wire", "lo"):
            command(*prefix, "link", "set", link, "up")


class Bench:
    def __init__(self, folder):
        self.folder = folder
        self.first, self.second = folder / "work", folder / "second"
        self.first.mkdir()
        self.second.mkdir()
        self.program = folder / "leave"
        command("mpicc.openmpi", "-g", "-O1", SOURCE, "-o", self.program)
        self.agent = folder / "agent"
        self.agent.write_text(AGENT.format(clock=CLOCK_S, name=NAMES[1], second=self.second,
                                           work=self.first))
        self.agent.chmod(0o755)

    def run(self, way="", env=()):
        """Ranks 0 and 1 on the first host, 2 and 3 on the second."""
        options = ["--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
                   "--mca", "plm_rsh_agent", self.agent, "--mca", "btl", "tcp,vader,self",
                   "--mca", "btl_tcp_if_include", "10.77.0.0/24",
                   "--host", f"{ADDRESSES[0]}:2,{ADDRESSES[1]}:2", "-x", f"LD_PRELOAD={RUNTIME}"]
        for name in env:
            options += ["-x", name]
        return subprocess.run(["mpirun.openmpi", *options, "-n", "4", self.program, way],
                              cwd=self.first, text=True, capture_output=True, timeout=500)

    def show(self, directory):
        done = subprocess.run([SHOW, directory], text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


def ranks_of(text):
    """rank -> its facts"""
    found = {}
    for rank, facts in re.findall(r"^rank (\d+): (present.*)$", text, re.M):
        words = facts.split()
        found[int(rank)] = dict(zip(words[::2], words[1::2]))
    return found


def one_profile(bench):
    """Complete, on the first host only, with all calls of all ranks."""
    run = bench.run()
    assert run.returncode == 0, run.stderr
    said = [line for line in run.stderr.splitlines() if line.startswith("scalana: ")]
    assert len(said) == 1 and "profile in" in said[0], run.stderr
    directory = bench.first / "scalana-leave-4p"
    assert os.listdir(directory) == ["profile.sca"], os.listdir(directory)
    assert not os.listdir(bench.second), os.listdir(bench.second)
    text = bench.show(directory)
    assert "complete 1 ranks 4 " in text and "meta hosts=2\n" in text, text
    for rank in range(4):
        for function in ("MPI_Sendrecv", "MPI_Allreduce"):
            assert f"rank {rank}: site {function} count {CALLS} " in text, text
    return directory, text


def where_ranks_ran(text):
    for rank, facts in ranks_of(text).items():
        host = rank // 2
        assert facts["host"] == NAMES[host] and facts["address"] == ADDRESSES[host], facts
        assert facts["node"] == str(host), facts


def report_of(directory):
    return subprocess.run([DETECT, directory], text=True, capture_output=True, check=True).stdout


def different_names(bench):
    directory, text = one_profile(bench)
    where_ranks_ran(text)
    first_lines = " ".join(report_of(directory).splitlines()[:3])
    assert ("leave on 4 ranks 4 ranks on 2 hosts: nodeA (10.77.0.1) 0, 1; "
            "nodeB (10.77.0.2) 2, 3") in first_lines, first_lines


def same_name(bench):
    """Two hosts of one name are two, told apart by their addresses."""
    directory, text = one_profile(bench)
    where_ranks_ran(text)
    assert "2 hosts: localhost (10.77.0.1) 0, 1; localhost (10.77.0.2) 2, 3" in \
        " ".join(report_of(directory).split()), report_of(directory)


def clocks(bench):
    """The offsets are what the clocks were set to, within the error that is claimed."""
    _, text = one_profile(bench)
    end, error = map(int, re.search(r"^meta clock\.end\.2=(-?\d+) (\d+)$", text, re.M).groups())
    assert error < CLOCK_S * 1e7 and abs(end + CLOCK_S * 10**9) <= error, (end, error)
    for rank, facts in ranks_of(text).items():
        assert facts["clock"] == str(rank // 2 * 2), facts
        assert (int(facts["error_ns"]) == 0) == (rank < 2), facts
        assert 0 <= int(facts["begin_ns"]) < AT_ONCE_NS, facts


def abort(bench):
    """Each host keeps its own parts; together they are the profile."""
    run = bench.run("abort")
    assert run.returncode == 3, (run.returncode, run.stderr)
    parts = [sorted(f.name for f in (host / "scalana-leave-4p").glob("rank-*.part"))
             for host in (bench.first, bench.second)]
    assert parts == [["rank-0.part", "rank-1.part"], ["rank-2.part", "rank-3.part"]], parts
    directory = bench.first / "scalana-leave-4p"
    facts = ranks_of(bench.show(directory))
    assert [facts[rank]["present"] for rank in range(4)] == ["1", "1", "0", "0"], facts
    for part in (bench.second / "scalana-leave-4p").glob("rank-*.part"):
        shutil.copy(part, directory)
    facts = ranks_of(bench.show(directory))
    for rank in range(4):
        assert facts[rank]["present"] == "1" and int(facts[rank]["calls"]) >= CALLS, facts
        assert 0 <= int(facts[rank]["begin_ns"]) < AT_ONCE_NS, facts


CASES = {"names": different_names, "same_name": same_name, "clocks": clocks, "abort": abort}


def main():
    if os.environ.get("SCALANA_FIRST_HOST") != "1":
        if not permitted():
            print(f"hosts.py {CASE}: skipped: no network, time and mount namespaces for us "
                  "(it takes root, iproute2, util-linux and Open MPI)")
            sys.exit(77)
        os.environ["SCALANA_FIRST_HOST"] = "1"
        os.execvp("unshare", ["unshare", "--net", "--uts", "--mount", sys.executable, *sys.argv])
    be_first_host()
    with tempfile.TemporaryDirectory(prefix="sca-hosts-") as name:
        folder = pathlib.Path(name)
        CASES[CASE](Bench(folder))


main()
