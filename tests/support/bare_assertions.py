"""A bare assertion that fails says what it asked for, and what its names stood for."""
import linecache
import re
import sys

EACH = 100  # characters of a value


def asked(trace):
    """`assert a < b`, with a = 2 and b = 1."""
    while trace.tb_next:
        trace = trace.tb_next
    frame = trace.tb_frame
    line = linecache.getline(frame.f_code.co_filename, trace.tb_lineno).strip()
    names = [name for name in dict.fromkeys(re.findall(r"[A-Za-z_]\w*", line)) if name in frame.f_locals]
    values = ", ".join(f"{name} = {repr(frame.f_locals[name])[:EACH]}" for name in names)
    return f"{line}: {values}" if values else line


def hook(kind, error, trace):
    if kind is AssertionError and not error.args:
        error.args = (asked(trace),)
    sys.__excepthook__(kind, error, trace)


sys.excepthook = hook
