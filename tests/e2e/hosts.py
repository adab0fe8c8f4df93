#!/usr/bin/env python3
"""One run on two hosts, each with a name, a clock, a working directory and shared memory of its own
(support/namespaces.py). What is true of them is set, not measured by us.

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
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import namespaces  # noqa: E402
import scalana  # noqa: E402, F401  it gives mpirun a session folder of its own

SOURCE = HERE / "programs" / "leave.c"
CLOCK_S = namespaces.CLOCK_S  # the second host's clock is ahead by this much
AT_ONCE_NS = CLOCK_S * 10**8  # all left Init at about one time: nearer than the clocks are
NAMES = ("localhost", "localhost") if CASE == "same_name" else ("nodeA", "nodeB")
ADDRESSES = tuple(namespaces.Hosts.address(number) for number in range(2))
CALLS = 100


class Bench:
    """Both hosts run the program in the folder `local`, which each has for itself."""

    def __init__(self, folder, hosts):
        self.hosts = hosts
        self.first, self.second = (hosts.there(number, hosts.local) for number in range(2))
        self.program = folder / "leave"
        subprocess.run(["mpicc.openmpi", "-g", "-O1", SOURCE, "-o", self.program], check=True)
        self.agent = hosts.agent()

    def run(self, way="", env=()):
        """Ranks 0 and 1 on the first host, 2 and 3 on the second."""
        options = ["--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1",
                   "--mca", "plm_rsh_agent", self.agent, "--mca", "btl", "tcp,vader,self",
                   "--mca", "btl_tcp_if_include", f"{ADDRESSES[0]}/24",
                   "--host", f"{ADDRESSES[0]}:2,{ADDRESSES[1]}:2", "-x", f"LD_PRELOAD={RUNTIME}"]
        for name in env:
            options += ["-x", name]
        inside = self.hosts.on(0, "sh", "-c", f"cd {self.hosts.local} && exec \"$@\"", "sh",
                               "mpirun.openmpi", *options, "-n", "4", self.program, way)
        return subprocess.run(inside, text=True, capture_output=True, timeout=500)

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
    assert ("leave on 4 ranks 4 ranks on 2 hosts: nodeA (10.177.0.1) 0, 1; "
            "nodeB (10.177.0.2) 2, 3") in first_lines, first_lines


def same_name(bench):
    """Two hosts of one name are two, told apart by their addresses."""
    directory, text = one_profile(bench)
    where_ranks_ran(text)
    assert "2 hosts: localhost (10.177.0.1) 0, 1; localhost (10.177.0.2) 2, 3" in \
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
    if not shutil.which("mpirun.openmpi"):
        print("hosts.py: skipped: no Open MPI")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="sca-hosts-") as name:
        folder = pathlib.Path(name)
        try:
            hosts = namespaces.Hosts(folder, 2, NAMES)
        except namespaces.Unable as why:
            print(f"hosts.py {CASE}: skipped: {why} (it takes root, iproute2 and util-linux)")
            sys.exit(77)
        with hosts:
            CASES[CASE](Bench(folder, hosts))


main()
