#!/usr/bin/env python3
"""Opens HTML reports in headless Chromium: no console message, no request, nothing blank.

html_page.py MAKE_PAGE [TEST...]: without names, all tests. HTML_KEEP=DIR keeps the screenshots there.
"""

import base64
import html.parser
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

SKIPPED = 77
PHONE, DESKTOP = 390, 1280
SOURCE = "".join(f"    a[{i}] = work({i}); /* line {i} */\n" for i in range(1, 100))
VOID = {"meta", "link", "input", "br"}


class Browser:
    """Chromium, spoken to over a pair of pipes (fds 3 and 4), one JSON text per message."""

    def __init__(self, program):
        self.home = tempfile.mkdtemp(prefix="sca-html-")
        to_child, self.to_browser = os.pipe()
        self.from_browser, from_child = os.pipe()
        command = [program, "--headless", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                   "--disable-background-networking", "--remote-debugging-pipe",
                   f"--user-data-dir={self.home}/profile"]
        if os.geteuid() == 0:
            command.append("--no-sandbox")
        shell = f'exec "$@" 3<&{to_child} 4>&{from_child}'
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", *command],
                                        pass_fds=(to_child, from_child),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.to_browser)
        self.process.terminate()
        self.process.wait(120)
        os.close(self.from_browser)
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            chunk = os.read(self.from_browser, 1 << 16)
            if not chunk:
                raise AssertionError("the browser ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width=DESKTOP, scheme="light"):
        self.events.clear()
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 600)
        self.prefer(scheme)
        self.send("Page.navigate", url=pathlib.Path(path).as_uri())
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())

    def prefer(self, scheme):
        """What a page that is open obeys at once."""
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def eval(self, expression):
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def complaints(self):
        self.eval("0")  # whatever was said before is here when the answer is
        said = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        return [event for event in self.events if event["method"] in said]

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e["method"] == "Network.requestWillBeSent"]

    def screenshot(self, name):
        if os.environ.get("HTML_KEEP"):
            full = self.send("Page.captureScreenshot", captureBeyondViewport=True, clip={
                "x": 0, "y": 0, "scale": 1, "width": self.eval("innerWidth"),
                "height": self.eval("document.documentElement.scrollHeight")})
            pathlib.Path(os.environ["HTML_KEEP"], f"{name}.png").write_bytes(
                base64.b64decode(full["data"]))
        return base64.b64decode(self.send("Page.captureScreenshot", optimizeForSpeed=True)["data"])


def distinct_bytes(png):
    """How many different bytes the picture's rows hold: a blank page has a handful."""
    data, at = b"", 8
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    return len(set(zlib.decompress(data)))


class Checker(html.parser.HTMLParser):
    """Every tag closed in order, ids unique and referred to, nothing outside the page named."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.wanted, self.faults = [], set(), set(), []
        self.count = {}

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        values = dict(attributes)
        if len(values) != len(attributes):
            self.faults.append(f"<{tag}>: an attribute twice")
        if tag not in VOID:
            self.open.append(tag)
        self.check_names(tag, values)

    def check_names(self, tag, values):
        if "id" in values:
            if values["id"] in self.ids:
                self.faults.append(f"id {values['id']} twice")
            self.ids.add(values["id"])
        self.wanted |= set(values.get("aria-labelledby", "").split())
        for name in ("href", "src", "srcset", "action", "data", "xlink:href"):
            target = values.get(name, "#")
            if target.startswith("#"):
                self.wanted |= {target[1:]} - {""}
            elif target != "data:,":
                self.faults.append(f"<{tag} {name}={target}>")
        if any(name.startswith("on") or name == "style" for name in values):
            self.faults.append(f"<{tag}>: inline style or handler")

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> out of order at {self.getpos()}")


class Bench:
    def __init__(self, make_page, browser):
        self.make, self.browser = make_page, browser
        self.source = os.path.join(browser.home, "cg.c")
        with open(self.source, "w", encoding="utf-8") as stream:
            stream.write(SOURCE)

    def page(self, kind):
        """Made once."""
        path = os.path.join(self.browser.home, f"{kind}.html")
        if not os.path.exists(path):
            subprocess.run([self.make, kind, path, self.source], check=True)
        return path


KINDS = ("cg", "healthy", "hostile", "wide", "large")


def well_formed(bench):
    for kind in KINDS:
        text = pathlib.Path(bench.page(kind)).read_text(encoding="utf-8")
        checker = Checker()
        checker.feed(text)
        checker.close()
        assert not checker.faults and not checker.open, (kind, checker.faults[:5], checker.open)
        missing = checker.wanted - checker.ids
        assert not missing, (kind, missing)
        assert checker.count["script"] == 2 and checker.count["h1"] == 1
        assert "http:" not in text and "https:" not in text, kind
        cells = re.findall(r"h(\d+)v\d+h-(\d+)z", text)
        assert cells and all(there == back for there, back in cells), (kind, cells[:3])
        assert len(text.encode()) < 2_000_000, (kind, len(text))


def open_quietly(bench, kind, width):
    """It complains of nothing, and asks for nothing outside."""
    path = bench.page(kind)
    bench.browser.open(path, width)
    assert not bench.browser.complaints(), (kind, bench.browser.complaints())
    outside = [url for url in bench.browser.requests()
               if url not in (pathlib.Path(path).as_uri(), "data:,")]
    assert not outside, (kind, outside)


def quiet_on_phone_and_desktop(bench):
    browser = bench.browser
    for kind in KINDS:
        for width in (PHONE, DESKTOP):
            open_quietly(bench, kind, width)
            for scheme in ("light", "dark"):
                browser.prefer(scheme)
                wide = browser.eval("document.documentElement.scrollWidth")
                assert wide <= width, (kind, width, wide)
                for part in ("verdict", "graph", "heat") if scheme == "light" else ("heat",):
                    browser.eval(f"document.getElementById('{part}').scrollIntoView()")
                    found = distinct_bytes(browser.screenshot(f"{kind}-{width}-{scheme}"))
                    assert found > 40, (kind, width, scheme, part, found)


def light_and_dark(bench):
    backs = []
    for scheme in ("light", "dark"):
        bench.browser.open(bench.page("cg"), scheme=scheme)
        backs.append(bench.browser.eval("getComputedStyle(document.body).backgroundColor"))
    assert backs[0] == "rgb(255, 255, 255)" and backs[1] != backs[0], backs


def tables_sort(bench):
    browser = bench.browser
    browser.open(bench.page("cg"))
    first = "document.querySelector('#t-causes tbody tr').cells[0].textContent"
    button = "document.querySelectorAll('#t-causes th button')[%d]"
    header = f"{button % 6}.closest('th').getAttribute('aria-sort')"
    assert browser.eval(first) == "1"
    browser.eval(f"{button % 6}.click()")
    assert (browser.eval(first), browser.eval(header)) == ("1", "descending")
    browser.eval(f"{button % 6}.click()")
    assert (browser.eval(first), browser.eval(header)) == ("2", "ascending")
    browser.eval(f"{button % 1}.click()")
    assert browser.eval(header) is None
    assert browser.eval("document.querySelectorAll('#t-causes th[aria-sort]').length") == 1


def keys_reach_everything(bench):
    """Tab and Enter alone sort; what scrolls can be reached and has a name."""
    browser = bench.browser
    browser.open(bench.page("cg"))
    browser.eval("document.querySelectorAll('#t-causes th button')[7].focus()")
    for kind in ("keyDown", "keyUp"):
        browser.send("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", text="\r",
                     windowsVirtualKeyCode=13)
    assert browser.eval("document.activeElement.closest('th').getAttribute('aria-sort')")
    nameless = "[...document.querySelectorAll('.scroll, pre')].filter(" \
               "e => e.tabIndex < 0 || !e.getAttribute('aria-label')).length"
    assert browser.eval(nameless) == 0


def tables_filter(bench):
    browser = bench.browser
    browser.open(bench.page("cg"))
    browser.eval("""(() => { const input = document.querySelector('#tables .filter input');
      input.value = 'SERIAL'; input.dispatchEvent(new Event('input')); })()""")
    shown = "[...document.querySelectorAll('#t-causes tbody tr')].filter(r => !r.hidden).length"
    assert browser.eval(shown) == 1
    assert browser.eval("document.querySelector('#tables .filter [role=status]').textContent") == "1 of 3 rows"


def pictures_have_names_and_numbers(bench):
    browser = bench.browser
    browser.open(bench.page("cg"))
    for check in ("svg[role=img] > title:first-child", "figure svg"):
        assert browser.eval(f"document.querySelectorAll('{check}').length") >= 8, check
    bare = "[...document.querySelectorAll('figure')].filter(f => f.querySelector('svg') && " \
           "!f.querySelector('table')).length"
    assert browser.eval(bare) == 0
    assert browser.eval("[...document.querySelectorAll('table')].every(t => t.caption)")
    levels = browser.eval("[...document.querySelectorAll('h1,h2,h3')].map(e => +e.tagName[1])")
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels


def programs_cannot_run_script(bench):
    browser = bench.browser
    browser.open(bench.page("hostile"))
    assert browser.eval("document.querySelector('h1').textContent") == "a\tb\u2407<script>"
    assert browser.eval("document.scripts.length") == 2
    refused = browser.eval("""(() => { const s = document.createElement('script');
      s.textContent = 'window.ran = 1'; document.body.append(s); return window.ran; })()""")
    assert refused is None


TESTS = (well_formed, quiet_on_phone_and_desktop, light_and_dark, tables_sort,
         keys_reach_everything, tables_filter, pictures_have_names_and_numbers,
         programs_cannot_run_script)


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
