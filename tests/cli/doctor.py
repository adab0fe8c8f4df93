#!/usr/bin/env python3
"""`scalana doctor` with each thing taken away: what is missing is named, with the command that mends it,
and the exit status says whether a run would be blind.

doctor.py CASE, one of the functions below
"""
import ctypes
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

import cli
from cli import COMMAND, call, refused, scalana

SYS_PERF_EVENT_OPEN = {"x86_64": 298}


def findings(*words, blind, cwd, command=COMMAND, **how):
    """{name: [(state, text, mend)]} of what it says as JSON."""
    done = subprocess.run([command, "doctor", "--json", *words], cwd=cwd, text=True, check=False,
                          stdout=subprocess.PIPE, **how)
    table = json.loads(done.stdout)
    assert table["schema"] == "scalana-doctor/1" and table["blind"] == blind, table
    assert done.returncode == (1 if blind else 0), done.returncode
    found = {}
    for one in table["findings"]:
        assert (one["state"] == "works") == (one["mend"] == ""), one
        found.setdefault(one["name"], []).append((one["state"], one["text"], one["mend"]))
    return found


def sound(work):
    """Nothing is blind, and the text says what the JSON says."""
    found = findings("./late", blind=False, cwd=work)
    for name in ("installation", "runtime", "compiler", "fortran", "mpi", "mpicc", "launcher", "space", "cores",
                 "program", "lines"):
        assert found[name][0][0] == "works", found[name]
    assert len(found["mpi"]) == 2, found["mpi"]
    assert "links Open MPI (/" in found["program"][0][1], found["program"]
    said = call("doctor", "./late", cwd=work).stdout
    for name, rows in found.items():
        for _, text, mend in rows:
            assert name == "space" or text in said and mend in said, (text, mend)
    assert said.endswith("Runs can be recorded.\n")


def mpich_program(work):
    cli.late(work, "mpich")
    found = findings("./late", blind=False, cwd=work)
    assert "links MPICH (/" in found["program"][0][1], found["program"]
    assert "mpiexec.mpich" in found["launcher"][0][1], found["launcher"]


def installation(work):
    """Commands, runtime and plugin taken out of a copy, one after the other."""
    prefix = work / "prefix"
    shutil.copytree(scalana.PREFIX, prefix, symlinks=True)
    command = prefix / "bin" / "scalana"
    shutil.rmtree(prefix / "lib" / "scalana")
    found = findings(blind=False, cwd=work, command=command)
    assert found["compiler"][0][0] == "lacks" and found["compiler"][0][2] == "apt-get install clang-19"
    assert found["fortran"][0][2] == "apt-get install flang-19", found["fortran"]
    (prefix / "lib" / "libscalana-prof.so").unlink()
    assert findings(blind=True, cwd=work, command=command)["runtime"][0][0] == "blind"
    (prefix / "bin" / "scalana-detect").unlink()
    assert "scalana-detect is not installed" in findings(
        blind=True, cwd=work, command=command)["installation"][0][1]
    blank = prefix.rename(work / "a prefix")
    shutil.copy(scalana.RUNTIME, blank / "lib")
    row = findings(blind=True, cwd=work, command=blank / "bin" / "scalana")["runtime"][0]
    assert row[0] == "blind" and "blank or a colon" in row[1], row


def mpi(work):
    """Neither MPI's launcher in PATH; then only the other MPI's."""
    empty = work / "empty"
    empty.mkdir()
    found = findings(str(work / "late"), blind=True, cwd=work, env={**os.environ, "PATH": str(empty)})
    assert found["mpi"] == [("blind", "no launcher of Open MPI or MPICH in PATH",
                             "apt-get install openmpi-bin libopenmpi-dev")], found["mpi"]
    assert found["mpicc"][0][2] == "apt-get install libopenmpi-dev", found["mpicc"]
    (empty / "mpiexec").symlink_to(shutil.which("mpiexec.mpich"))
    found = findings(str(work / "late"), blind=True, cwd=work, env={**os.environ, "PATH": str(empty)})
    assert found["mpi"][0][0] == "works" and found["launcher"][0][0] == "blind", found
    assert "no launcher of Open MPI" in found["launcher"][0][1], found["launcher"]


def root(work):
    if os.geteuid():
        print("not root: skipped")
        sys.exit(cli.SKIPPED)
    env = {name: value for name, value in os.environ.items() if not name.startswith("OMPI_ALLOW")}
    row = findings("./late", blind=True, cwd=work, env=env)["root"][0]
    assert row[2] == "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", row


def fake_root(work, **files):
    folder = work / "root"
    for path, text in files.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text)
    return f"--root={folder}"


def kernel_settings(work):
    """perf_event_paranoid and ptrace_scope as a strict system has them, without apt."""
    option = fake_root(work, **{"proc/sys/kernel/perf_event_paranoid": "4\n",
                                "proc/sys/kernel/yama/ptrace_scope": "2\n"})
    found = findings(option, blind=False, cwd=work)
    assert found["perf"][0][0] == "lacks" and "counters" not in found, found
    assert found["perf"][0][2] == "sysctl kernel.perf_event_paranoid=2", found["perf"]
    assert found["ptrace"][0][2] == "sysctl kernel.yama.ptrace_scope=1", found["ptrace"]
    option = fake_root(work, **{"proc/sys/kernel/perf_event_paranoid": "2\n",
                                "proc/sys/kernel/yama/ptrace_scope": "1\n"})
    found = findings(option, blind=False, cwd=work)
    assert found["perf"][0][0] == "works" and found["ptrace"][0][0] == "works", found


def without_perf():
    """No system call perf_event_open from here on: EPERM, as in a container (seccomp, BPF)."""
    libc = ctypes.CDLL(None, use_errno=True)
    number = SYS_PERF_EVENT_OPEN[os.uname().machine]
    rules = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code)))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        os._exit(99)


def perf(work):
    if os.uname().machine not in SYS_PERF_EVENT_OPEN:
        print("no number of the system call here: skipped")
        sys.exit(cli.SKIPPED)
    row = findings(blind=False, cwd=work, preexec_fn=without_perf)["perf"][0]
    assert row[0] == "lacks" and "no permission" in row[1] and row[2], row


def container(work):
    found = findings(fake_root(work, **{"run/.containerenv": ""}), blind=False, cwd=work)
    assert found["container"][0][1] == "inside a container (podman)", found["container"]


def cores(work):
    """A quota, a core of two threads, and fewer cores than the machine has."""
    first = min(os.sched_getaffinity(0))
    option = fake_root(work, **{
        "proc/self/cgroup": "0::/job/step\n", "sys/fs/cgroup/job/cpu.max": "50000 100000\n",
        "sys/fs/cgroup/job/step/cpu.max": "max 100000\n",
        f"sys/devices/system/cpu/cpu{first}/topology/thread_siblings_list": "0-1\n"})
    found = findings(option, blind=False, cwd=work)
    assert "up to 1 rank has" in found["cores"][0][1], found["cores"]
    if len(os.sched_getaffinity(0)) > 1:
        assert "allows 1 cores of" in found["quota"][0][1], found
        pin = lambda: os.sched_setaffinity(0, {first})  # noqa: E731
        found = findings(blind=False, cwd=work, preexec_fn=pin)
        assert "may use 1 of" in found["affinity"][0][1] and "taskset" in found["affinity"][0][2], found


def space(work):
    """Files that may not grow, and a folder where none can be made."""
    small = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))  # noqa: E731
    row = findings(blind=True, cwd=work, preexec_fn=small)["space"][0]
    assert row[0] == "blind" and "no file of 10 MB" in row[1] and "--output=DIR" in row[2], row
    assert findings(blind=True, cwd="/proc")["space"][0][0] == "blind"
    assert not list(work.glob(".scalana*"))


def settings(work):
    found = findings(blind=True, cwd=work, env={**os.environ, "SCALANA_ENABLE": "0"})
    assert found["settings"][0][2] == "unset SCALANA_ENABLE", found["settings"]
    found = findings(blind=False, cwd=work, env={**os.environ, "SCALANA_FREQUENCY": "0"})
    assert found["settings"][0][:1] == ("lacks",), found["settings"]


def program(work, source="int main(void) { return 0; }\n", *flags, compiler="gcc"):
    (work / "p.c").write_text(source)
    scalana.execute([compiler, "p.c", "-o", "p", *flags], cwd=work)


def blind_programs(work):
    """Static; without MPI; with rights of its own; with a library that is nowhere; with MPI 5's ABI."""
    program(work, "int main(void) { return 0; }\n", "-static")
    assert "statically" in findings("./p", blind=True, cwd=work)["program"][0][1]
    program(work)
    assert "links no MPI library" in findings("./p", blind=True, cwd=work)["program"][0][1]
    (work / "late").chmod(0o4755)
    rows = findings("./late", blind=True, cwd=work)["program"]
    assert rows[1][2].startswith("chmod ug-s "), rows
    (work / "late").chmod(0o755)
    (work / "l.c").write_text("void MPI_Send(void) {}\n")
    for name in ("libmpi_abi.so.0", "libgone.so.1"):
        scalana.execute(["gcc", "-shared", "l.c", "-o", name, f"-Wl,-soname,{name}"], cwd=work)
    program(work, "void MPI_Send(void); int main(void) { MPI_Send(); return 0; }\n", "-Wl,-rpath,$ORIGIN",
            "./libmpi_abi.so.0", "-Wl,--no-as-needed", "./libgone.so.1")
    assert "standard ABI of MPI 5" in findings("./p", blind=True, cwd=work)["program"][0][1]
    refused("run", "-n", "1", "./p", cwd=work, says="standard ABI of MPI 5", status=1)
    program(work, "void MPI_Send(void); int main(void) { MPI_Send(); return 0; }\n", "./libgone.so.1")
    (work / "libgone.so.1").unlink()
    row = findings("./p", blind=True, cwd=work)["program"][0]
    assert "needs libgone.so.1, which is not found" in row[1] and "LD_LIBRARY_PATH" in row[2], row


def capabilities(work):
    """A program that may do more than its user is given no preloaded library."""
    if os.geteuid() or not shutil.which("setcap"):
        print("no setcap here: skipped")
        sys.exit(cli.SKIPPED)
    if scalana.execute(["setcap", "cap_sys_nice+ep", work / "late"], check=False).returncode:
        print("the file system keeps no capabilities: skipped")
        sys.exit(cli.SKIPPED)
    rows = findings("./late", blind=True, cwd=work)["program"]
    assert rows[1][2].startswith("setcap -r "), rows


def lines(work):
    """Without graph, without lines; a script."""
    scalana.execute(["mpicc.openmpi", "-g", "late.c", "-o", "late"], cwd=work)
    assert "debug information" in findings("./late", blind=False, cwd=work)["lines"][0][1]
    scalana.execute(["strip", "late"], cwd=work)
    row = findings("./late", blind=False, cwd=work)["lines"][0]
    assert row[0] == "lacks" and row[2].startswith("scalana build"), row
    cli.script(work / "start.sh", "#!/bin/sh\nexec ./late\n")
    assert "is not an ELF program" in findings("./start.sh", blind=False, cwd=work)["program"][0][1]


def bad_input(work):
    refused("doctor", "./nothing", cwd=work, says="./nothing: no such program")
    refused("doctor", "a", "b", cwd=work, says="give one program")
    refused("doctor", "--fast", cwd=work, says="unknown option --fast")


def main():
    with tempfile.TemporaryDirectory(prefix="scalana-doctor-") as folder:
        work = pathlib.Path(folder)
        shutil.copy(cli.PROGRAMS / "late.c", work)
        cli.late(work)
        globals()[sys.argv[1]](work)


if __name__ == "__main__":
    main()
