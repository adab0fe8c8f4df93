#!/usr/bin/env python3
"""The page's explorer in headless Chromium: what it shows against sums worked out here.

explorer.py MAKE_PAGE [TEST...]: without names, all tests. HTML_KEEP=DIR keeps the screenshots there.
"""

import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

import explorer_reports as reports
from html_page import DESKTOP, SKIPPED, Browser

UNITS = {"s": 1, "ms": 1e-3, "\u00b5s": 1e-6, "ns": 1e-9, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "B": 1, "kB": 1e3, "MB": 1e6,
         "%": 0.01}
MOST_BYTES, MOST_MADE = 8_000_000, 1000
HELPERS = """
  window.rows = pane => [...document.querySelectorAll(`.x-${pane} [role=treeitem]`)];
  window.told = pane => rows(pane).map(r => [r.querySelector('.x-name').textContent.replace(/[\u25b8\u25be]/, ''),
    r.querySelector('.x-value').textContent, r.getAttribute('aria-expanded'), +r.getAttribute('aria-level')]);
  window.row = (pane, text) => rows(pane).find(r => r.querySelector('.x-name').textContent.includes(text));
  window.press = (e, detail) => e.dispatchEvent(new MouseEvent('click', {bubbles: true, detail}));
  window.pick = (pane, text) => press(row(pane, text), 1);
  window.toggle = (pane, text) => press(row(pane, text).querySelector('.x-twisty'), 1);
  window.set = (id, text) => { const e = document.getElementById(id);
    e.selectedIndex = [...e.options].findIndex(o => o.text.includes(text)); e.dispatchEvent(new Event('change')); };
  window.type = text => { const e = document.getElementById('x-search'); e.value = text;
    e.dispatchEvent(new Event('input')); };
"""


def number(text):
    """What a value on the screen stands for."""
    found = re.match(r"([+-]?[\d.]+)(?: (\S+))?", text)
    assert found, text
    return float(found[1]) * UNITS[found[2] or ""]


def near(text, wanted):
    assert math.isclose(number(text), wanted, rel_tol=2e-3, abs_tol=1e-9), (text, wanted)


class Truth:
    """Sums of a report, worked out from its JSON."""

    def __init__(self, report):
        self.report, self.metrics = report, {m["name"]: m for m in report["metrics"]}

    def below(self, number):
        children = [v["id"] for v in self.report["vertices"] if v["parent"] == number]
        return [number] + [i for child in children for i in self.below(child)]

    def sum(self, name, vertices):
        return sum(row["sum"] for row in self.metrics[name]["rows"] if row["vertex"] in vertices)

    def ranks(self, name, vertices):
        n = self.report["runs"][-1]["ranks"]
        values = [0.0] * n
        for row in self.metrics[name]["rows"]:
            if row["vertex"] in vertices:
                each = row.get("values", [row.get("each")] * n)
                for rank, value in zip(row.get("ranks", range(n)), each):
                    values[rank] += value
        return values


class Bench:
    def __init__(self, make_page, browser):
        self.make, self.browser = make_page, browser

    def open(self, report, name, width=DESKTOP, scheme="light"):
        report_path = reports.write(report, os.path.join(self.browser.home, f"{name}.json"))
        path = os.path.join(self.browser.home, f"{name}.html")
        subprocess.run([self.make, "json", path, report_path], check=True)
        self.browser.open(path, width, scheme)
        self.browser.eval(HELPERS)
        assert not self.browser.complaints(), (name, self.browser.complaints())
        return path

    def told(self, pane):
        return {text.strip(): value for text, value, *_ in self.browser.eval(f"told('{pane}')")}

    def value(self, pane, text):
        return next(value for name, value in self.told(pane).items() if text in name)

    def said(self):
        return self.browser.eval("document.querySelector('.x-said').textContent")


def metrics_and_their_parts(bench):
    """Closed: with its parts. Open: what is in none of them."""
    report = reports.known()
    truth, browser = Truth(report), bench.browser
    everything = truth.below(0)
    bench.open(report, "known")
    for name, title in (("computation", "Computation"), ("mpi_time", "Mpi time"), ("waiting", "Waiting")):
        near(bench.value("metrics", title), truth.sum(name, everything))
    browser.eval("toggle('metrics', 'Mpi time')")
    near(bench.value("metrics", "Mpi time"), truth.sum("mpi_time", everything) - truth.sum("transfer", everything))
    near(bench.value("metrics", "Transfer"), truth.sum("transfer", everything))
    near(bench.value("metrics", "Ipc"), truth.sum("PAPI_TOT_INS", everything) / truth.sum("PAPI_TOT_CYC", everything))


def contexts_closed_and_open(bench):
    report = reports.known()
    truth, browser = Truth(report), bench.browser
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main')")
    near(bench.value("calls", "loop s.c:10"), truth.sum("computation", truth.below(1)))
    browser.eval("toggle('calls', 'loop s.c:10')")
    near(bench.value("calls", "loop s.c:10"), truth.sum("computation", [1]))
    near(bench.value("calls", "solve"), truth.sum("computation", truth.below(2)))
    browser.eval("pick('metrics', 'Mpi time')")
    near(bench.value("calls", "solve"), truth.sum("mpi_time", truth.below(2)))
    near(bench.value("calls", "write_out"), truth.sum("mpi_time", truth.below(5)))


def ranks_by_host(bench):
    report = reports.known()
    truth, browser = Truth(report), bench.browser
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main')")
    browser.eval("pick('calls', 'loop s.c:10')")
    values = truth.ranks("computation", truth.below(1))
    near(bench.value("system", "node1"), sum(values[:3]))
    near(bench.value("system", "node2"), sum(values[3:]))
    browser.eval("toggle('system', 'node2')")
    for rank in (3, 4, 5):
        near(bench.value("system", f"rank {rank}"), values[rank])
    assert "(1,1)" in next(name for name in bench.told("system") if "rank 4" in name)
    assert browser.eval("row('system', 'rank 4').querySelector('.x-bar').className") == "x-bar hot"
    width = browser.eval("row('system', 'rank 4').querySelector('.x-bar').style.width")
    assert width == "100%", width
    assert browser.eval("row('system', 'rank 3').querySelector('.x-bar').className") == "x-bar"


def threads_below_their_ranks(bench):
    """Of a context and of all below it; the rest is a row; another metric has no threads."""
    report, browser = reports.threaded(), bench.browser
    rows = {row[0]: row[1:] for row in report["thread_times"]["rows"]}
    bench.open(report, "threaded")
    browser.eval("toggle('calls', 'main')")
    browser.eval("pick('calls', 'loop s.c:10')")
    browser.eval("toggle('system', 'node2'); toggle('system', 'rank 4')")
    told = bench.told("system")
    assert [name for name in told if "thread" in name] == ["thread 0", "thread 9", "other threads"], told
    for thread, name in enumerate(("thread 0", "thread 9")):
        near(bench.value("system", name), rows[1][4 * 2 + thread] + rows[3][4 * 2 + thread])
    near(bench.value("system", "other threads"), 3.1 - sum(rows[1][8:10]) - sum(rows[3][8:10]))
    browser.eval("pick('calls', 'main'); pick('metrics', 'Mpi time')")
    assert not any("thread" in name for name in bench.told("system")), bench.told("system")


def packages_and_named_topologies(bench):
    report = reports.placed()
    truth, browser = Truth(report), bench.browser
    bench.open(report, "placed")
    values = truth.ranks("computation", truth.below(0))
    browser.eval("toggle('system', 'node2'); toggle('system', 'node1')")
    near(bench.value("system", "package 0"), values[0] + values[1])
    near(bench.value("system", "package 1"), values[2])
    browser.eval("toggle('system', 'package 0')")
    name = next(name for name in bench.told("system") if "rank 1 " in name)
    assert "core 1 (2,1)" in name, name
    near(bench.value("system", "rank 4"), values[4])
    browser.eval("document.getElementById('x-tab-map').click()")
    names = browser.eval("[...document.querySelector('#x-part-map select').options].map(o => o.text)")
    assert names == ["sheet, cartesian, 3 \u00d7 2", "MPI_Graph_create, graph, 2 \u00d7 5", "row, cartesian, 6", "ranks in order, 2 \u00d7 3"], names
    told = browser.eval("document.querySelector('.x-told').textContent")
    assert told.startswith("(0,0): rank 4, "), told
    browser.eval("(() => { const e = document.querySelector('#x-part-map select'); e.selectedIndex = 2; "
                 "e.dispatchEvent(new Event('change')); })()")
    told = browser.eval("document.querySelector('.x-told').textContent")
    assert told.startswith("(4): rank 4, ") or told.startswith("(0): rank 0, "), told


def modes(bench):
    report = reports.known()
    truth, browser = Truth(report), bench.browser
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main')")
    everything, loop = truth.below(0), truth.below(1)
    whole = truth.sum("computation", everything) + truth.sum("mpi_time", everything)
    waits = truth.sum("waiting", everything)
    browser.eval("pick('metrics', 'Waiting'); toggle('metrics', 'Waiting')")
    browser.eval("set('x-mode', 'the whole')")
    near(bench.value("metrics", "Late sender"), truth.sum("late_sender", everything) / whole)
    browser.eval("set('x-mode', 'the metric')")
    near(bench.value("metrics", "Late sender"), truth.sum("late_sender", everything) / waits)
    browser.eval("pick('metrics', 'Computation'); toggle('calls', 'loop s.c:10')")
    near(bench.value("calls", "solve"), truth.sum("computation", truth.below(2)) / truth.sum("computation", everything))
    browser.eval("set('x-mode', 'the parent')")
    near(bench.value("calls", "solve"), truth.sum("computation", truth.below(2)) / truth.sum("computation", loop))
    browser.eval("set('x-mode', 'per rank')")
    near(bench.value("calls", "solve"), truth.sum("computation", truth.below(2)) / reports.RANKS)


def against_another_run(bench):
    """Every metric that the other run has, ratios too; of what it has not n/a."""
    report, browser = reports.known(), bench.browser
    truth = Truth(report)
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main')")
    browser.eval("set('x-mode', 'against 3 ranks')")
    near(bench.value("calls", "loop s.c:10"), truth.sum("computation", truth.below(1)) - 4.3)
    near(bench.value("metrics", "Waiting"), truth.sum("waiting", truth.below(0)) - 2.5)
    assert bench.value("metrics", "Ipc").startswith("-1 (-50"), bench.value("metrics", "Ipc")
    assert bench.value("metrics", "Delay cost") == "n/a"
    assert "largest run" in browser.eval("document.querySelector('.x-system .x-remark').textContent")


def against_another_run_of_an_older_report(bench):
    """Computation and time in MPI are told of every run, by run_s; of others n/a."""
    report, browser = reports.known(), bench.browser
    for metric in report["metrics"]:
        metric.pop("other_runs", None)
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main')")
    browser.eval("set('x-mode', 'against 3 ranks')")
    here, other = report["vertices"][1]["run_s"][1], report["vertices"][1]["run_s"][0]
    text = bench.value("calls", "loop s.c:10")
    near(text, here - other)
    assert text.startswith("+") and text.endswith("(+100 %)"), text
    assert bench.value("metrics", "Waiting") == "n/a"
    assert "largest run" in browser.eval("document.querySelector('.x-system .x-remark').textContent")


def against_another_report(bench):
    """Lines have moved, a context is new, one metric is not there; what is wrong is said."""
    report, browser, other = reports.known(), bench.browser, reports.known()
    for vertex in other["vertices"]:
        vertex["line"] += 7
    other["vertices"].append(reports.vertex(7, 2, "call", "flush", 99))
    other["metrics"][0]["rows"] = [reports.each_rank(3, [2] * 6), reports.each_rank(7, [0.5] * 6)]
    del other["metrics"][6]
    bench.open(report, "known")
    truth, theirs = Truth(report), Truth(other)

    said = "document.querySelector('#x-other').closest('.x-controls').querySelector('.missing').textContent"

    def choose(name, text):
        path = pathlib.Path(browser.home, name)
        path.write_text(text, encoding="utf-8")
        document = browser.send("DOM.getDocument")["root"]["nodeId"]
        node = browser.send("DOM.querySelector", nodeId=document, selector="#x-other")["nodeId"]
        browser.eval(f"{said} = 'not read'")
        browser.send("DOM.setFileInputFiles", files=[str(path)], nodeId=node)
        while browser.eval(said) == "not read":
            browser.send("Runtime.evaluate", expression="new Promise(r => setTimeout(r, 10))", awaitPromise=True)
        return browser.eval(said)

    assert choose("broken.json", "{") == "broken.json is not JSON"
    assert "not a report" in choose("list.json", "[]")
    assert "has no metrics" in choose("old.json", json.dumps(reports.older()))
    assert choose("other.json", json.dumps(other)) == ""
    assert "other.json" in browser.eval("document.getElementById('x-mode').selectedOptions[0].text")
    near(bench.value("metrics", "Computation"), truth.sum("computation", truth.below(0)) -
         theirs.sum("computation", theirs.below(0)))
    assert bench.value("metrics", "Delay cost") == "n/a"
    assert bench.value("metrics", "Ipc").startswith("0"), bench.value("metrics", "Ipc")
    browser.eval("document.querySelector('#cause-1 a.explore').click(); pick('metrics', 'Computation')")
    near(bench.value("calls", "loop s.c:20"), truth.sum("computation", [3]) - theirs.sum("computation", [3]))
    near(bench.value("calls", "solve"), truth.sum("computation", [2]) - theirs.sum("computation", [2, 7]))
    assert "1 context has no counterpart" in browser.eval("document.querySelector('.x-system .x-remark').textContent")


def not_counted_is_not_zero(bench):
    bench.open(reports.known(), "known")
    name = next(name for name in bench.told("metrics") if "Papi l2 tcm" in name)
    assert bench.told("metrics")[name] == "n/a" and reports.REASON in name, bench.told("metrics")
    bench.browser.eval("pick('metrics', 'Papi l2 tcm')")
    assert bench.value("calls", "main") == "n/a" and reports.REASON in bench.said(), bench.said()


def a_spread_is_told_as_one(bench):
    browser = bench.browser
    bench.open(reports.known(), "known")
    browser.eval("pick('metrics', 'Mpi bytes'); document.querySelector('a.explore').click(); "
                 "pick('metrics', 'Mpi bytes')")
    near(bench.value("calls", "loop s.c:20"), 9e5)
    remark = browser.eval("document.querySelector('.x-system .x-remark').textContent")
    assert "no value per rank" in remark, remark
    browser.eval("document.getElementById('x-tab-spread').click()")
    cells = browser.eval("[...document.querySelectorAll('.x-numbers tr')].map(r => [...r.children].map(c => c.textContent))")
    assert [row[0] for row in cells] == ["least", "5 %", "25 %", "median", "75 %", "95 %", "most"], cells
    for row, wanted in zip(cells, (1e5, 1.1e5, 1.3e5, 1.5e5, 1.7e5, 1.9e5, 2e5)):
        near(row[1], wanted)
    assert cells[0][2] == "rank 2" and cells[6][2] == "rank 4", cells


def map_and_distribution(bench):
    report = reports.known()
    truth, browser = Truth(report), bench.browser
    bench.open(report, "known")
    values = truth.ranks("computation", truth.below(0))
    browser.eval("document.getElementById('x-tab-map').click()")
    told = browser.eval("document.querySelector('.x-told').textContent")
    assert told.startswith("(1,1): rank 4, "), told
    near(told.split(", ")[1], max(values))
    browser.eval("document.querySelector('.x-map').dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp'}))")
    told = browser.eval("document.querySelector('.x-told').textContent")
    assert told.startswith("(0,1): rank 1, "), told
    near(told.split(", ")[1], values[1])
    browser.eval("document.getElementById('x-tab-spread').click()")
    cells = browser.eval("[...document.querySelectorAll('.x-numbers tr')].map(r => [...r.children].map(c => c.textContent))")
    near(cells[0][1], min(values))
    near(cells[6][1], max(values))
    counts = browser.eval("[...document.querySelectorAll('.x-spread .tick:not(.start):not(.end)')].map(t => +t.textContent)")
    assert sum(counts) == reports.RANKS, counts


def more_dimensions_are_folded_or_cut(bench):
    """2 x 2 x 3: the last two are drawn; a cell has the two ranks that differ in the first."""
    browser = bench.browser
    bench.open(reports.lattice(), "lattice")
    browser.eval("document.getElementById('x-tab-map').click()")

    def told(label=None, option=None):
        if label:
            browser.eval(f"(() => {{ const e = [...document.querySelectorAll('#x-part-map label')].find(l => "
                         f"l.textContent.startsWith('{label}')).querySelector('select'); e.selectedIndex = "
                         f"[...e.options].findIndex(o => o.text === '{option}'); e.dispatchEvent(new Event('change')); }})()")
        return browser.eval("document.querySelector('.x-told').textContent")

    assert told() == "(1,2): ranks 5, 11, the largest 12.00 s", told()
    assert told("of a cell", "the mean") == "(1,2): ranks 5, 11, the mean 9.000 s", told()
    assert told("of a cell", "the sum") == "(1,2): ranks 5, 11, the sum 18.00 s", told()
    assert told("dimension 1", "only 0") == "(1,2): rank 5, 6.000 s", told()
    assert told("Down", "dimension 1").startswith("(1,2): ranks 8, 11,"), told()


def keys(bench):
    """Arrows, Home and End, letters: the active item is named, and the ranks follow."""
    browser = bench.browser
    bench.open(reports.known(), "known")
    browser.eval("document.querySelector('.x-calls [role=tree]').focus()")

    def press(*names):
        for name in names:
            browser.send("Input.dispatchKeyEvent", type="keyDown", key=name, text=name if len(name) == 1 else "")
            browser.send("Input.dispatchKeyEvent", type="keyUp", key=name)
        return browser.eval("(() => { const t = document.activeElement, i = document.getElementById("
                            "t.getAttribute('aria-activedescendant')); return [i.getAttribute('aria-selected'), "
                            "i.getAttribute('aria-level'), i.getAttribute('aria-expanded'), i.textContent]; })()")

    assert press("ArrowRight")[:3] == ["true", "1", "true"]
    assert press("ArrowDown")[:3] == ["true", "2", "false"]
    assert press("ArrowRight")[:3] == ["true", "2", "true"]
    assert "solve" in press("ArrowRight")[3]
    assert "solve s.c:11, with all below it" in bench.said(), bench.said()
    assert "loop" in press("ArrowLeft")[3] and press("ArrowLeft")[2] == "false"
    assert "write_out" in press("End")[3] and "main" in press("Home")[3]
    assert "write_out" in press("w")[3]
    counted = browser.eval("rows('calls').every(r => r.getAttribute('aria-setsize') && r.getAttribute('aria-posinset'))")
    assert counted
    spoken = browser.eval("row('calls', 'write_out').getAttribute('aria-label')")
    assert re.fullmatch(r"write_out s\.c:40, 600\.0 ms", spoken), spoken


def search_and_filter(bench):
    browser = bench.browser
    bench.open(reports.known(), "known")
    browser.eval("type('barrier')")
    assert browser.eval("document.querySelector('.x-count').textContent") == "1 of 7 contexts"
    browser.eval("document.getElementById('x-only').click()")
    assert [name.split()[0] for name in bench.told("calls")] == ["main", "write_out", "MPI_Barrier"], bench.told("calls")
    browser.eval("document.getElementById('x-only').click(); type('waitall')")
    browser.eval("document.getElementById('x-search').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    assert "MPI_Waitall" in bench.said(), bench.said()


def a_cause_leads_there(bench):
    browser = bench.browser
    bench.open(reports.known(), "known")
    assert browser.eval("document.querySelector('#cause-1 a.explore').hash") == "#explorer"
    browser.eval("document.querySelector('#cause-1 a.explore').click()")
    assert bench.said().startswith("Delay cost of loop s.c:20: 7.500 s"), bench.said()
    assert browser.eval("document.activeElement.getAttribute('aria-labelledby')") == "x-h-calls"
    assert browser.eval("rows('calls').filter(r => r.getAttribute('aria-selected') === 'true').length") == 1
    selected = "rows('system').filter(r => r.getAttribute('aria-selected') === 'true').map(r => r.textContent).join()"
    assert "rank 4" in browser.eval(selected), browser.eval(selected)
    order = browser.eval("[...document.querySelectorAll('main > section')].map(s => s.id)")
    assert order.index("verdict") < order.index("causes") < order.index("explorer"), order


def heaviest_first(bench):
    report, browser = reports.known(), bench.browser
    truth = Truth(report)
    bench.open(report, "known")
    browser.eval("toggle('calls', 'main'); pick('calls', 'main'); pick('metrics', 'Mpi time'); set('x-order', 'heaviest')")
    assert [name.split()[0] for name in bench.told("calls")] == ["main", "loop", "write_out"], bench.told("calls")
    browser.eval("pick('metrics', 'Computation'); toggle('calls', 'main'); toggle('system', 'node2')")
    names = [name for name in bench.told("system") if "rank" in name.split()[0]]
    values = truth.ranks("computation", truth.below(0))
    assert [int(name.split()[1]) for name in names] == sorted((3, 4, 5), key=lambda r: (-values[r], r)), names
    assert next(iter(bench.told("system"))).startswith("node2"), bench.told("system")


def older_reports(bench):
    report, browser = reports.older(), bench.browser
    bench.open(report, "older")
    lacks = browser.eval("[...document.querySelectorAll('#explorer-panes > .x-remark')].map(p => p.textContent)")
    assert len(lacks) == 2 and "no metrics" in lacks[0] and "no hosts" in lacks[1], lacks
    assert list(bench.told("metrics")) == ["Computation", "Time in MPI"]
    near(bench.value("calls", "main"), sum(report["vertices"][0]["rank_s"]))
    near(bench.value("system", "rank 4"), report["vertices"][0]["rank_s"][4])


def hostile_names(bench):
    browser = bench.browser
    path = bench.open(reports.hostile(), "hostile")
    assert browser.eval("window.ran") is None
    assert browser.eval("document.scripts.length") == 2
    assert any(reports.SCRIPT in name for name in bench.told("metrics"))
    assert any(reports.SCRIPT in name for name in bench.told("system"))
    browser.eval("toggle('calls', 'script')")
    browser.eval("toggle('calls', 'loop')")
    assert any("<U+202E>gnp" in name for name in bench.told("calls")), bench.told("calls")
    assert "\u202e" not in pathlib.Path(path).read_text(encoding="utf-8")


def without_a_tree(bench):
    browser = bench.browser
    bench.open(reports.flat(40), "flat")
    first = browser.eval("told('calls')[3]")
    near(first[1], 18)
    assert first[2] is None and first[3] == 1, first
    bench.open(reports.base("empty", []), "empty")
    assert "no contexts or no ranks to explore" in browser.eval("document.getElementById('explorer-panes').textContent")


def ten_thousand_contexts(bench):
    report, browser = reports.many(), bench.browser
    bench.open(report, "many")
    truth = Truth(report)
    near(bench.value("calls", "main"), sum(row["sum"] for row in truth.metrics["computation"]["rows"]))
    assert browser.eval("rows('calls').length") < 60
    browser.eval("type('work_09999')")
    browser.eval("document.getElementById('x-search').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
    near(bench.value("calls", "work_09999"), truth.sum("computation", [9999]))
    near(bench.value("system", "rank 5"), truth.ranks("computation", [9999])[5])
    browser.eval("for (let i = 0; i < 6; i++) document.querySelector('.x-calls [role=tree]').dispatchEvent("
                 "new KeyboardEvent('keydown', {key: '*'}))")
    assert browser.eval("rows('calls').length") < 60


CLICKS = """(() => { const made = [], seen = new MutationObserver(() => {});
  seen.observe(document.getElementById('explorer'), {childList: true, subtree: true});
  const size = node => 1 + (node.querySelectorAll ? node.querySelectorAll('*').length : 0);
  const click = e => { seen.takeRecords(); press(e, 1);
    made.push(seen.takeRecords().flatMap(r => [...r.addedNodes]).reduce((n, node) => n + size(node), 0)); };
  for (const tab of ['ranks', 'map', 'spread']) {
    document.getElementById('x-tab-' + tab).click();
    rows('metrics').forEach((_, i) => click(rows('metrics')[i]));
    click(rows('metrics')[0]);
    click(rows('calls')[0].querySelector('.x-twisty'));
    for (let i = 0; i < Math.min(rows('calls').length, 10); i++)
      click(rows('calls')[i].querySelector('.x-twisty'));
  }
  return made; })()"""


def large_and_quick(bench):
    """1,024 ranks x 2,000 contexts: the page's size, and what a click makes anew."""
    path = bench.open(reports.large(2000, 1024, 60), "large")
    size = os.path.getsize(path)
    assert size < MOST_BYTES, size
    made = sorted(bench.browser.eval(CLICKS))
    print(f"        {size / 1e6:.2f} MB, {len(made)} clicks, the one that shows most makes {made[-1]} elements")
    assert 0 < made[-1] < MOST_MADE, made[-5:]


def readable_everywhere(bench):
    browser = bench.browser
    for width in (390, 800, 1280):
        for scheme in ("light", "dark"):
            for tab in ("ranks", "map", "spread"):
                bench.open(reports.known(), "known", width, scheme)
                browser.eval(f"document.getElementById('x-tab-{tab}').click()")
                wide = browser.eval("document.documentElement.scrollWidth")
                assert wide <= width, (width, scheme, tab, wide)
                browser.eval("document.getElementById('explorer').scrollIntoView()")
                browser.screenshot(f"explorer-{width}-{scheme}-{tab}")


def without_script(bench):
    """Verdict and tables stay; the explorer says what it needs."""
    browser = bench.browser
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        bench.open(reports.known(), "known")
        assert "needs JavaScript" in browser.eval("document.querySelector('#explorer noscript p').innerText")
        assert browser.eval("document.getElementById('explorer-panes').getBoundingClientRect().height") == 0
        assert browser.eval("document.querySelector('#verdict').innerText.length") > 40
        assert browser.eval("document.querySelectorAll('#tables tbody tr').length") > 5
    finally:
        browser.send("Emulation.setScriptExecutionDisabled", value=False)


TESTS = (metrics_and_their_parts, contexts_closed_and_open, ranks_by_host, threads_below_their_ranks,
         packages_and_named_topologies, modes, against_another_run, against_another_run_of_an_older_report,
         against_another_report,
         not_counted_is_not_zero, a_spread_is_told_as_one, map_and_distribution,
         more_dimensions_are_folded_or_cut, keys, search_and_filter, a_cause_leads_there, heaviest_first, older_reports,
         hostile_names, without_a_tree, ten_thousand_contexts, large_and_quick, readable_everywhere,
         without_script)


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        print("chromium is not installed (apt-get install chromium): skipped")
        return SKIPPED
    names, failed = sys.argv[2:], 0
    with Browser(program) as browser:
        bench = Bench(sys.argv[1], browser)
        for test in TESTS:
            if names and test.__name__ not in names:
                continue
            try:
                test(bench)
                print(f"ok      {test.__name__}")
            except AssertionError as error:
                failed += 1
                print(f"failed  {test.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
