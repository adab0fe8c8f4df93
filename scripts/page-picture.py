#!/usr/bin/env python3
"""Takes the picture of a report's page that README.md shows.

    scripts/page-picture.py REPORT.html [PICTURE.png]      (default: doc/page.png)

The picture has the section of causes. It needs Chromium.
"""
import base64
import pathlib
import shutil
import sys

TOP = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tests" / "e2e"))
import html_page  # noqa: E402

WIDTH = 960


def edge_of(browser, name, side):
    return browser.eval(f"document.getElementById('{name}').getBoundingClientRect().{side} + scrollY")


def picture(page):
    with html_page.Browser(shutil.which("chromium")) as browser:
        browser.open(page, WIDTH)
        top, bottom = (edge_of(browser, "causes", side) for side in ("top", "bottom"))
        taken = browser.send("Page.captureScreenshot", captureBeyondViewport=True, clip={
            "x": 0, "y": top, "scale": 1, "width": WIDTH, "height": bottom - top})
        return base64.b64decode(taken["data"])


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    if not shutil.which("chromium"):
        sys.exit("page-picture.py: Chromium is missing (apt-get install chromium)")
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else TOP / "doc" / "page.png"
    target.write_bytes(picture(pathlib.Path(sys.argv[1]).resolve()))
