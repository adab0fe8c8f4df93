#!/usr/bin/env python3
"""Reads what --export writes, as the tools it is for would.

exports.py MAKE_EXPORT: dot reads its graphs where it is installed; speedscope reads its profiles
and folded stacks where `speedscope` is (npm install -g speedscope) and chromium; Hatchet reads its
literals and Caliper's json-split, Extra-P its lines, where their Python packages are. These are in
no Debian package: where they are missing, what their documents and sources ask for is checked.
"""

import base64
import html
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KINDS = ("cg", "hostile", "wide")
FORMATS = ("caliper", "dot", "extrap", "folded", "hatchet", "psg", "speedscope")


def near(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-6)


def folded_total(path):
    total, seen = 0, set()
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            stack, count = line.rstrip("\n").rsplit(" ", 1)
            assert all(stack.split(";")) and stack not in seen, line
            seen.add(stack)
            total += int(count)
    return total / 1e6


def package(name):
    """A Python package, if it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name.split(".")[0]) else None


def check_folded(path, total, _):
    assert abs(folded_total(path) - total) < 0.01, (folded_total(path), total)
    return by_speedscope(path, "stacks.txt", "stacks.txt", "") or "structure"


def check_hatchet(path, total, _):
    with open(path, encoding="utf-8") as stream:
        roots = json.load(stream)

    inclusive = set()

    def own(node):
        assert set(node) <= {"frame", "metrics", "children"}
        assert all(node["frame"][key] for key in ("name", "type"))
        assert all(isinstance(value, (int, float)) for value in node["metrics"].values())
        parts = sum(own(child) for child in node.get("children", []))
        assert near(node["metrics"]["time (inc)"], node["metrics"]["time"] + parts), node["frame"]
        names = [name for name in node["metrics"] if not name.endswith(" (inc)")]
        for name in names:
            below = sum(child["metrics"][f"{name} (inc)"] for child in node.get("children", []))
            assert near(node["metrics"][f"{name} (inc)"], node["metrics"][name] + below), name
        inclusive.update(f"{name} (inc)" for name in names)
        return node["metrics"]["time (inc)"]

    assert near(sum(map(own, roots)), total)
    hatchet = package("hatchet")
    if not hatchet:
        return "structure"
    frame = hatchet.GraphFrame.from_literal(roots)
    assert near(frame.dataframe["time"].sum(), total) and set(frame.inc_metrics) == inclusive
    return "hatchet"


def check_speedscope(path, total, ranks):
    with open(path, encoding="utf-8") as stream:
        file = json.load(stream)
    assert file["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames, seconds = file["shared"]["frames"], 0
    assert all(isinstance(frame["name"], str) for frame in frames)
    assert len(file["profiles"]) == ranks
    for profile in file["profiles"]:
        assert profile["type"] == "sampled" and profile["unit"] == "nanoseconds"
        assert len(profile["samples"]) == len(profile["weights"])
        assert all(0 <= i < len(frames) for stack in profile["samples"] for i in stack)
        assert sum(profile["weights"]) == profile["endValue"] - profile["startValue"]
        seconds += profile["endValue"] / 1e9
    assert abs(seconds - total) < 0.02 * total, (seconds, total)
    return by_speedscope(path, "profile.json", file["name"], "rank 0") or "structure"


def by_speedscope(path, file, title, sign):
    """Opens the profile in speedscope itself, the way its command does."""
    command, browser = shutil.which("speedscope"), shutil.which("chromium")
    if not command or not browser:
        return None
    release = pathlib.Path(command).resolve().parents[1] / "dist" / "release"
    loader = pathlib.Path(path + ".js")
    content = base64.b64encode(pathlib.Path(path).read_bytes()).decode()
    loader.write_text(f'speedscope.loadFileFromBase64("{file}", "{content}")')
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         f"--user-data-dir={path}.chromium", "--virtual-time-budget=8000", "--dump-dom",
         f"file://{release}/index.html#localProfilePath={loader}"],
        capture_output=True, text=True, check=True, timeout=500).stdout
    assert f"<title>{html.escape(title)} - speedscope" in shown and sign in shown, shown[:400]
    return "speedscope"


def check_caliper(path, total, ranks):
    with open(path, encoding="utf-8") as stream:
        file = json.load(stream)
    width = len(file["columns"])
    assert len(file["column_metadata"]) == width and len(set(file["columns"])) == width
    assert file["columns"][:2] == ["mpi.rank", "sum#time.duration"]
    assert file["columns"][-1] == "path" and all(len(row) == width for row in file["data"])
    for number, node in enumerate(file["nodes"]):
        assert node["label"] and node["column"] == "path" and node.get("parent", -1) < number
    assert all(0 <= row[0] < ranks and 0 <= row[-1] < len(file["nodes"]) for row in file["data"])
    seconds = sum(row[1] for row in file["data"])
    assert abs(seconds - total) < 0.02 * total, (seconds, total)
    hatchet = package("hatchet")
    if not hatchet:
        return "structure"
    frame = hatchet.GraphFrame.from_caliper(path).dataframe
    assert near(frame["time"].sum(), seconds), (frame["time"].sum(), seconds)
    for number, column in enumerate(file["columns"][2:-1], 2):
        assert near(frame[column].sum(), sum(row[number] or 0 for row in file["data"])), column
    return "hatchet"


def check_extrap(path, _, ranks):
    points, paths, calls = set(), {}, 0
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            entry = json.loads(line)
            assert set(entry) == {"params", "callpath", "metric", "value"}
            key = (entry["callpath"], entry["params"]["p"])
            assert key not in paths, key
            paths[key] = entry["value"]
            points.add(entry["params"]["p"])
            calls += 1
    assert max(points) == ranks and calls == len(points) * len({path for path, _ in paths})
    extrap = package("extrap.fileio.file_reader.jsonlines_file_reader")
    if not extrap:
        return "structure"
    experiment = extrap.read_jsonlines_file(path)
    assert len(experiment.coordinates) == len(points), experiment.coordinates
    assert len(experiment.callpaths) == len({path for path, _ in paths})
    return "Extra-P"


def check_dot(path, _, __):
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    assert text.startswith("digraph ") and text.count("{") - text.count("}") in (0, 1, -1)
    if not shutil.which("dot"):
        return "structure"
    subprocess.run(["dot", "-Tplain", "-o", os.devnull, path], check=True, timeout=500)
    return "dot"


check_psg = check_dot


def check(make, kind, folder):
    paths = {name: os.path.join(folder, f"{kind}.{name}") for name in FORMATS}
    subprocess.run([make, kind, *[f"{name}:{path}" for name, path in paths.items()]], check=True)
    with open(paths["speedscope"], encoding="utf-8") as stream:
        ranks = len(json.load(stream)["profiles"])
    with open(paths["hatchet"], encoding="utf-8") as stream:
        total = sum(root["metrics"]["time (inc)"] for root in json.load(stream))
    for name, path in paths.items():
        by = globals()[f"check_{name}"](path, total, ranks)
        print(f"ok      {kind} {name} ({by})")


def main():
    with tempfile.TemporaryDirectory(prefix="sca-export-") as folder:
        for kind in KINDS:
            check(sys.argv[1], kind, folder)


if __name__ == "__main__":
    main()
