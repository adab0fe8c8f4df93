#!/usr/bin/env python3
"""Screens, manual pages and documents are in plain English, and what they lead to is there.

Sentences have at most 25 words, 15 on average; words that only this project understands have
better ones (english.py). Of sources the phrases count, of documents the prose.
"""

import re

import english
import house
import phrases
import prose

RULE = ("Subject first, active, the field's words (doc/glossary.md); at most 25 words a sentence, "
        "15 on average. tests/house/english.py has the words not to use.")

# Documents that are not yet so. One that is clean by now, or gone, leaves the list.
NOT_YET = set("""
""".split())

SCREENS = ("common", "detect", "moment", "viewer", "live", "prof", "static", "structure", "cli", "python")
SCRIPTS_OF_OTHERS = ("cli/job/",)  # job scripts and recipes
GLOSSARY = "doc/glossary.md"       # has the words that are replaced
PAGE = re.compile(r"\b(scalana[\w-]*) ?\((\d)\)")
INSTALLED = re.compile(r"share/doc/scalana/([\w/.-]+\.md)")


def text_of(path):
    return (house.ROOT / path).read_text(encoding="utf-8", errors="replace")


def screens():
    for path in house.files({".c", ".h", ".cpp", ".js", ".py"}, SCREENS):
        generates = path.suffix == ".py" and path.parts[0] != "python"  # at build time
        if not generates and not str(path).startswith(SCRIPTS_OF_OTHERS):
            for line, phrase in phrases.of_source(path, text_of(path)):
                yield f"{path}:{line}", phrase


def manuals():
    return [path for path in house.files({".in"}, ("doc",)) if re.search(r"\.\d\.in$", path.name)]


def documents():
    return [path for path in house.files({".md"})
            if path.parts[0] == "doc" or len(path.parts) == 1]


def header_comments():
    """Words only: a comment may list what a struct has in one long sentence."""
    for path in house.files({".h"}, ("include",)):
        for line, comment in phrases.comments(text_of(path)):
            for word, better in english.banned(comment):
                yield f'{path}:{line}: "{word}": say {better}'


def measured(name, texts):
    measure = english.Measure()
    for where, text in texts:
        measure.add(where, text)
    print(f"{name}: {len(measure.lengths)} sentences, {measure.mean():.1f} words on average")
    return measure.all_faults(name)


def of_manuals():
    for path in manuals():
        for line, text in prose.of_manual(text_of(path)):
            yield f"{path}:{line}", text


def lost_pages(where, text, names):
    """Manual pages, of these names, and installed documents that a text leads to."""
    for match in PAGE.finditer(text):
        if names and f"{match.group(1)}.{match.group(2)}" not in names:
            yield f"{where}: {match.group(0)} is no page"
    for match in INSTALLED.finditer(text):
        if not any((house.ROOT / folder / match.group(1)).is_file() for folder in ("doc", ".")):
            yield f"{where}: {match.group(0)} is not there"


def dead_links(path):
    text = text_of(path)
    for line, target in prose.links(text):
        name, _, anchor = target.partition("#")
        there = house.ROOT / path.parent / name if name else house.ROOT / path
        if not there.exists():
            yield f"{path}:{line}: {target} is not there"
        elif anchor and there.suffix == ".md" and anchor not in prose.anchors(text_of(there)):
            yield f"{path}:{line}: {target}: no such heading"


def faults_of_document(path):
    measure = english.Measure()
    for line, text in prose.of_document(text_of(path)):
        measure.add(f"{path}:{line}", text)
    return measure.all_faults(str(path)) + list(dead_links(path))


def of_documents():
    known = {str(path) for path in documents()}
    yield from (f"{name} is gone: take it off NOT_YET" for name in sorted(NOT_YET - known))
    for path in documents():
        found = faults_of_document(path)
        if str(path) not in NOT_YET:
            yield from found
        elif not found:
            yield f"{path} is in plain English by now: take it off NOT_YET"


def check():
    faults = measured("screens", screens()) + measured("manual pages", of_manuals())
    faults += [*header_comments(), *of_documents()]
    names = {re.sub(r"\.in$", "", path.name) for path in manuals()}
    leading = [(str(path), prose.plain_roff(text_of(path))) for path in manuals()]
    for where, text in [*screens(), *leading]:
        faults += lost_pages(where, text, names)
    return house.finish("house.words", faults, RULE)


if __name__ == "__main__":
    house.main(check)
