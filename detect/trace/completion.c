#include "trace/completion.h"
#include "trace/replay_trace.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_HOPS = 16, MOST_NAME = 64 };

bool sca_completion_is(const char *function)
{
    return !strncmp(function, "MPI_Wait", strlen("MPI_Wait")) ||
           !strncmp(function, "MPI_Test", strlen("MPI_Test"));
}

bool sca_completion_polls(const char *function)
{
    return !strncmp(function, "MPI_Test", strlen("MPI_Test")) || !strcmp(function, "MPI_Iprobe") ||
           !strcmp(function, "MPI_Improbe");
}

/* "MPI_Iallgatherv" is MPI_Allgatherv that does not block. */
bool sca_completion_begins_collective(const char *function)
{
    char blocking[MOST_NAME];
    if (strncmp(function, "MPI_I", strlen("MPI_I")) || !islower((unsigned char)function[5]))
        return false;
    snprintf(blocking, sizeof blocking, "MPI_%c%s", toupper((unsigned char)function[5]),
             function + 6);
    return sca_collective_shape(blocking) >= 0;
}

static uint32_t usually_next(const struct sca_rank *rank, uint32_t site)
{
    const struct sca_part_interval *best = NULL;
    for (uint32_t i = 0; i < rank->nintervals; i++)
        if (rank->intervals[i].previous == site &&
            (!best || rank->intervals[i].count > best->count))
            best = &rank->intervals[i];
    return best ? best->site : UINT32_MAX;
}

uint32_t sca_completion_site(const struct sca_profile *profile, const struct sca_rank *rank,
                             uint32_t site)
{
    uint32_t next = site;
    if (!sca_completion_begins_collective(profile->sites[site].function))
        return UINT32_MAX;
    for (int i = 0; i < MOST_HOPS; i++) {
        next = usually_next(rank, next);
        if (next == UINT32_MAX || next == site || sca_completion_is(profile->sites[next].function))
            break;
    }
    bool found = next != UINT32_MAX && sca_completion_is(profile->sites[next].function);
    return found ? next : UINT32_MAX;
}
