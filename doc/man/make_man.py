#!/usr/bin/env python3
"""make_man.py TEMPLATE OUT VERSION DATE [TOOL]: a manual page.

@VERSION@ and @DATE@ are filled in; @SYNOPSIS@ and @OPTIONS@ come from the tool's own options table
(TOOL --help=json), so that the page cannot tell of other options than the parser. @VERBS@ is a section
for each verb of a tool that has verbs.
"""

import json
import re
import subprocess
import sys
import textwrap


def escape(text):
    """Text of ours as man(7) wants it: dashes that are typed, other pages in bold."""
    text = re.sub(r"(^|[\s\"(])-", r"\1\\-", text.replace("\\", "\\e"))
    return re.sub(r"\b([a-z_-]+)\((\d)\)", r"\\fB\1\\fR(\2)", text)


def sentence(text, choices):
    """A line of --help as a sentence; the names of choices keep their small letters."""
    first = re.match(r"\w*", text).group(0)
    text = "One of " + text if first in re.split(r"\W+", choices) else text[0].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def option(entry):
    name = f"\\fB\\-\\-{entry['name'].replace('-', chr(92) + '-')}\\fR"
    value = f"=\\fI{entry['argument'].replace('-', chr(92) + '-')}\\fR" if entry["argument"] else ""
    letter = f"\\fB\\-{entry['letter']}\\fR, " if entry["letter"] else ""
    text = sentence(entry["help"], entry["choices"])
    text += " " + entry["detail"] if entry["detail"] else ""
    lines = re.split(r"(?<=[.!?]) (?=[A-Z0-9])", escape(text.replace("\n", "\n.br\n")))
    return ".TP\n" + letter + name + value + "\n" + "\n".join(lines)


def synopsis(usage):
    """A line per form: the commands bold, what stands for something else in italics."""
    lines = []
    for line in usage.split("\n"):
        words = []
        for word in line.split():
            word = word.replace("-", "\\-")
            word = re.sub(r"[A-Z]{2,}|\bN\b", lambda found: f"\\fI{found.group(0)}\\fR", word)
            words.append(word if "\\fI" in word or word in "|[]" else f"\\fB{word}\\fR")
        lines.append(" ".join(words))
    return "\n.br\n".join(lines)


def other_tool(verb):
    name = verb["passes_to"].replace("-", "\\-")
    return f".PP\nIts options are those of\n.BR {name} (1)." if name else ""


def verb_section(verb):
    command = verb["command"]
    options = [entry for entry in command["options"] if entry["name"] not in ("help", "version")]
    parts = [f".SS {verb['verb']}", synopsis(command["usage"]), ".PP", escape(command["summary"]),
             other_tool(verb), *map(option, options)]
    return "\n".join(part for part in parts if part)


def fold(page):
    """No line of text over 80 bytes; a request would not survive it, nor would an example."""
    lines, example = [], False
    for line in page.split("\n"):
        example = line.startswith(".EX") or (example and not line.startswith(".EE"))
        long = len(line.encode()) > 79 and not line.startswith((".", "\\fB")) and not example
        lines += textwrap.wrap(line, 79, break_long_words=False, break_on_hyphens=False) if long \
            else [line]
    return "\n".join("\\&" + line if re.match(r"[.'](?![A-Za-z\\]{1,2}\b)", line) else line
                     for line in lines)


def main():
    template, out, version, date, *tool = sys.argv[1:]
    with open(template, encoding="utf-8") as stream:
        page = stream.read()
    if tool:
        said = subprocess.run([tool[0], "--help=json"], capture_output=True, text=True, check=True)
        table = json.loads(said.stdout)
        if "verbs" in table:
            page = page.replace("@VERBS@", "\n".join(map(verb_section, table["verbs"])))
        else:
            page = page.replace("@SYNOPSIS@", synopsis(table["usage"]))
            page = page.replace("@OPTIONS@", "\n".join(map(option, table["options"])))
    page = page.replace("@VERSION@", version).replace("@DATE@", date)
    with open(out, "w", encoding="utf-8") as stream:
        stream.write(fold(page))


if __name__ == "__main__":
    main()
