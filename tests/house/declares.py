"""What a C header declares: macros, tags, members, enumerators, types, functions and variables."""

import re

TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\\\n|[^\n])*", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*", re.M)
TAG = re.compile(r"\b(?:struct|union|enum)\s+(\w+)\s*(?=[{;])")
DECLARATOR = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:[;,=(){:]|$)")
FUNCTION_POINTER = re.compile(r"\(\s*\*\s*(\w+)")


def bare(text):
    """Without comments, strings and characters."""
    return TOKEN.sub(" ", text)


def names(text):
    """Every identifier of a source."""
    return set(NAME.findall(bare(text)))


def without_bodies(code):
    """A function's body is nothing that others see; a struct's and an enum's are."""
    kept, depth, function = [], 0, False
    for position, character in enumerate(code):
        if character == "{" and depth == 0:
            before = code[:position].rstrip()
            function = before.endswith(")")
        depth += (character == "{") - (character == "}")
        if not (function and depth > 0):
            kept.append(character)
        if depth == 0 and character == "}":
            function = False
    return "".join(kept)


def without_arguments(code):
    """Parameters' names are nobody else's."""
    before = None
    while before != code:
        before, code = code, re.sub(r"(\w)\s*\([^()]+\)", r"\1()", code)
        code = re.sub(r"\(\s*\*\s*(\w+)\s*\)\s*\([^()]*\)", r"\1", code)
    return code


def declared(text):
    """The names that a header brings into a file that includes it."""
    text = bare(text)
    found = {name for name in DEFINE.findall(text) if not name.endswith("_H")}  # guards
    code = without_bodies(DIRECTIVE.sub("", text))
    found |= set(FUNCTION_POINTER.findall(code))
    code = without_arguments(code)
    found |= set(TAG.findall(code)) | set(DECLARATOR.findall(code))
    return found - {"const", "void", "int", "char", "double", "static", "inline", "struct", "enum"}
