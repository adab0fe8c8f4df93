#!/usr/bin/env python3
"""embed.py CSS JS OUT.c: style and script as C strings, with the hashes the content policy names."""

import base64
import hashlib
import json
import sys


def literal(text):
    """One C string per line of text: JSON's escapes are C's for what is in these files."""
    return "\n".join("    " + json.dumps(line) for line in text.splitlines(keepends=True))


def digest(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def main():
    css_path, js_path, out_path = sys.argv[1:]
    parts = ['#include "html_parts.h"\n']
    for name, path in (("style", css_path), ("script", js_path)):
        with open(path, encoding="ascii") as stream:
            text = stream.read()
        parts.append(f"const char sca_html_{name}[] =\n{literal(text)};\n")
        parts.append(f'const char sca_html_{name}_hash[] = "sha256-{digest(text)}";\n')
    with open(out_path, "w", encoding="ascii") as stream:
        stream.write("\n".join(parts))


if __name__ == "__main__":
    main()
