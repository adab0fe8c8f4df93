#!/usr/bin/env python3
"""Drives scalana-viewer in a real terminal (tmux) and compares what is on the screen.

viewer_tmux.py VIEWER MAKE_REPORT [TEST...]: without names, all tests.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 500.0  # seconds until a screen must have come
SKIPPED = 77

SOURCE = "".join(
    f"    a[{i}] = work({i}); /* line {i} */\n" if i % 10 else f"/* ten {i} */\n" for i in range(1, 100)
)


class Terminal:
    """One tmux server with one window of a fixed size, on a socket of its own."""

    def __init__(self, command, columns=80, rows=24, term=None, locale="C.UTF-8"):
        self.folder = tempfile.mkdtemp(prefix="sca-tmux-")
        self.socket = os.path.join(self.folder, "socket")
        environment = {k: v for k, v in os.environ.items() if k not in ("TMUX", "NO_COLOR")}
        environment.update(LC_ALL="C.UTF-8")
        setting = f"LC_ALL={locale}" + (f" TERM={term}" if term else "")
        shell = f"env {setting} {command} 2>{self.folder}/errors; echo EXIT=$?; exec sleep 600"
        self.tmux(
            "new-session", "-d", "-x", str(columns), "-y", str(rows), shell, env=environment
        )

    def tmux(self, *arguments, env=None):
        command = ["tmux", "-u", "-f", "/dev/null", "-S", self.socket, *arguments]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise AssertionError(f"tmux {arguments[0]}: {done.stderr.strip()}")
        return done.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.tmux("kill-server")
        except AssertionError:
            pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def screen(self):
        return self.tmux("capture-pane", "-p").split("\n")

    def keys(self, *names):
        self.tmux("send-keys", "--", *names)

    def raw(self, text):
        self.tmux("send-keys", "-H", *[f"{byte:02x}" for byte in text])

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def errors(self):
        with open(os.path.join(self.folder, "errors"), encoding="utf-8") as stream:
            return stream.read()

    def wait(self, *patterns):
        """Waits until every pattern is on the screen; returns the screen."""
        until = time.monotonic() + PATIENCE
        while True:
            screen = self.screen()
            text = "\n".join(screen)
            missing = [p for p in patterns if not re.search(p, text, re.MULTILINE)]
            if not missing:
                return screen
            if time.monotonic() > until:
                raise AssertionError(f"not on the screen: {missing}\n{text}\n{self.errors()}")
            time.sleep(0.05)

    def wait_for_mouse(self):
        """The viewer asks the terminal for it after the first screen."""
        until = time.monotonic() + PATIENCE
        while self.tmux("display-message", "-p", "#{mouse_any_flag}#{mouse_sgr_flag}").strip() != "11":
            assert time.monotonic() < until, "no mouse was asked for"
            time.sleep(0.05)


class Bench:
    def __init__(self, viewer, make_report):
        self.viewer, self.make = viewer, make_report
        self.home = tempfile.mkdtemp(prefix="sca-viewer-")
        self.source = os.path.join(self.home, "src", "cg.c")
        os.mkdir(os.path.dirname(self.source))
        with open(self.source, "w", encoding="utf-8") as stream:
            stream.write(SOURCE)
        os.utime(self.source, (1e9, 1e9))

    def report(self, kind="cg", source=None):
        path = os.path.join(self.home, f"{kind}.json")
        subprocess.run([self.make, kind, path, source or self.source], check=True)
        return path

    def open(self, report, options="", **how):
        return Terminal(f"{self.viewer} {options} {report}", **how)


def first_screen(bench):
    """Figure 9: causes with their paths above, the code below with the vertex marked."""
    with bench.open(bench.report()) as t:
        screen = t.wait("24 │    a\\[24\\]")
        assert screen[0].startswith(" ScalAna  cg  2, 4, 8 ranks  strong scaling"), screen[0]
        assert "category     where" in screen[1], screen[1]
        assert re.match(r"▶  1   33 %   38 %    10.2 s imbalance    cg.c:24 +conj_grad +4$", screen[2])
        assert re.match(r"   2 .* nonscalable  cg.c:80 +main +0-7$", screen[3]), screen[3]
        assert screen[6] == " main > loop:70 > conj_grad:72 > loop:20 > loop cg.c:24", screen[6]
        assert screen[7].startswith("─[source] chain  ranks  curve  account  metrics  matrix  8-0  loop cg.c:24 ─")
        marked = [line for line in screen if re.match(r".{10}▶ +\d+ │", line)]
        assert [re.search(r"(\d+) │", m).group(1) for m in marked] == [str(n) for n in range(24, 31)]
        t.keys("q")
        t.wait("EXIT=0")


def marked_in_colour(bench):
    with bench.open(bench.report(), term="screen-256color") as t:
        t.wait("24 │")
        coloured = t.tmux("capture-pane", "-p", "-e").split("\n")
        line = next(text for text in coloured if "24 │" in text)
        assert "\x1b[" in line and "31m" in line, repr(line)


def sorting(bench):
    with bench.open(bench.report()) as t:
        t.wait("by gain", "▶  1 ")
        for key, name, first in (("i", "imbalance", 3), ("s", "slope", 2), ("c", "cost", 1),
                                 ("t", "time", 1), ("g", "gain", 1)):
            t.keys(key)
            t.wait(f"by {name}", f"^▶  {first} ", f"Sorted by {name}")


def panes(bench):
    with bench.open(bench.report()) as t:
        t.wait("\\[source\\]")
        t.keys("Tab")
        t.wait("\\[chain\\]", "1    waits:       rank 0    MPI_Allreduce", "This is the cause: 3.09×")
        t.keys("Tab")
        t.wait("\\[ranks\\]", "^▶     4 █+   3.10 s  3.07×", "^      0 █+·+   1.00 s")
        t.keys("Tab")
        t.wait("\\[curve\\]", "8     1.27 s     622 ms      2.04×", "\\*")
        t.keys("Tab")
        t.wait("\\[account\\]", "communication", "global +0.90")
        t.keys(*["J"] * 13)
        t.wait("93 % of it explained", "More ranks than cores")
        t.keys("BTab", "BTab")
        t.wait("\\[ranks\\]")


def metrics(bench):
    """The pane lists all of the vertex; Enter there has the tree and the ranks show one."""
    with bench.open(bench.report()) as t:
        t.wait("by gain")
        t.keys("6")
        t.wait("\\[metrics\\]", "^ Computation +11.5 s +11.5 s +74.2 % +1.00 s +1.88 s +7$",
               "^ PAPI_FP_OPS +n/a  no counter$")
        t.keys("w", "Enter")
        t.wait("Tree \\(v\\) and ranks \\(3\\) show Computation", "^▶Computation")
        t.keys("3")
        t.wait("^Computation of each rank: least 1.00 s, median 1.44 s, most 1.88 s \\(rank 7\\)")
        t.keys("v", "Home", "Left")
        t.wait("vertex, by Computation; open: alone", "15.5 s 100.0 % +▸ main")


def following(bench):
    with bench.open(bench.report()) as t:
        t.wait("Enter who waits")
        t.keys("Enter")
        t.wait("\\[chain\\]", "Esc back")
        t.keys("Down", "Down", "Enter")
        t.wait("\\[source\\].* MPI_Wait cg.c:36", "▶    36 │    a\\[36\\]")
        t.keys("BSpace")
        t.wait("\\[chain\\]")
        t.keys("BSpace")
        t.wait("Enter who waits", "\\[source\\].*cg.c:24")


def tree(bench):
    with bench.open(bench.report()) as t:
        t.wait("by gain")
        t.keys("v")
        t.wait("all vertices", "^▶#1 +10.2 s", "▾ conj_grad")
        t.keys("Left", "Left")
        t.wait("▸ loop  cg.c:20")
        t.keys("/", "allred", "Enter")
        t.wait("^▶ +10.7 s .* MPI_Allreduce  cg.c:44")


def no_colour_no_unicode(bench):
    with bench.open(bench.report(), term="vt100", locale="C") as t:
        screen = t.wait("24 \\|    a\\[24\\]", "^>  1 ")
        assert all(ord(c) < 127 for line in screen for c in line), screen
        t.keys("3")
        t.wait("^>     4 #+")


def resizing(bench):
    with bench.open(bench.report()) as t:
        t.wait("24 │")
        t.resize(120, 40)
        t.wait("──{30}", "36 │    a\\[36\\]", "^ Enter who waits")
        t.resize(44, 10)
        t.wait("Too small: 44x10, needs 50x12")
        t.resize(60, 14)
        t.wait("▶  1 ", "24 │")
        t.resize(80, 24)
        t.wait("24 │    a\\[24\\]")
        t.keys("q")
        t.wait("EXIT=0")


def mouse(bench):
    with bench.open(bench.report(), term="xterm") as t:
        t.wait("▶  1 ", "\\[source\\]")
        t.wait_for_mouse()
        t.raw(b"\x1b[<0;6;4M")
        t.raw(b"\x1b[<0;6;4m")
        t.wait("^▶  2 ")
        t.raw(b"\x1b[<65;6;14M")
        t.wait("in main\n +▶ +81 │")


def moved_sources(bench):
    folder = os.path.dirname(bench.source)
    report = bench.report(source="/build/machine/cg.c")
    with bench.open(report) as t:
        t.wait("Source not found: /build/machine/cg.c", "--source OLD=NEW")
        t.keys("m")
        t.keys(f"/build/machine={folder}", "Enter")
        t.wait("24 │    a\\[24\\]")
    with bench.open(report, f"--source=/build/machine={folder}") as t:
        t.wait("24 │    a\\[24\\]")


def hostile_text(bench):
    with bench.open(bench.report("hostile")) as t:
        screen = t.wait("a\\^Ib\\^G<script>", "\\^\\[\\[31m")
        assert not any("\x1b" in line or "\u202e" in line for line in screen)
        t.keys("2")
        t.wait("\\^\\[\\]0;tit", "wärme_温度")


def many_causes(bench):
    with bench.open(bench.report("large")) as t:
        t.wait("10000 root causes")
        t.keys("End")
        t.wait("▶10000 ")
        t.keys("/", ":5000", "Enter")
        t.wait("^▶4999 .* big.c:5000")


def healthy(bench):
    with bench.open(bench.report("healthy")) as t:
        t.wait("No cause of scaling loss found above 2 %", "efficiency is 0.70", "\\[account\\]")


def help_page(bench):
    with bench.open(bench.report()) as t:
        t.wait("by gain")
        t.keys("?")
        t.wait("Keys \\(any key closes this\\)", "who waits for it")
        t.keys("x")
        t.wait("by gain")


def from_a_pipe(bench):
    with bench.open(f"- < {bench.report()}") as t:
        t.wait("by gain")
        t.keys("q")
        t.wait("EXIT=0")


def unusable_terminals(bench):
    report = bench.report()
    for term, word in (("dumb", "cannot place its cursor"), ("nonesuch", "unknown terminal type")):
        with bench.open(report, term=term) as t:
            t.wait("EXIT=1")
            assert word in t.errors() and t.errors().count("\n") == 1, t.errors()


def run(bench, *arguments):
    return subprocess.run(
        [bench.viewer, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def not_a_terminal(bench):
    """Into a pipe goes a plain list, without any escape sequence."""
    done = run(bench, bench.report())
    assert done.returncode == 0 and not done.stderr, done
    assert f"1. imbalance: {bench.source}:24 conj_grad, rank 4\n" in done.stdout, done.stdout
    assert re.search(r"cost 5\.50 s .*, only on this rank\n", done.stdout), done.stdout
    assert "\x1b" not in run(bench, bench.report("hostile")).stdout
    assert "found above 2 % of ranks x wall." in run(bench, bench.report("healthy")).stdout


def bad_reports(bench):
    newer = os.path.join(bench.home, "newer.json")
    with open(newer, "w", encoding="utf-8") as stream:
        stream.write('{"schema": "scalana-report/2"}')
    cases = (("/etc/passwd", "not a ScalAna report"), ("/nowhere.json", "No such file"),
             (bench.home, "scalana-detect makes a report"), (newer, "newer ScalAna"))
    for path, word in cases:
        done = run(bench, path)
        assert done.returncode == 1 and not done.stdout, (path, done)
        assert word in done.stderr and done.stderr.count("\n") == 1, (path, done.stderr)
    for arguments in ((), ("a", "b"), ("--nonsense", "a"), ("--source", "x", newer)):
        assert run(bench, *arguments).returncode == 2, arguments
    assert "--source" in run(bench, "--help").stdout


TESTS = [first_screen, marked_in_colour, sorting, panes, metrics, following, tree, no_colour_no_unicode,
         resizing, mouse, moved_sources, hostile_text, many_causes, healthy, help_page, from_a_pipe,
         unusable_terminals, not_a_terminal, bad_reports]  # fmt: skip


def main():
    if not shutil.which("tmux"):
        print("tmux is not installed (apt-get install tmux): skipped")
        return SKIPPED
    bench, failed = Bench(sys.argv[1], sys.argv[2]), 0
    try:
        for test in TESTS:
            if sys.argv[3:] and test.__name__ not in sys.argv[3:]:
                continue
            try:
                test(bench)
                print(f"ok      {test.__name__}")
            except AssertionError as fault:
                failed += 1
                print(f"FAILED  {test.__name__}: {fault}")
    finally:
        shutil.rmtree(bench.home, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
