"""Where statements of C and C++ begin and end, in a list of tokens without directives."""
from edits import Refused

CLOSING = {"(": ")", "[": "]", "{": "}"}
LOOPS = ("for", "while", "do")


def text_at(code, i):
    return code[i].text if 0 <= i < len(code) else ""


def matching(code, i):
    """The index of the bracket that closes the one at i."""
    open_ones = []
    while i < len(code):
        text = code[i].text if code[i].kind == "sign" else ""
        if text in CLOSING and text:
            open_ones.append(CLOSING[text])
        elif text in (")", "]", "}"):
            if open_ones.pop() != text:
                break
            if not open_ones:
                return i
        i += 1
    raise Refused("brackets do not match")


def opening(code, i):
    """The index of the bracket that the one at i closes."""
    depth = 0
    for at in range(i, -1, -1):
        if code[at].kind == "sign":
            depth += (code[at].text in ")]}") - (code[at].text in "([{")
            if depth == 0:
                return at
    raise Refused("brackets do not match")


def after_head(code, i):
    """The index behind `word [constexpr] ( ... )`."""
    i += 1
    while text_at(code, i) in ("constexpr", "consteval"):
        i += 1
    if text_at(code, i) != "(":
        raise Refused(f"no bracket behind {code[i - 1].text}")
    return matching(code, i) + 1


def simple_end(code, i):
    """The index of the `;` that ends an expression or a declaration."""
    while i < len(code):
        text = code[i].text if code[i].kind == "sign" else ""
        if text == ";":
            return i
        if text in (")", "]", "}"):
            break
        i = matching(code, i) + 1 if text in CLOSING and text else i + 1
    raise Refused("a statement has no end")


def do_tail(code, i):
    """The index of the `while` of the `do` at i."""
    tail = statement_end(code, i + 1) + 1
    if text_at(code, tail) != "while":
        raise Refused("a do has no while")
    return tail


def if_end(code, i):
    end = statement_end(code, after_head(code, i))
    return statement_end(code, end + 2) if text_at(code, end + 1) == "else" else end


def try_end(code, i):
    end = statement_end(code, i + 1)
    while text_at(code, end + 1) == "catch":
        end = statement_end(code, after_head(code, end + 1))
    return end


def statement_end(code, i):
    """The index of the last token of the statement that begins at i."""
    text = text_at(code, i)
    if text == "{":
        return matching(code, i)
    if text == "do":
        return simple_end(code, do_tail(code, i))
    if text in ("for", "while", "switch"):
        return statement_end(code, after_head(code, i))
    if text == "if":
        return if_end(code, i)
    if text == "try":
        return try_end(code, i)
    if text_at(code, i + 1) == ":" and text_at(code, i + 2) != ":" and text != "?":
        return statement_end(code, i + 2)  # a label
    return simple_end(code, i)


def tails(code):
    """The index of each `while` that ends a do, with that of its `do`."""
    found = {}
    for i, token in enumerate(code):
        if token.kind == "word" and token.text == "do":
            try:
                found[do_tail(code, i)] = i
            except Refused:
                pass
    return found


def loop_on(code, line):
    """(first, last) index of the outermost loop whose keyword stands on the line."""
    ends = tails(code)
    for i, token in enumerate(code):
        if token.line == line and token.kind == "word" and token.text in LOOPS:
            first = ends.get(i, i)
            return first, statement_end(code, first)
    raise Refused("no for, while or do on that line: a macro, or a library's loop")
