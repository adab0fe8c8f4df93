"""Hosts of a small cluster, each with its own network, name, clock and run directories, on this
machine: Linux namespaces. Only root can make them; Hosts() raises Unable with the reason else."""
import os
import pathlib
import signal
import subprocess
import time


CLOCK_S = 5000  # the clock of each host is ahead of that of the one before by so much


class Unable(Exception):
    """This machine makes no namespaces."""


def call(*words, check=True):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=300)
    if check and done.returncode:
        raise Unable(f"{' '.join(str(word) for word in words)}: {done.stderr.strip()}")
    return done


class Hosts:
    """`with Hosts(work, 2) as hosts`: hosts 0, 1, ... in one network, the first is joined to each
    other by a cable of its own. `local` is a folder that each host has for itself, as it has
    /dev/shm. Their names are node0, node1, ..., if nothing else is said."""

    def __init__(self, work, count, names=None):
        self.work = pathlib.Path(work)
        self.names = names or [f"node{number}" for number in range(count)]
        self.local = self.work / "local"
        self.local.mkdir()
        self.processes, self.inside = [], []
        try:
            for number in range(count):
                self.add(number)
        except Unable:
            self.end()
            raise

    def add(self, number):
        """A process holds the namespaces, and writes its number when they are as they are to be."""
        ready = self.work / f"ready-{number}"
        clock = number * CLOCK_S
        script = (f"hostname {self.names[number]} && mount --make-rprivate / && "
                  f"mount -t tmpfs none {self.local} && mount -t tmpfs none /dev/shm && "
                  f"ip link set lo up && echo $$ > {ready}.new && mv {ready}.new {ready} && exec sleep 6000")
        try:
            holder = subprocess.Popen(
                ["unshare", "--net", "--mount", "--uts", "--time", f"--monotonic={clock}", f"--boottime={clock}",
                 "--fork", "--kill-child", "sh", "-c", script],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except FileNotFoundError as error:
            raise Unable(str(error)) from error
        self.processes.append(holder)
        until = time.monotonic() + 300
        while not ready.exists():
            if holder.poll() is not None or time.monotonic() > until:
                raise Unable(holder.stderr.read().strip() if holder.poll() is not None else "no answer")
            time.sleep(0.02)
        self.inside.append(int(ready.read_text()))
        if number:
            self.join(number)

    def join(self, number):
        """A cable between host 0 and this one, in a bridge of host 0."""
        first, other = self.inside[0], self.inside[number]
        name = f"v{other}"
        if number == 1:
            call("nsenter", "-t", first, "-n", "ip", "link", "add", "br0", "type", "bridge")
            call("nsenter", "-t", first, "-n", "ip", "addr", "add", f"{self.address(0)}/24", "dev", "br0")
            call("nsenter", "-t", first, "-n", "ip", "link", "set", "br0", "up")
        call("ip", "link", "add", name, "netns", first, "type", "veth", "peer", "name", "eth0", "netns", other)
        call("nsenter", "-t", first, "-n", "ip", "link", "set", name, "master", "br0", "up")
        call("nsenter", "-t", other, "-n", "ip", "addr", "add", f"{self.address(number)}/24", "dev", "eth0")
        call("nsenter", "-t", other, "-n", "ip", "link", "set", "eth0", "up")

    @staticmethod
    def address(number):
        return f"10.177.0.{number + 1}"

    def on(self, number, *words):
        """The words of a command on that host."""
        return ["nsenter", "-t", str(self.inside[number]), "-n", "-m", "-u", "-T", f"--wd={os.getcwd()}",
                *(str(word) for word in words)]

    def there(self, number, path):
        """Where this process finds a path of that host."""
        return pathlib.Path(f"/proc/{self.inside[number]}/root") / str(path).lstrip("/")

    def agent(self):
        """A command that reaches a host by its address, as ssh does: AGENT ADDRESS WORD..., for a
        launcher of MPI programs, and quietly for `scalana live`."""
        path = self.work / "agent"
        lines = [f"  {self.address(i)}) pid={pid} ;;" for i, pid in enumerate(self.inside)]
        path.write_text("#!/bin/sh\nwhile case $1 in -*) true ;; *) false ;; esac; do shift; done\n"
                        "case $1 in\n" + "\n".join(lines) + "\n  *) echo \"no host $1\" >&2; exit 1 ;;\nesac\nshift\n"
                        f"exec nsenter -t $pid -n -m -u -T --wd={self.work} sh -c \"$*\"\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()
            process.stderr.close()
