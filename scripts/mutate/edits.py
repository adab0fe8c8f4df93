"""Insertions into a text that leave its line numbers as they are."""


class Refused(Exception):
    """Why a place cannot be rewritten, in one line."""


def inserted(text, insertions):
    """The text with each (offset, words) or (offset, words, in place of so many characters) put in.
    Of several at one offset the first comes first."""
    parts, done = [], 0
    for offset, words, *over in sorted(insertions, key=lambda one: one[0]):
        parts += [text[done:offset], words]
        done = offset + sum(over)
    return "".join([*parts, text[done:]])
