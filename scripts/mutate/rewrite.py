"""Plants a defect in a source and takes it out again."""
import c_source
import fortran_source
from edits import Refused
from program import C_SUFFIXES, FIXED_SUFFIXES, FREE_SUFFIXES, HEADER_SUFFIXES


def language(path):
    """(module, its options) for a file."""
    if path.suffix in C_SUFFIXES | HEADER_SUFFIXES:
        return c_source, ()
    if path.suffix in FREE_SUFFIXES | FIXED_SUFFIXES:
        return fortran_source, (path.suffix in FIXED_SUFFIXES,)
    raise Refused(f"a file of another language ({path.suffix or 'no suffix'})")


def rewritten(texts, loop, site=None):
    """The changed texts, from those of the files {path: text}: `loop` is (path, line), `site`
    (path, line, name of what is called there)."""
    insertions = {}
    module, options = language(loop[0])
    insertions[loop[0]] = module.repeat_loop(texts[loop[0]], loop[1], *options)
    if site:
        module, options = language(site[0])
        insertions.setdefault(site[0], []).extend(
            module.mark_call(texts[site[0]], *site[1:], *options))
    return {path: language(path)[0].rewritten(texts[path], found)
            for path, found in insertions.items()}


class Planted:
    """with Planted(program, loop, site): the copy has the defect."""

    def __init__(self, program, loop, site=None):
        self.program = program
        self.before = {path: program.get(path)
                       for path in {loop[0], *([site[0]] if site else [])}}
        self.after = rewritten(self.before, loop, site)

    def __enter__(self):
        for path, text in self.after.items():
            self.program.put(path, text)
        return self

    def __exit__(self, *_):
        for path, text in self.before.items():
            self.program.put(path, text)
