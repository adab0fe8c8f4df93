#!/usr/bin/env python3
"""smoke.py BENCH [OPTION...]: scripts/bench-BENCH.sh --quick works: it leaves a table with rows,
which becomes a document; and what is wrong on its command line is said in one line."""
import json
import pathlib
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests" / "support"))
import scalana  # noqa: E402, F401  it gives mpirun a session folder of its own


def script(bench, *options):
    return subprocess.run([TOP / "scripts" / f"bench-{bench}.sh", *options], text=True,
                          capture_output=True, check=False)


def check_result(bench, folder, options):
    done = script(bench, "--quick", "--out", folder, *options)
    assert done.returncode == 0, done.stderr
    result = json.loads((folder / f"{bench}.json").read_text())
    assert result["quick"] and result["tables"], result
    for table in result["tables"]:
        assert table["rows"], table["title"]
    assert result["machine"]["cores"] >= 1 and "load_after" in result["machine"]
    assert (folder / f"{bench}.md").read_text().strip() == done.stdout.strip()


def check_section(folder):
    """The truth alone is put into a document that is there."""
    target = folder / "section.md"
    target.write_text("# Figures\n\n## Truth\n\nold\n\n## Storage\n\nkept\n")
    done = script("truth", "--quick", "--out", folder, "--figures", target)
    assert done.returncode == 0, done.stderr
    text = target.read_text()
    assert "true rates that chance allows" in text and "old" not in text and "kept" in text, text
    assert text.index("## Truth") < text.index("## Storage")


def check_document(folder):
    target = folder / "figures.md"
    subprocess.run(["python3", "-B", TOP / "scripts" / "bench" / "figures.py", folder, target],
                   check=True, stderr=subprocess.DEVNULL)
    assert "too short to measure" in target.read_text()


def check_errors(bench, folder):
    done = script(bench, "--prefix", folder / "nowhere", "--out", folder)
    assert done.returncode == 1 and "install ScalAna there" in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert script(bench, "--no-such-option").returncode == 2
    assert "--quick" in script(bench, "--help").stdout


def main():
    bench, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_errors(bench, folder)
        check_result(bench, folder, options)
        check_document(folder)
        if bench == "truth":
            check_section(folder)


if __name__ == "__main__":
    main()
