"""Rewrites C and C++: a loop is wrapped into `do LOOP while (mutate_more(0));`, a call is put between
mutate_enter() and mutate_leave(). Line numbers stay."""
import re

import c_statements
import c_tokens
from c_statements import text_at
from edits import Refused, inserted

SPLIT = "the loop's work is split among threads"
NO_THREADS = f"#ifdef _OPENMP\n#error {SPLIT}\n#endif\n"
DECLARATION = ("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint mutate_more(int);\n"
               "void mutate_enter(int);\nvoid mutate_leave(int);\n"
               "#ifdef __cplusplus\n}\n#endif\n#line 1\n")
LEAVING = ("return", "co_return")
CONTROL = ("if", "for", "while", "switch", "catch")
TALK = re.compile(r"P?MPI_(?!Wtime|Abort|Comm_(?:rank|size)$)[A-Z]")
SPLIT_WORK = re.compile(r"#\s*pragma\s+(?:omp|acc)\s+(?!simd\b)(?!.*\bparallel\b)", re.DOTALL)


class Source:
    def __init__(self, text):
        self.text = text
        every = c_tokens.tokens(text)
        self.directives = [t for t in every if t.kind == "directive"]
        self.code = [t for t in every if t.kind != "directive"]
        if any(c_tokens.directive_name(t) == "line" for t in self.directives):
            raise Refused("the file counts its lines itself (#line)")

    def between(self, first, last):
        """The directives between two tokens."""
        begin = self.code[first].begin if first >= 0 else 0
        return [t for t in self.directives if begin < t.begin < self.code[last].begin]


def check_leaving(code):
    """Nothing leaves the loop but its end, a break or a continue."""
    words = [t.text for t in code]
    for i, token in enumerate(code):
        if token.kind == "word" and token.text in LEAVING:
            raise Refused(f"the loop is left by {token.text}")
        if token.kind == "word" and TALK.match(token.text) and text_at(code, i + 1) == "(":
            raise Refused(f"the loop calls {token.text}")
        if token.text == "goto" and not any(
                a == words[i + 1] and b == ":" for a, b in zip(words, words[1:])):
            raise Refused("the loop is left by goto")


def check_conditions(source, first, last):
    """Each side of an #if has whole brackets, and the loop does not end within one."""
    marks = sorted([*source.between(first, last), *source.code[first:last + 1]],
                   key=lambda t: t.begin)
    depth, opened = 0, []
    for token in marks:
        name = c_tokens.directive_name(token) if token.kind == "directive" else ""
        if name.startswith("if"):
            opened.append(depth)
        elif name.startswith(("el", "endif")) and (not opened or opened[-1] != depth):
            raise Refused("brackets differ between the sides of an #if")
        if name == "endif":
            opened.pop()
        if token.kind == "sign":
            depth += (token.text in "([{") - (token.text in ")]}")
    if opened:
        raise Refused("the loop ends within an #if")


def begin_of(source, first):
    """Where the wrapper goes: before the pragmas that belong to the loop."""
    before = source.between(first - 1, first)
    names = [c_tokens.directive_name(t) for t in before]
    if "pragma" not in names:
        return source.code[first].begin, "do "
    if first == 0 or any(name.startswith("el") for name in names):
        raise Refused("a pragma that depends on an #if stands before the loop")
    return source.code[first - 1].end, " do"


def repeat_loop(text, line):
    """What to insert to wrap the loop on that line."""
    source = Source(text)
    first, last = c_statements.loop_on(source.code, line)
    if text_at(source.code, first - 1) not in ("", ";", "{", "}", ")", "else", "do", ":"):
        raise Refused("the loop is no statement of its own")
    check_leaving(source.code[first:last + 1])
    check_conditions(source, first, last)
    split = any(SPLIT_WORK.match(t.text) for t in source.between(first - 1, first))
    return [*([(0, NO_THREADS)] if split else []), begin_of(source, first),
            (source.code[last].end, " while (mutate_more(0));")]


def statement_begin(code, i):
    """(first index, whether it is the body of an if or a loop) of the statement around a call."""
    while i > 0:
        before = code[i - 1].text
        if before in (";", "{", "}"):
            return i, False
        if before in ("else", "do"):
            return i, True
        if before == "(" and text_at(code, i - 2) in CONTROL:
            raise Refused(f"the call stands in the head of {code[i - 2].text}")
        if before == ")":
            head = c_statements.opening(code, i - 1)
            if text_at(code, head - 1) in CONTROL:
                return i, True
            i = head
        else:
            i -= 1
    raise Refused("the call stands in no statement")


def call_on(code, line, name):
    """The index of a call of that name; if there is none, of the one call through a pointer."""
    last_word = re.findall(r"[A-Za-z_]\w*", re.sub(r"<.*>|\(.*\)", "", name))[-1:]
    calls = [i for i, token in enumerate(code) if token.line == line and token.kind == "word"
             and token.text not in CONTROL and text_at(code, i + 1) in ("(", "<")]
    named = [i for i in calls if [code[i].text] == last_word]
    if not named and len(calls) != 1:
        raise Refused(f"no call of {name} on line {line}")
    return (named or calls)[0]


def mark_call(text, line, name):
    """What to insert to put the statement of a call of that name between the two marks."""
    source = Source(text)
    code = source.code
    call = call_on(code, line, name)
    first, alone = statement_begin(code, call)
    if code[first].text in (*LEAVING, *CONTROL, "do", "else", "case", "static", "goto", "default"):
        raise Refused(f"the call stands in a statement with {code[first].text}")
    if text_at(code, first - 1) == "{" and text_at(code, first - 2) in ("=", "]", ","):
        raise Refused("the call stands in an initializer")
    last = c_statements.simple_end(code, first)
    if not first <= call < last or source.between(first, last):
        raise Refused("the call's statement could not be told")
    around = ("{ mutate_enter(0); ", " mutate_leave(0); }") if alone else \
             ("mutate_enter(0); ", " mutate_leave(0);")
    return [(code[first].begin, around[0]), (code[last].end, around[1])]


def rewritten(text, insertions):
    """The text with lines before its first, which count as none."""
    threads = NO_THREADS if (0, NO_THREADS) in insertions else ""
    return threads + DECLARATION + inserted(text, [i for i in insertions if i[1] != NO_THREADS])
