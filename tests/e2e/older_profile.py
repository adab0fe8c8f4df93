#!/usr/bin/env python3
"""older_profile.py MAKE_RUN PROGRAM

Profiles of version 6, which have the same in another order, are read as they always were. So are those of
version 4, which say neither how long the intervals were that samples lay in nor of which thread these are, and
of version 3, which do not say either to which call they led. Older ones are refused."""
import pathlib
import struct
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import scalana  # noqa: E402

SOURCE = HERE / "programs" / "ways.c"
HEADER, CHUNK = struct.Struct("<8sII"), struct.Struct("<IIQQ")
RANKS = 2


def get_varint(data, at):
    value, shift = 0, 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at


def put_varint(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


SECTIONS = {2: 74, 3: 74, 4: 75, 5: 77, 6: 79}  # of a rank's image, by version
OFFSET, NEVENTS, EVENTS, ROWS = 68, 70, 72, (79, 80)  # sections of windows and events


def get_varints(data):
    out, at = [], 0
    while at < len(data):
        value, at = get_varint(data, at)
        out.append(value)
    return out


def take(raw, at, lengths):
    out = []
    for length in lengths:
        out.append(raw[at:at + length])
        at += length
    return out, at


def from_planes(raw, at, numbers):
    """The section of each rank: so many varints of each, whose first bytes come first."""
    count, planes = sum(numbers), []
    while count:
        (plane,), at = take(raw, at, [count])
        planes.append(iter(plane))
        count = sum(byte > 127 for byte in plane)

    def number():
        for plane in planes:
            byte = next(plane)
            yield byte
            if byte < 128:
                return
    return [b"".join(bytes(number()) for _ in range(n)) for n in numbers], at


def section(raw, at, ranks):
    form, numbers, at = raw[at], [], at + 1
    for _ in range(ranks):
        value, at = get_varint(raw, at)
        numbers.append(value)
    return from_planes(raw, at, numbers) if form else take(raw, at, numbers)


def with_rows(rest, rows, offsets, nevents):
    """The events as they were before their rows lay apart."""
    out, done, at = b"", 0, 0
    for offset, n in zip(offsets, nevents, strict=True):
        before = offset - len(out)
        out += rest[at:at + before] + b"".join(row[done:done + n] for row in rows)
        done, at = done + n, at + before
    return out + rest[at:]


def events_of(image):
    offsets, at = [], 0
    for step in get_varints(image[OFFSET]):
        at += (step >> 1) ^ -(step & 1)
        offsets.append(at)
    return with_rows(image[EVENTS], [image[row] for row in ROWS], offsets,
                     get_varints(image[NEVENTS]))


def older_group(raw, sections):
    """Without the last sections of all ranks, and as they sent them."""
    first, at = get_varint(raw, 0)
    ranks, at = get_varint(raw, at)
    n, at = get_varint(raw, at)
    columns = []
    for _ in range(n):
        column, at = section(raw, at, ranks)
        columns.append(column)
    assert at == len(raw), (at, len(raw))
    columns[EVENTS] = [events_of(image) for image in zip(*columns, strict=True)]
    out = put_varint(first) + put_varint(ranks) + put_varint(sections)
    return out + b"".join(put_varint(len(bytes_)) + bytes_
                          for column in columns[:sections] for bytes_ in column)


def chunks(data):
    at = HEADER.size + 4
    while at < len(data):
        tag, coding, _, stored = CHUNK.unpack_from(data, at)
        body = data[at + CHUNK.size + 4:][:stored]
        yield tag, zlib.decompress(body) if coding else body
        at += CHUNK.size + 4 + stored


def older_file(data, version):
    magic, _, ranks = HEADER.unpack_from(data, 0)
    head = HEADER.pack(magic, version, ranks)
    out = head + struct.pack("<I", zlib.crc32(head))
    for tag, raw in chunks(data):
        raw = older_group(raw, SECTIONS[version]) if struct.pack("<I", tag) == b"RANK" else raw
        head = CHUNK.pack(tag, 0, len(raw), len(raw))
        out += head + struct.pack("<I", zlib.crc32(head + raw)) + raw
    return out


def computation(report):
    return sum(next(v["rank_s"] for v in report["vertices"] if v["kind"] == "root"))


def without_account(report):
    """Nor the noise: how much equal ranks differ is told by intervals, which are fewer there. Nor
    waits, which are replayed."""
    left_out = ("account", "noise", "noisy", "wait_s")
    return [{key: value for key, value in run.items() if key not in left_out}
            for run in report["runs"]]


def account(report):
    """What was computed. Replays go by intervals, which an older profile does not tell apart."""
    parts = report["runs"][0]["account"]
    return {of: parts[f"{of}_core_s"] for of in ("useful", "extra", "communication", "tool")}


def check_waits(report):
    """They are replayed, by fewer intervals: as much as the ranks had, at most."""
    run = report["runs"][0]
    assert 0 <= run["wait_s"] <= RANKS * run["wall_s"], run


def older_report(run, data, version, work):
    (run / "profile.sca").write_bytes(older_file(data, version))
    return scalana.detect([run], work)[0]


def recorded(work):
    """A run of a program, whatever disturbed it."""
    program = scalana.compile_program(SOURCE, work / "ways")
    scalana.mpirun(RANKS, [program], cwd=work)
    run = work / f"scalana-ways-{RANKS}p"
    now, _ = scalana.detect([run], work)
    data = (run / "profile.sca").read_bytes()
    assert older_report(run, data, 6, work) == now
    before = older_report(run, data, 4, work)
    for field in ("runs", "vertices", "root_causes", "waits", "metrics", "locations", "topologies"):
        assert before[field] == now[field], field
    before = older_report(run, data, 3, work)
    assert without_account(before) == without_account(now), (before["runs"], now["runs"])
    for part, seconds in account(now).items():
        assert abs(account(before)[part] - seconds) < 1e-6, (part, before["runs"], now["runs"])
    assert abs(computation(before) - computation(now)) < 1e-6
    check_waits(before)
    (run / "profile.sca").write_bytes(older_file(data, 2))
    _, done = scalana.detect([run], work, check=False)
    assert done.returncode == 1 and "version 2" in done.stderr, (done.returncode, done.stderr)


def generated(make_run, program, work):
    """Nothing disturbs it: the older ones' whole report is the same."""
    run = work / "generated"
    scalana.execute([make_run, "--cause=imbalance", "--ranks=8", "--phases=4", program, run])
    now, _ = scalana.detect([run], work)
    data = (run / "profile.sca").read_bytes()
    assert now["root_causes"] and now["runs"][0]["wait_s"] > 0, now["runs"]
    for version in (6, 4, 3):
        assert older_report(run, data, version, work) == now, version


def main():
    with tempfile.TemporaryDirectory() as folder:
        recorded(pathlib.Path(folder))
        generated(*sys.argv[1:], pathlib.Path(folder))


if __name__ == "__main__":
    main()
