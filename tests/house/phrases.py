"""The phrases on the screens: what the sources have as strings, line by line."""

import ast
import re

C_TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|(?P<string>"(?:\\.|[^"\\\n])*")|'(?:\\.|[^'\\\n])*'"""
                     r"""|(?P<number>\bPRI\w+)|\s+|[^\s"'/P]+|.""", re.S)
JS_STRING = re.compile(r"\"((?:\\.|[^\"\\\n])*)\"|`([^`]*)`")
CODE = re.compile(r"\\\"[\w$@-]+\\\":|\w=\\\"|[{}]|\\n\\t|\.cfi|%%r[a-z]{2}|\[label|\[color|\$\(")
TAG = re.compile(r"<[^<>]*>")
BLOCK = re.compile(r"</?(?:p|li|ul|ol|h\d|td|th|tr|b|caption|summary|title|figcaption|section)\b[^<>]*>")
DIRECTIVE = re.compile(r"%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]")
INCLUDE = re.compile(r"^#\s*include[^\n]*", re.M)
CHOICES = re.compile(r'\.choices\s*=\s*(?:"[^"]*"\s*)+')  # of an option: a list, no sentence
VALUES = re.compile(r'[\w-]*\|\s*[\w-]*|"[^"]*"|`[^`]*`|[\w-]+ {3,}')
COMMENT = re.compile(r"/\*(.*?)\*/|//([^\n]*)", re.S)


def c_strings(text):
    """(line, string) with strings that follow each other joined, as the compiler does."""
    line, begun, parts = 1, 0, []
    text = CHOICES.sub(lambda list_: "\n" * list_.group(0).count("\n"), INCLUDE.sub("", text))
    for match in C_TOKEN.finditer(text):
        token = match.group(0)
        if match.group("string"):
            begun = begun or line
            parts.append(token[1:-1])
        elif match.group("number") and parts:
            parts.append("d")
        elif not (token.isspace() or token.startswith(("/*", "//"))) and parts:
            yield begun, "".join(parts)
            begun, parts = 0, []
        line += token.count("\n")
    if parts:
        yield begun, "".join(parts)


def js_strings(text):
    for number, line in enumerate(text.split("\n"), 1):
        for match in JS_STRING.finditer(line):
            yield number, match.group(1) or match.group(2) or ""


def _documents(tree):
    """The strings that document modules, classes and functions: no screen shows them."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, kinds)]
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


def python_strings(text):
    """What is filled in is one word, as of a format of C."""
    tree = ast.parse(text)
    joined = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = _documents(tree) | {id(part) for node in joined for part in node.values}
    for node in joined:
        parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        yield node.lineno, "".join(parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.lineno, node.value


READERS = {".js": js_strings, ".py": python_strings}


def as_text(string):
    """A string as a reader sees it; what is filled in is one word."""
    string = TAG.sub("", BLOCK.sub("\n", string.replace("\\\"", '"')))
    string = string.replace("%%", "%").replace("\\n", "\n").replace("\\t", " ")
    string = re.sub(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}", "x", string)
    return DIRECTIVE.sub("X", string)


def of_source(path, text):
    """(line, text) of each phrase: what is code in another language is none."""
    for line, string in READERS.get(path.suffix, c_strings)(text):
        bare = TAG.sub("", string)
        if not CODE.search(bare) and len(re.findall(r"[A-Za-z]{2,}", bare)) >= 2:
            yield line, as_text(string)


def comments(text):
    """(line, text) of each comment, without the values that it lists or quotes."""
    for match in COMMENT.finditer(text):
        lines = (match.group(1) or match.group(2) or "").split("\n")
        said = " ".join(line.strip().removeprefix("*").strip() for line in lines)
        yield text.count("\n", 0, match.start()) + 1, VALUES.sub("", said)
