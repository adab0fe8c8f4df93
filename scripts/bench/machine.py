"""What a figure depends on and a reader must know: the machine, its load, the versions."""
import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess


def first_line(*command):
    if not shutil.which(command[0]):
        return "n/a"
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return ((done.stdout or done.stderr).strip().splitlines() or ["n/a"])[0]


def processor():
    try:
        names = re.findall(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    except OSError:
        names = []
    return names[0] if names else platform.machine()


def virtual():
    try:
        return "hypervisor" in pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return False


def memory_gb():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30, 1)


def papi_version():
    return first_line("pkg-config", "--modversion", "papi")


def load():
    return [round(value, 2) for value in os.getloadavg()]


def scalana_version(prefix):
    return first_line(str(prefix / "bin" / "scalana-detect"), "--version")


def describe(prefix):
    """The header of every result; `load` is the load before the first measurement."""
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": processor() + (" (virtual machine)" if virtual() else ""),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gb": memory_gb(),
        "load": load(),
        "kernel": f"{platform.system()} {platform.release()}",
        "compiler": first_line("clang-19", "--version"),
        "mpi": first_line("mpirun.openmpi", "--version"),
        "papi": papi_version(),
        "scalana": scalana_version(prefix),
    }


def sentence(machine):
    """The header as Markdown."""
    before, after = machine["load"], machine.get("load_after")
    return (f"{machine['date']}. {machine['processor']}, {machine['cores']} cores, "
            f"{machine['memory_gb']} GB. Load {before[0]} before"
            + (f", {after[0]} after" if after else "")
            + f". {machine['kernel']}; {machine['compiler']}; {machine['mpi']}; "
            f"PAPI {machine['papi']}; {machine['scalana']}")
