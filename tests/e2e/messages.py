#!/usr/bin/env python3
"""messages.py CASE: what views and the trace say of messages, against a program whose numbers are known.

The run on four ranks was recorded once, with SCALANA_RECORD=full: known_messages.tar.xz."""
import collections
import csv
import io
import json
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import archives  # noqa: E402
import scalana  # noqa: E402

SKIPPED = 77
SOURCE = HERE / "programs" / "known_messages.c"
RANKS, STEPS, RINGS = 4, 12, (100, 500, 100)
HALO, RING, JOBS = RANKS * STEPS * 4, RANKS * len(RINGS), 2 * (RANKS - 1)
MESSAGES = HALO + RING + JOBS
BYTES = HALO // 4 * (2 * 1000 + 2 * 4000) + RANKS * sum(RINGS) + (RANKS - 1) * (256 + 16)


def asked(folder, *options, check=True):
    """What scalana-detect says of the run."""
    run = folder / "scalana-known_messages-4p"
    return scalana.execute([scalana.DETECT, *options, run], cwd=folder, check=check)


def rows(folder, *options):
    """A view's, by column."""
    return list(csv.DictReader(io.StringIO(asked(folder, *options, "--format=csv").stdout)))


def matrix(folder):
    """Who with whom: on the torus of 2 x 2 each rank has two neighbours, twice each."""
    sent = {(int(r["from"]), int(r["to"])): (int(r["messages"]), int(r["bytes"]))
            for r in rows(folder, "--view=communication")}
    expected = collections.defaultdict(lambda: [0, 0])
    for rank in range(RANKS):
        pairs = [(rank ^ 2, 2 * STEPS, 2 * STEPS * 1000), (rank ^ 1, 2 * STEPS, 2 * STEPS * 4000),
                 ((rank + 1) % RANKS, len(RINGS), sum(RINGS))]
        pairs += [(0, 1, 16)] if rank else [(worker, 1, 256) for worker in range(1, RANKS)]
        for to, messages, size in pairs:
            expected[rank, to][0] += messages
            expected[rank, to][1] += size
    assert sent == {pair: tuple(of) for pair, of in expected.items()}, sent
    for r in rows(folder, "--view=communication"):
        assert (r["messages"], r["bytes"]) == (r["received"], r["received_bytes"]), r


def sizes(folder):
    """All were recorded one by one: sizes have least, most and standard deviation."""
    by_call = {(r["name"], r["way"], r["function"]): r for r in rows(folder, "--view=messages")}
    halo = by_call["MPI_Isend", "sent", "halo"]
    assert (int(halo["messages"]), int(halo["min_bytes"]), int(halo["max_bytes"])) == (HALO, 1000, 4000), halo
    deviation = (HALO * 1500 ** 2 / (HALO - 1)) ** 0.5
    assert abs(float(halo["sd_bytes"]) - deviation) < 1e-3, halo
    assert int(halo["recorded_calls"]) == HALO and float(halo["sd_s [s]"]) > 0, halo
    assert float(halo["min_s [s]"]) > 0, halo
    ring = by_call["MPI_Sendrecv", "sent", "ring"]
    assert (int(ring["min_bytes"]), int(ring["max_bytes"]), int(ring["messages"])) == (100, 500, RING), ring
    broadcast = by_call["MPI_Bcast", "collective", "main"]
    assert (int(broadcast["messages"]), int(broadcast["mean_bytes"])) == (10 * RANKS, 8000), broadcast
    sent = [r for r in rows(folder, "--view=messages") if r["way"] == "sent"]
    assert sum(int(r["messages"]) for r in sent) == MESSAGES
    assert sum(int(r["bytes"]) for r in sent) == BYTES


def path(folder):
    """Every fourth iteration has a ring too: two kinds, both by rank 2, whose work all wait for."""
    line = next(n for n, text in enumerate(SOURCE.read_text().splitlines(), 1) if "/* MAIN */" in text)
    found = rows(folder, "--view=path", f"--loop={SOURCE.name}:{line}")
    kinds = [r for r in found if r["activity"] == "kind"]
    assert [int(k["count"]) for k in kinds] == [STEPS - len(RINGS), len(RINGS)], kinds
    for kind in ("1", "2"):
        steps = [r for r in found if r["iteration_kind"] == kind and r["rank"]]
        longest = max(steps, key=lambda r: float(r["mean_s [s]"]))
        assert longest["rank"] == "2", longest
        assert steps[-1]["name"] == "MPI_Allreduce" and steps[-1]["activity"] == "collective", steps
        assert any(r["name"] == "MPI_Sendrecv" for r in steps) == (kind == "2"), steps
    refused = asked(folder, "--view=path", f"--loop={SOURCE.name}:{line + 1}", check=False)
    assert refused.returncode == 2 and f"Did you mean {SOURCE.name}:{line}" in refused.stderr, refused.stderr


def reported(folder):
    """The report has the same windows, where it is asked for them; mended, the typical one is shorter."""
    target = folder / "report.json"
    asked(folder, "-o", str(target))
    assert "timelines" not in json.loads(target.read_text())
    asked(folder, "-o", str(target), "--timelines")
    windows = json.loads(target.read_text())["timelines"]["windows"]
    assert [w["name"] for w in windows][:2] == ["typical", "slowest"], [w["name"] for w in windows]
    spans = windows[0]["measured"]["spans"]
    longest = max((end - begin, row) for begin, end, row, critical in
                  zip(spans["begin_s"], spans["end_s"], spans["row"], spans["critical"]) if critical)
    assert windows[0]["ranks"][longest[1]] == 2, longest
    assert windows[0]["mended"]["end_s"] < windows[0]["measured"]["end_s"], windows[0]["mended"]["end_s"]
    assert asked(folder, "--timelines", check=False).returncode == 2


def timeline(folder):
    """In the typical window all wait for rank 2; in the rarest workers compute one after the other."""
    spans = rows(folder, "--view=timeline")
    for window in ("typical", "slowest"):
        for rank in range(RANKS):
            mine = [s for s in spans if s["window"] == window and int(s["rank"]) == rank]
            assert mine and all(float(a["end_s [s]"]) <= float(b["begin_s [s]"]) + 1e-9
                                for a, b in zip(mine, mine[1:])), (window, rank)
    work = [s for s in spans if s["window"] == "typical" and s["critical"] == "1"]
    assert {s["activity"] for s in work} == {"computes"}, work
    longest = max(work, key=lambda s: float(s["end_s [s]"]) - float(s["begin_s [s]"]))
    assert longest["rank"] == "2", longest
    workers = [s for s in spans if s["window"] == "rarest" and s["function"] == "work" and s["kind"] == "loop"
               and float(s["begin_s [s]"]) > 3e-3 and float(s["end_s [s]"]) - float(s["begin_s [s]"]) > 1e-3]
    workers.sort(key=lambda s: float(s["begin_s [s]"]))
    assert [s["rank"] for s in workers] == ["1", "2", "3"] and all(s["critical"] == "1" for s in workers), workers
    reported(folder)
    text = asked(folder, "--view=timeline").stdout
    assert all(len(line) <= 80 for line in text.splitlines()), text
    assert re.search(r"^typical: .*\n(?:  \w.*\n)? +0 \|.*\|\n +1 \|", text, flags=re.MULTILINE), text


def decoded(text):
    """protoc's text of a trace: packets as lists of (field, value), inner ones flattened."""
    for packet in re.split(r"^packet \{$", text, flags=re.MULTILINE)[1:]:
        yield re.findall(r"^\s+(\w+): (.*)$", packet, flags=re.MULTILINE)


def check_slices(events):
    """Those of a track begin and end in turn, in the order of time."""
    depth, last = collections.Counter(), collections.Counter()
    for packet in events:
        track, kind, time = packet["track_uuid"], packet["type"], int(packet["timestamp"])
        assert time >= last[track], (track, time, last[track])
        last[track] = time
        depth[track] += {"TYPE_SLICE_BEGIN": 1, "TYPE_SLICE_END": -1}.get(kind, 0)
        assert depth[track] in (0, 1), (track, time)
    assert not any(depth.values())


def trace(folder):
    """As many flows as the program sends messages, each with both ends; bytes add up."""
    if not shutil.which("protoc"):
        print("protoc is not installed (apt-get install protobuf-compiler): skipped")
        return SKIPPED
    target = folder / "known.pftrace"
    asked(folder, f"--export=perfetto:{target}")
    text = scalana.execute(["bash", "-c", f"protoc --decode=Trace -I {HERE} track_event.proto < {target}"]).stdout
    assert not re.search(r"^\s+\d+[:{]", text, flags=re.MULTILINE), "fields that the schema does not have"
    packets = list(decoded(text))
    begun, ended = ([value for p in packets for name, value in p if name == field]
                    for field in ("flow_ids", "terminating_flow_ids"))
    assert len(begun) == len(set(begun)) == MESSAGES, len(begun)
    assert sorted(begun) == sorted(ended)
    events = [dict(p) for p in packets if any(name == "track_uuid" for name, _ in p)]
    check_slices(events)
    calls = [e for e in events if e["type"] == "TYPE_SLICE_BEGIN" and "MPI_Isend" in e["name"]]
    assert len(calls) == HALO, len(calls)
    counters = {e["track_uuid"]: int(e["counter_value"]) for e in events
                if e["type"] == "TYPE_COUNTER" and int(e["track_uuid"]) < 2 << 32}
    assert len(counters) == RANKS and sum(counters.values()) == BYTES, counters
    names = {dict(p).get("process_name") for p in packets}
    assert {f'"rank {rank}"' for rank in range(RANKS)} <= names, names
    return 0


def archive(folder):
    """As many messages as the program sends, and both ends of each; what ranks enter they leave."""
    target = folder / "known-otf2"
    done = asked(folder, f"--export=otf2:{target}", check=False)
    if "without libotf2" in done.stderr or not shutil.which("otf2-print"):
        print("libotf2 or otf2-print is not installed (apt-get install libotf2-trace-dev otf2-tools): skipped")
        return SKIPPED
    assert done.returncode == 0, done.stderr
    printed = scalana.execute(["otf2-print", target / "traces.otf2"])
    assert "error" not in printed.stdout + printed.stderr, printed.stderr
    events = [line.split() for line in printed.stdout.splitlines()]
    count = collections.Counter(words[0] for words in events if words)
    assert count["MPI_SEND"] == count["MPI_RECV"] == MESSAGES, count
    assert count["ENTER"] == count["LEAVE"] > MESSAGES, count
    assert count["MPI_COLLECTIVE_BEGIN"] == count["MPI_COLLECTIVE_END"], count
    last = collections.Counter()
    for words in events:
        if words and words[0] in ("ENTER", "LEAVE"):
            assert int(words[2]) >= last[words[1]], words
            last[words[1]] = int(words[2])
    assert len(last) == RANKS, last
    again = asked(folder, f"--export=otf2:{target}", check=False)
    assert again.returncode == 1 and again.stderr.endswith("known-otf2 is there already\n"), again.stderr
    return 0


def main():
    with archives.unpacked(HERE / "known_messages.tar.xz") as folder:
        return {"matrix": matrix, "sizes": sizes, "path": path, "timeline": timeline,
                "trace": trace, "archive": archive}[sys.argv[1]](folder) or 0


if __name__ == "__main__":
    sys.exit(main())
