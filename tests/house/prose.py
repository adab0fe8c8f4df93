"""The prose of manual pages and of documents: what is no code, table or heading."""

import re

FONT = re.compile(r"\.(B|I|BR|RB|BI|IR|IB|RI)\s+(.*)")
ESCAPE = {r"\-": "-", r"\(mu": "x", r"\&": "", r"\e": "\\"}
FENCE = re.compile(r"^\s*(```|~~~)")
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
OTHER = re.compile(r"^\s*(\||#|<|\[[^\]]+\]:)")


def plain_roff(line):
    line = re.sub(r"\\f[A-Z]", "", line)
    for escape, character in ESCAPE.items():
        line = line.replace(escape, character)
    return line


def of_manual(text):
    """(line, paragraph) of a page; a word in bold or italics is a name: it counts, and no more."""
    begun, words, example = 0, [], False
    for number, line in enumerate(text.split("\n") + [".PP"], 1):
        example = line.startswith(".EX") or (example and not line.startswith(".EE"))
        font = FONT.match(line)
        if font and not example:
            begun = begun or number
            names = plain_roff(font.group(2))
            words.append("X" + re.search(r"[.,;:)]*$", names).group(0))
        elif line.startswith((".", "'", "@", "\\f")) or example or not line.strip():
            if words:
                yield begun, " ".join(words)
            begun, words = 0, []
        else:
            begun = begun or number
            words.append(plain_roff(line))


def of_document(text):
    """(line, paragraph) of Markdown; code within a sentence is one word."""
    begun, words, code = 0, [], False
    for number, line in enumerate(text.split("\n") + [""], 1):
        fence = FENCE.match(line)
        code = code != bool(fence)
        indented = line.startswith("    ") and not words
        ends = fence or code or indented or OTHER.match(line) or not line.strip() or ITEM.match(line)
        if ends and words:
            yield begun, paragraph(words)
            begun, words = 0, []
        if not ends or (ITEM.match(line) and not code and not fence):
            begun = begun or number
            words.append(ITEM.sub("", line).strip().removeprefix("> "))


def paragraph(lines):
    text = re.sub(r"`+[^`]*`+", "X", " ".join(lines))
    text = LINK.sub(lambda match: match.group(1), text)
    return re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)", "", text)


def links(text):
    """(line, target) of what a document leads to, but for other sites."""
    code = False
    for number, line in enumerate(text.split("\n"), 1):
        code = code != bool(FENCE.match(line))
        for match in LINK.finditer("" if code else re.sub(r"`[^`]*`", "", line)):
            if not re.match(r"[a-z]+:", match.group(2)):
                yield number, match.group(2)


def anchors(text):
    """The names by which a document's headings are linked to."""
    titles = re.findall(r"^#+\s+(.*)$", text, re.M)
    bare = [re.sub(r"[^\w\s-]", "", re.sub(r"[`*]", "", LINK.sub(r"\1", t))).lower() for t in titles]
    return {title.strip().replace(" ", "-") for title in bare}
