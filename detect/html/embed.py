#!/usr/bin/env python3
"""embed.py OUT.c FILE...: styles and scripts as C strings, with the hashes the content policy names.

Files of one kind, by their ending, follow each other in the order they are given.
"""

import base64
import hashlib
import json
import sys

KINDS = {"style": ".css", "script": ".js"}


def literal(text):
    """One C string per line of text: JSON's escapes are C's for what is in these files."""
    return "\n".join("    " + json.dumps(line) for line in text.splitlines(keepends=True))


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def joined(paths):
    texts = []
    for path in paths:
        with open(path, encoding="ascii") as stream:
            texts.append(stream.read())
    return "".join(texts)


def main():
    out_path, *paths = sys.argv[1:]
    parts = ['#include "html_parts.h"\n']
    for name, ending in KINDS.items():
        text = joined(path for path in paths if path.endswith(ending))
        parts.append(f"const char sca_html_{name}[] =\n{literal(text)};\n")
        parts.append(f'const char sca_html_{name}_hash[] = "sha256-{digest(text)}";\n')
    with open(out_path, "w", encoding="ascii") as stream:
        stream.write("\n".join(parts))


if __name__ == "__main__":
    main()
