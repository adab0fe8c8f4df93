"""Instructions that the plugin adds to a compilation, counted by valgrind: the same in each run."""
import re
import shutil

import command
import launch
from output import table

NOTE = ("Instructions to compile the largest file of a program, wrappers and all they start included, "
        "counted by `valgrind --tool=callgrind`: no other work of the machine enters.")


def count(words, env, place):
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    launch.run(["valgrind", "-q", "--tool=callgrind", "--trace-children=yes",
                f"--callgrind-out-file={place}/%p", *words], cwd=place, env=env, timeout=3600)
    found = [re.search(r"^summary: (\d+)", path.read_text(errors="replace"), re.M)
             for path in place.iterdir() if path.name.isdigit()]
    if not any(found):
        raise command.Failure("callgrind gives no sum")
    return sum(int(summary.group(1)) for summary in found if summary)


def measure(options, programs, compilation, place):
    """(tables, raw counts); none where valgrind is missing or not wanted. `compilation(program,
    file, with_plugin)` gives words and environment."""
    if options.no_instructions or options.quick or not shutil.which("valgrind"):
        return [], {}
    rows, raw = [], {}
    for program in programs:
        largest = max(program.files, key=lambda path: path.stat().st_size)
        command.say(f"{program.name}: instructions to compile {largest.name}")
        plain, made = (count(*compilation(program, largest, plugin), place) for plugin in (0, 1))
        raw[program.name] = {"file": largest.name, "-g1": plain, "scalana-static": made}
        rows.append([program.name, largest.name, f"{plain / 1e6:,.0f}", f"{(made - plain) / 1e6:+,.1f}",
                     f"{100 * (made - plain) / plain:+.2f} %"])
    return [table("Instructions added", ["program", "file", "million", "added", "share"], rows,
                  NOTE)], raw
