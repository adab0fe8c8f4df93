/* What the checks of libscalana share: they know its headers alone. Exit status 1: a fault. */
#ifndef SCALANA_LIBRARY_CHECK_H
#define SCALANA_LIBRARY_CHECK_H

#include "scalana/scalana.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, scalana_error_message());   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* A status, and a word of its message. */
#define FAILS(call, status, word)                                                                  \
    do {                                                                                           \
        CHECK((call) == (status));                                                                 \
        CHECK(strstr(scalana_error_message(), word) && !strchr(scalana_error_message(), '\n'));    \
    } while (0)

#define NO ((uint32_t)SCALANA_NONE)

static inline scalana_runs *load(char **dirs, int n)
{
    scalana_runs *runs;
    int status = scalana_runs_load((const char *const *)dirs, (uint32_t)n, NULL, &runs);
    CHECK(status == SCALANA_OK && scalana_runs_count(runs) == (uint32_t)n);
    return runs;
}

#endif
