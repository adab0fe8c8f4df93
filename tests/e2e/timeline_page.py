#!/usr/bin/env python3
"""timeline_page.py CASE: the timeline of the page in headless Chromium, of a run that was recorded once.

known_messages.tar.xz: rank 2 computes longest in its window, and others wait for it."""
import pathlib
import re
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import archives  # noqa: E402
import html_page  # noqa: E402
import scalana  # noqa: E402

CANVAS = "document.querySelectorAll('.timeline-canvas')[%d]"


def make_page(folder):
    page = folder / "page.html"
    with archives.unpacked(HERE / "known_messages.tar.xz") as runs:
        scalana.execute([scalana.DETECT, runs / "scalana-known_messages-4p", "--html", page, "-o", folder / "r.json"])
    return page


def seen(browser, which=0):
    """From when to when the picture shows, in seconds."""
    return [float(browser.eval(f"{CANVAS % which}.dataset.{name}")) for name in ("from", "to")]


def press(browser, *keys, where=CANVAS % 0):
    browser.eval(f"{where}.focus()")
    for key in keys:
        for kind in ("keyDown", "keyUp"):
            browser.send("Input.dispatchKeyEvent", type=kind, key=key)


def point(browser, kind, x, y, which=0, **more):
    """The mouse, in parts of the picture's width and in its rows."""
    box = browser.eval(f"(b => [b.left, b.top, b.width, {CANVAS % which}.rowHeight])"
                       f"({CANVAS % which}.getBoundingClientRect())")
    browser.send("Input.dispatchMouseEvent", type=kind, x=box[0] + 46 + x * (box[2] - 54),
                 y=box[1] + 4 + (y + 0.5) * box[3], **more)


def status(browser):
    return browser.eval("document.querySelector('.timeline-status').textContent")


def pixel(browser, x, row, which=0):
    """The colour of the picture there."""
    return browser.eval(f"(c => Array.from(c.getContext('2d').getImageData(46 + {x} * (c.clientWidth - 54), "
                        f"4 + ({row} + 0.3) * c.rowHeight, 1, 1).data))({CANVAS % which})")


def show(browser, page, width=1400, scheme="light"):
    browser.open(page, width, scheme)
    browser.eval("document.getElementById('timeline-panes').scrollIntoView()")


def whole(browser, page):
    """One file that loads nothing; two pictures, the mended one is over sooner; it fits everywhere."""
    for width, scheme in ((1400, "light"), (1400, "dark"), (420, "light"), (420, "dark")):
        show(browser, page, width, scheme)
        assert not browser.complaints(), browser.complaints()
        assert browser.requests() == [page.as_uri()] or not set(browser.requests()) - {page.as_uri(), "data:,"}
        assert browser.eval("document.documentElement.scrollWidth") <= width
        assert browser.eval("document.querySelectorAll('.timeline-canvas').length") == 2
        titles = browser.eval("Array.from(document.querySelectorAll('#timeline-pictures h3'), h => h.textContent)")
        times = [float(re.search(r": ([\d.]+) ms", title).group(1)) for title in titles]
        assert times[1] < times[0] / 2, titles
        balances = [int(re.search(r"load balance (\d+) %", title).group(1)) for title in titles]
        assert balances[0] < 45 and balances[1] > 90, titles
        busy, gone = pixel(browser, 0.1, 2), pixel(browser, 0.9, 2, 1)
        assert busy[3] == 255 and gone[3] == 0, (busy, gone)
        assert html_page.distinct_bytes(browser.screenshot(f"timeline-{width}-{scheme}")) > 40


def zoom(browser, page):
    """W, S, A and D, the wheel, and the pointer; both pictures go together."""
    show(browser, page)
    begin, end = seen(browser)
    press(browser, "w", "w")
    near = seen(browser)
    assert begin < near[0] < near[1] < end and seen(browser, 1) == near, near
    press(browser, "d")
    moved = seen(browser)
    assert abs((moved[1] - moved[0]) - (near[1] - near[0])) < 1e-9 and moved[0] > near[0], (near, moved)
    press(browser, "a", "a")
    assert seen(browser)[0] < near[0]
    press(browser, "s", "s", "s", "s", "s")
    assert seen(browser) == [begin, end]
    point(browser, "mouseWheel", 0.25, 1, deltaX=0, deltaY=-120)
    wheeled = seen(browser)
    assert wheeled[1] - wheeled[0] < end - begin, wheeled
    before = wheeled[0]
    point(browser, "mousePressed", 0.2, 1, button="left", buttons=1, clickCount=1)
    point(browser, "mouseMoved", 0.1, 1, button="left", buttons=1)
    point(browser, "mouseReleased", 0.1, 1, button="left", clickCount=1)
    assert seen(browser)[0] > before
    press(browser, "Home")
    assert seen(browser) == [begin, end]


def hover(browser, page):
    """What is under the pointer, and what the arrows select."""
    show(browser, page)
    point(browser, "mouseMoved", 0.2, 2)
    assert re.match(r"Rank 2, from .* computes in the .*known_messages\.c:\d+(, called at line \d+)?, critical", status(browser)), status(browser)
    point(browser, "mouseMoved", 0.15, 0)
    assert re.match(r"Rank 0, from .* waits in .* for rank 2\)", status(browser)), status(browser)
    press(browser, "ArrowLeft")
    assert re.match(r"Rank 0, .* computes in", status(browser)), status(browser)
    press(browser, "ArrowDown")
    assert status(browser).startswith("Rank 1,"), status(browser)
    press(browser, "Escape")
    assert "Point at a bar" in status(browser)


def find(browser, page):
    """What is not found pales; another window is another picture."""
    show(browser, page)
    bright = pixel(browser, 0.1, 2)
    browser.eval("(i => { i.value = 'sender'; i.dispatchEvent(new Event('input')); })"
                 "(document.querySelector('#timeline .filter input'))")
    assert pixel(browser, 0.1, 2)[3] < bright[3] / 2, pixel(browser, 0.1, 2)
    buttons = "document.querySelectorAll('.timeline-choice button')"
    names = browser.eval(f"Array.from({buttons}, b => b.textContent.split(':')[0])")
    assert names[:2] == ["typical", "slowest"], names
    first = seen(browser)
    browser.eval(f"{buttons}[1].click()")
    assert seen(browser)[1] > first[1]
    assert browser.eval(f"{buttons}[1].getAttribute('aria-pressed')") == "true"


def range_page(folder):
    page = folder / "phases.html"
    with archives.unpacked(HERE / "known_phases.tar.xz") as runs:
        scalana.execute([scalana.DETECT, runs / "scalana-known_phases-4p", "--html", page, "-o", folder / "p.json"])
    return page


def rank_times(browser):
    """Of the explorer's third pane, in milliseconds."""
    rows = browser.eval("Array.from(document.querySelectorAll('#x-part-ranks .x-row'), r => r.getAttribute('aria-label'))")
    found = [re.match(r"rank (\d).*, ([\d.]+) ms", row) for row in rows]
    return {int(m.group(1)): float(m.group(2)) for m in found if m}


def choose_range(browser, page):
    """known_phases: from iteration 33 on rank 2 computes three times as much. A range filters explorer, account and
    ranks by numbers and by the pointer; the whole run comes back."""
    show(browser, range_page(page.parent))
    field = "document.querySelectorAll('.range-bar input')[%d]"
    whole_run = rank_times(browser)
    for at, value in ((0, 33), (1, 47)):
        browser.eval(f"(i => {{ i.value = {value}; i.dispatchEvent(new Event('change')); }})({field % at})")
    said = browser.eval("document.querySelector('.range-said').textContent")
    assert said.startswith("Iterations 33 to 47, "), said
    balance = float(re.search(r"load balance ([\d.]+) %", said).group(1))
    assert balance < 60, said
    late = rank_times(browser)
    assert all(2.5 * late[rank] < late[2] < whole_run[2] for rank in (0, 1, 3)), (late, whole_run)
    account = browser.eval("document.querySelector('#account .range-panel').innerText")
    assert re.search(r"load balance\s+%.1f %%" % balance, account), account
    ranks = browser.eval("document.querySelector('#heat .range-panel').innerText")
    assert "rank 2 has most" in ranks, ranks
    metrics = browser.eval("document.querySelector('.x-metrics').innerText")
    assert "not known over time" in metrics, metrics
    drag = ("(c => { const b = c.getBoundingClientRect(), w = c.viewBox.baseVal.width, l = Number(c.dataset.left), "
            "r = Number(c.dataset.right); return [b.left + l / w * b.width, (r - l) / w * b.width, b.top + b.height / 2]; })"
            "(document.querySelector('svg.series'))")
    browser.eval("document.querySelector('svg.series').scrollIntoView()")
    left, width, y = browser.eval(drag)
    for kind, part in (("mousePressed", 0.0), ("mouseMoved", 0.2), ("mouseReleased", 0.4)):
        browser.send("Input.dispatchMouseEvent", type=kind, x=left + part * width, y=y, button="left", clickCount=1)
    early = browser.eval("document.querySelector('.range-said').textContent")
    assert re.match(r"Iterations 1 to 2[5-6], ", early), early
    assert browser.eval("document.querySelectorAll('.series-range').length") == 1
    early = rank_times(browser)
    assert max(early.values()) < 1.4 * min(early.values()), early
    browser.send("Emulation.setDeviceMetricsOverride", width=420, height=900, deviceScaleFactor=1, mobile=False)
    assert browser.eval("document.documentElement.scrollWidth") <= 420
    browser.eval("document.querySelector('.range-bar button').click()")
    assert rank_times(browser) == whole_run
    assert browser.eval("document.querySelectorAll('.range-panel').length") == 0
    assert not browser.complaints(), browser.complaints()


def curve(browser, page):
    """The curve: values under the pointer and by keys, zoom and pan, a legend that hides. Ranges follow the zoom."""
    show(browser, range_page(page.parent))
    said = "document.querySelector('.series-status').textContent"
    begins = "Array.from(document.querySelectorAll('svg.series text[data-end]'), t => t.textContent)"
    browser.eval("document.querySelector('svg.series').scrollIntoView()")
    left, width, y = browser.eval("(c => { const b = c.getBoundingClientRect(), w = c.viewBox.baseVal.width, l = "
                                  "Number(c.dataset.left); return [b.left + l / w * b.width, (c.dataset.right - l) / w * "
                                  "b.width, b.top + b.height / 2]; })(document.querySelector('svg.series'))")
    browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=left + 0.9 * width, y=y)
    late = browser.eval(said)
    number = int(re.match(r"Iteration (\d+), second ", late).group(1))
    assert number > 33 and "(rank 2)" in late, late
    whole_run = browser.eval(begins)
    press(browser, "ArrowLeft", where="document.querySelector('svg.series')")
    assert browser.eval(said).startswith(f"Iteration {number - 1}, "), browser.eval(said)
    press(browser, "w", "w", where="document.querySelector('svg.series')")
    near = browser.eval(begins)
    assert int(near[0].split()[1]) > 20 and int(near[1]) - int(near[0].split()[1]) <= 16, near
    press(browser, "a", where="document.querySelector('svg.series')")
    assert int(browser.eval(begins)[1]) < int(near[1]), browser.eval(begins)
    seen_first = int(browser.eval(begins)[0].split()[1])
    for kind, part in (("mousePressed", 0.0), ("mouseMoved", 0.5), ("mouseReleased", 1.0)):
        browser.send("Input.dispatchMouseEvent", type=kind, x=left + part * width, y=y, button="left", clickCount=1)
    chosen = re.match(r"Iterations (\d+) to (\d+), ", browser.eval("document.querySelector('.range-said').textContent"))
    assert abs(int(chosen.group(1)) - seen_first) <= 1 and int(chosen.group(2)) - int(chosen.group(1)) <= 17, chosen
    press(browser, "Home", where="document.querySelector('svg.series')")
    assert browser.eval(begins) == whole_run, browser.eval(begins)
    hidden = "getComputedStyle(document.querySelector('polyline.series-most')).display"
    toggle = "Array.from(document.querySelectorAll('.series-toggle')).find(b => b.textContent.includes('slowest'))"
    browser.eval(f"{toggle}.click()")
    assert browser.eval(hidden) == "none" and browser.eval(f"{toggle}.getAttribute('aria-pressed')") == "false"
    browser.eval(f"{toggle}.click()")
    assert browser.eval(hidden) != "none"
    assert not browser.complaints(), browser.complaints()


CASES = {"curve": curve, "whole": whole, "zoom": zoom, "hover": hover, "find": find, "range": choose_range}

if __name__ == "__main__":
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program:
        print("Chromium is not installed: skipped")
        sys.exit(html_page.SKIPPED)
    with tempfile.TemporaryDirectory(prefix="scalana-timeline-") as scratch, html_page.Browser(program) as started:
        made = make_page(pathlib.Path(scratch))
        for case in sys.argv[1:] or CASES:
            CASES[case](started, made)
