"""The command lines of documents: which pages there are, and the blocks of each."""
import pathlib
import re
import textwrap

SOURCES = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = ("sh", "text", "c", "python", "cmake")
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)


def pages():
    """All documents of the project, by their path from its top."""
    found = [*SOURCES.glob("*.md"), *(SOURCES / "doc").rglob("*.md")]
    return sorted(path.relative_to(SOURCES) for path in found)


def blocks(text):
    """(language, code) of each block of code."""
    for match in FENCE.finditer(text):
        yield match.group(2), textwrap.dedent(match.group(3))


def commands(page):
    text = (SOURCES / page).read_text(encoding="utf-8")
    return [code for language, code in blocks(text) if language == "sh"]


def name_of(page):
    return str(page.with_suffix("")).removeprefix("doc/").replace("/", ".").lower()


if __name__ == "__main__":  # for CMake: the pages that have command lines
    print(";".join(str(page) for page in pages() if commands(page)))
