#include "clock/core_use.h"
#include "base/hot.h"
#include "clock/stint.h"

#include <inttypes.h>
#include <stdio.h>

enum { CORES = 256, THOUSAND = 1000 }; /* more are folded, as in finish/meet.c */

static uint64_t used_ns[CORES] SCA_HOT_TABLE;

void sca_core_use_add(uint64_t cpu_ns)
{
    int core = sca_stint_core();
    if (core >= 0)
        used_ns[core % CORES] += cpu_ns;
}

/* A part of the total that rounds to nothing is left out. */
void sca_core_use_describe(char *text, size_t size)
{
    uint64_t total_ns = 0;
    size_t used = 0;
    for (unsigned i = 0; i < CORES; i++)
        total_ns += used_ns[i];
    text[0] = '\0';
    for (unsigned i = 0; i < CORES; i++) {
        uint64_t part = total_ns ? (used_ns[i] * THOUSAND + total_ns / 2) / total_ns : 0;
        int n = part ? snprintf(text + used, size - used, "%s%u:%" PRIu64, used ? " " : "", i, part)
                     : 0;
        if (n < 0 || (size_t)n >= size - used) {
            text[used] = '\0';
            return;
        }
        used += (size_t)n;
    }
}
