"""A recording: runs of a program of the truth suite, with what is needed to judge them.

An archive NAME-WAY.tar.xz holds the run directories, the program (and its libraries) that they are of,
and expected.json: what the program's source said when it was recorded, and the seconds that it measured.
"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "truth")]
import judge  # noqa: E402
import program as suite  # noqa: E402
import archives  # noqa: E402  found by program, as is
import scalana  # noqa: E402

EXPECTED = "expected.json"


class Recorded:
    """What judge.judge() asks of a program."""

    def __init__(self, said):
        self.name, self.way, self.opt = said["program"], said["way"], said["opt"]
        self.causes = [suite.Cause(**{**cause, "waits": tuple(cause["waits"])})
                       for cause in said["causes"]]
        self.called_from = [tuple(site) for site in said["sites"]]

    def sites(self):
        return self.called_from


def said_by(program, planted):
    """For expected.json."""
    return {"program": program.name, "way": program.way, "opt": program.opt,
            "causes": [{**vars(cause), "waits": list(cause.waits)} for cause in program.causes],
            "sites": program.sites(), "planted": planted}


def size_of(run):
    return int(run.name.rsplit("-", 1)[1].rstrip("p"))


def judged(archive):
    """(judgement, what scalana-detect printed)"""
    with archives.unpacked(archive) as folder:
        runs = sorted(folder.glob("scalana-*p"), key=size_of)
        said = json.loads((folder / EXPECTED).read_text())
        report, done = scalana.detect(runs, folder)
        return judge.judge(Recorded(said), report, said["planted"], None), done.stdout


def fault_of(result):
    """None, or what is wrong: the verdict, or a gain that is not what was planted."""
    if result["wrong"]:
        return result["wrong"]
    for cause in result["causes"]:
        reported, planted = cause["gain"]["reported"], cause["gain"]["planted"]
        if cause["place"] and planted and abs(reported - planted) > judge.NEAR * planted:
            return f"gain {reported:.2f} core-s at {cause['file']}:{cause['line']}, {planted:.2f} planted"
    return None
