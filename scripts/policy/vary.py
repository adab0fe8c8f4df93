"""Judges all recorded runs again with each constant that decides lower and higher, by 30 % unless
told."""
import json
import tempfile
import pathlib

import constants
import difference
import recorded
from copy_of_sources import Copy, Failure

class Suite:
    """The recorded runs, with what the unchanged detector says of them."""

    def __init__(self, work, turns, scratch):
        self.tries, self.path = recorded.find(work, turns, scratch), scratch / "report.json"
        self.before = []
        if not self.tries:
            raise Failure(f"{work} holds no recorded runs of the truth suite")

    def learn(self, detector):
        reports = [one.report(detector, self.path) for one in self.tries]
        self.before = [(text, one.wrong(text)) for one, text in zip(self.tries, reports)]

    def changed(self, one, before, detector):
        try:
            text = one.report(detector, self.path)
        except Failure as failure:
            return "fails", str(failure)
        kind, told = difference.of_reports(before[0], text)
        if kind == "nothing":
            return kind, told
        verdict = difference.of_verdicts(before[1], one.wrong(text))
        return (verdict[0], f"{verdict[1]}; {kind}: {told}") if verdict else (kind, told)

    def changes(self, detector):
        """[{try, kind, what}] of those that change."""
        found = []
        for one, before in zip(self.tries, self.before):
            kind, told = self.changed(one, before, detector)
            if kind != "nothing":
                found.append({"try": one.name, "kind": kind, "what": told})
        return found


def trial(copy, suite, one, factor):
    """What that constant changes in the suite."""
    value = constants.varied(one, factor)
    changes = suite.changes(copy.detector_with(one, value))
    return {"value": value, "kind": difference.most([c["kind"] for c in changes]),
            "changes": changes}


def tell(one, way, result):
    print(f"{one.name} {one.text} {way}: {result['kind']}", flush=True)
    for change in result["changes"]:
        if change["kind"] != "digits":
            print(f"    {change['try']}: {change['kind']}: {change['what']}", flush=True)


def read(path):
    return json.loads(path.read_text())["constants"] if path and path.exists() else {}


def save(path, suite, done):
    if path:
        wrong = {t.name: w for t, (_, w) in zip(suite.tries, suite.before) if w}
        path.write_text(json.dumps({"schema": "scalana-policy/1", "tries": len(suite.tries),
                                    "wrong": wrong, "constants": done}, indent=1))


def way_of(factor):
    return f"{100 * (factor - 1):+.0f} %"


def vary_all(found, copy, suite, path, factors):
    """Leaves out what the file has of an earlier call that was broken off."""
    done = read(path)
    for one in found:
        before = done.get(one.name, {})
        if before.get("text") != one.text:
            done[one.name] = {"text": one.text}
        for way, factor in ((way_of(factor), factor) for factor in factors):
            if way not in done[one.name]:
                done[one.name][way] = trial(copy, suite, one, factor)
                tell(one, way, done[one.name][way])
                save(path, suite, done)


def vary(found, options):
    with tempfile.TemporaryDirectory() as scratch:
        copy = Copy(options.detect_build)
        suite = Suite(options.runs, options.turns, pathlib.Path(scratch))
        suite.learn(copy.detector)
        vary_all(found, copy, suite, options.json, options.factors)
