"""Lets each constant of the verdict be set from the environment, in a copy of the sources."""
import constants

VARIED = "SCALANA_DEGREE"  # NAME=VALUE

# In place of constants. They are read where the room's code is, so that there is one of each.
HEADER = """#ifndef SCA_DETECT_DEGREES_H
#define SCA_DETECT_DEGREES_H
extern double sca_degrees[];
%s
#endif
"""
READER = """
#include <stdlib.h>
#include <string.h>
double sca_degrees[] = {%s};
__attribute__((constructor)) static void take_degree(void)
{
    static const char *const names[] = {%s};
    const char *wish = getenv("%s"), *value = wish ? strchr(wish, '=') : NULL;
    for (unsigned i = 0; value && i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == (size_t)(value - wish) && !strncmp(wish, names[i], value - wish))
            sca_degrees[i] = strtod(value + 1, NULL);
}
"""


def header(degrees):
    lines = [f"#define {one.name} (({'int' if one.whole else 'double'})sca_degrees[{i}])"
             for i, one in enumerate(degrees)]
    return HEADER % "\n".join(lines)


def reader(degrees):
    return READER % (", ".join(one.text for one in degrees),
                     ", ".join(f'"{one.name}"' for one in degrees), VARIED)


def plant(detect):
    path, code = detect / constants.DEGREES, detect / "base" / "workspace.c"
    degrees = list(constants.of_text(constants.DEGREES, path.read_text()))
    path.write_text(header(degrees))
    code.write_text(code.read_text() + reader(degrees))


def way_of(factor):
    return f"{100 * (factor - 1):+.0f} %"


def ways(one, options):
    """[(what it says, environment)]."""
    return [(way_of(factor), f"{VARIED}={one.name}={constants.varied(one, factor)}")
            for factor in options.factors]
