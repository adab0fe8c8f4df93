"""Judges all recorded runs again with each constant that decides lower and higher, by 30 % unless
told; or with each rule switched off."""
import json
import pathlib
import tempfile

import degrees
import difference
import recorded
import rules
from copy_of_sources import Copy, Failure

STRONG = ("fails", "verdict", "causes")  # of a rule no more need be known


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

    def changes(self, detector, which, enough):
        """[{try, kind, what}] of those that change, up to a kind that is enough."""
        found = []
        for i in which:
            kind, told = self.changed(self.tries[i], self.before[i], detector)
            if kind != "nothing":
                found.append({"try": self.tries[i].name, "kind": kind, "what": told})
            if kind in enough:
                break
        return found


def asked(suite, copy, found, scratch):
    """Per rule, by name, the tries in which it was asked."""
    of = {rule.name: [] for rule in found}
    for i, one in enumerate(suite.tries):
        path = scratch / f"asked{i}"
        one.report(copy.detector_with(f"{rules.ENTERED}={path}"), suite.path)
        for name in rules.entered(path, found):
            of[name].append(i)
    return of


def tell(name, text, way, result):
    print(f"{name} {text} {way}: {result['kind']}", flush=True)
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


class Trials:
    """Leaves out what the file has of an earlier call that was broken off."""

    def __init__(self, suite, copy, path):
        self.suite, self.copy, self.path, self.done = suite, copy, path, read(path)

    def trial(self, setting, which, enough):
        changes = self.suite.changes(self.copy.detector_with(setting), which, enough)
        return {"value": setting.rsplit("=", 1)[1], "asked": len(which),
                "kind": difference.most([c["kind"] for c in changes]), "changes": changes}

    def vary(self, one, ways, which, enough=()):
        """In those tries, in each of those ways."""
        entry = self.done.setdefault(one.name, {})
        if entry.get("text") != one.text:
            entry = self.done[one.name] = {"text": one.text}
        for way, setting in ways:
            if way not in entry:
                entry[way] = self.trial(setting, which, enough)
                tell(one.name, one.text, way, entry[way])
                save(self.path, self.suite, self.done)


def opened(options, plant, scratch):
    copy = Copy(options.detect_build, plant)
    suite = Suite(options.runs, options.turns, scratch)
    suite.learn(copy.detector)
    return suite, copy, Trials(suite, copy, options.json)


def vary(found, options):
    with tempfile.TemporaryDirectory() as scratch:
        suite, _, trials = opened(options, degrees.plant, pathlib.Path(scratch))
        for one in found:
            trials.vary(one, degrees.ways(one, options), range(len(suite.tries)))


def switch_off(everything, found, options):
    """The rules that are found, of everything that has a switch."""
    with tempfile.TemporaryDirectory() as scratch:
        suite, copy, trials = opened(options, rules.plant, pathlib.Path(scratch))
        which = asked(suite, copy, everything, pathlib.Path(scratch))
        for one in found:
            trials.vary(one, rules.ways(one), which[one.name], STRONG)
