"""The rules of the verdict: functions that answer yes or no, or that do one step. Each can be switched
off, or made to give always the same answer, in a copy of the sources (copy_of_sources.py): what then
changes nothing on any recorded run is a rule that nothing speaks for."""
import dataclasses
import re

ROOMS = ("apportion", "confirm", "explain", "findings", "imbalance", "measure", "price", "scaling",
         "stats", "trace", "verdict")
SWITCH = "SCALANA_RULE"    # NAME=WAY
ENTERED = "SCALANA_RULES"  # a file: a byte for each rule, 1 if it was asked in any process
WAYS = {"bool": {"never": 1, "always": 2}, "void": {"nothing": 1}}

FUNCTION = re.compile(r"^(?:static )?(bool|void) (\w+)\(([^;{}()]*)\)\n\{", re.M)
CODE = {"bool": "return sca_rule[{n}] - 1;", "void": "return;"}
DECLARED = """extern unsigned char sca_rule[], sca_rule_entered[];
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#line 1
"""
READER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum {{ RULES = {count} }};
unsigned char sca_rule[RULES], sca_rule_entered[RULES];
__attribute__((constructor)) static void take_rule(void)
{{
    static const char *const names[] = {{{names}}};
    const char *wish = getenv("{switch}"), *value = wish ? strchr(wish, '=') : NULL;
    for (unsigned i = 0; value && i < RULES; i++)
        if (strlen(names[i]) == (size_t)(value - wish) && !strncmp(wish, names[i], value - wish))
            sca_rule[i] = (unsigned char)atoi(value + 1);
}}
__attribute__((destructor)) static void tell_rules(void)
{{
    const char *path = getenv("{entered}");
    FILE *out = path ? fopen(path, "ab") : NULL;
    if (!out)
        return;
    fwrite(sca_rule_entered, 1, RULES, out);
    fclose(out);
}}
"""


@dataclasses.dataclass(frozen=True)
class Rule:
    file: str
    function: str
    kind: str   # bool or void
    lines: int
    begin: int  # of its body in the file

    @property
    def name(self):
        return f"{self.file}:{self.function}"

    @property
    def text(self):
        return f"{self.lines} lines"

    @property
    def ways(self):
        return WAYS[self.kind]


def of_text(file, text):
    for found in FUNCTION.finditer(text):
        end = text.index("\n}", found.end())
        lines = text.count("\n", found.start(), end) + 2
        yield Rule(file, found.group(2), found.group(1), lines, found.end())


def of_folder(folder):
    """All of them, by file and place."""
    return [rule for room in ROOMS for path in sorted((folder / room).glob("*.c"))
            for rule in of_text(str(path.relative_to(folder)), path.read_text())]


def switched(text, numbered):
    """The file with a switch at the beginning of each rule: [(number, rule)], by place."""
    parts, place = [DECLARED], 0
    for n, rule in numbered:
        then = CODE[rule.kind].format(n=n)
        parts += [text[place:rule.begin],
                  f" sca_rule_entered[{n}] = 1; if (sca_rule[{n}]) {then}"]
        place = rule.begin
    return "".join(parts) + text[place:]


def plant(detect):
    """Gives all rules of these sources a switch."""
    rules, code = of_folder(detect), detect / "base" / "workspace.c"
    for file in sorted({rule.file for rule in rules}):
        mine = [(n, rule) for n, rule in enumerate(rules) if rule.file == file]
        (detect / file).write_text(switched((detect / file).read_text(), mine))
    names = ", ".join(f'"{rule.name}"' for rule in rules)
    code.write_text(code.read_text() + READER.format(count=len(rules), names=names, switch=SWITCH,
                                                     entered=ENTERED))


def ways(rule):
    """[(what it says, environment)]."""
    return [(way, f"{SWITCH}={rule.name}={value}") for way, value in rule.ways.items()]


def entered(path, rules):
    """The names of those that were asked, by what the processes of a run left."""
    kept, count = path.read_bytes(), len(rules)
    return {rules[i % count].name for i, byte in enumerate(kept) if byte}
