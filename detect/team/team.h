/*
 * The processes that share one analysis: `mpirun -n K scalana-detect`. All read the runs and take
 * every decision alike; each holds and replays its part of the traces, and what the traces add up
 * to is summed over the processes, in their order, so that all go on with the same numbers.
 *
 * A process that fails says so at the next exchange, where all others learn of it: none is left
 * waiting. Without others (size 1) every call returns at once. One thread.
 */
#ifndef SCA_DETECT_TEAM_H
#define SCA_DETECT_TEAM_H

#include "team/launch.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_team {
    uint32_t rank, size; /* 0 of 1: alone */
    jmp_buf *failure;    /* where an exchange goes that another process does not come to */
    bool failed;         /* nobody exchanges anything any longer; the reason is sca_error's */
    struct sca_exchanger *with;
};

/* Joins the processes that were started with this one. SCA_OK, also where they cannot be joined:
 * then size is 1 and rank that of the launcher; SCA_ENOMEM. */
int sca_team_open(struct sca_launch at, struct sca_team *out);
void sca_team_close(struct sca_team *team);

/* Where a step is done: SCA_OK if it went well in all processes, else the status of the first one
 * that failed, whose message is sca_error's. */
int sca_team_agree(struct sca_team *team, int status);

/* Adds the values of all processes, element by element, in the order of the processes. */
void sca_team_sum(struct sca_team *team, double *values, size_t n);
/* Adds those that are not 0; few are. */
void sca_team_sum_sparse(struct sca_team *team, double *values, size_t n);
/* The value of each process. */
void sca_team_gather(struct sca_team *team, const void *own, size_t size, void *all);
/* One process' bytes to all. */
void sca_team_share(struct sca_team *team, void *bytes, size_t size, uint32_t from);

/* This process' part of `n` things in a row: all but the first and last processes' alike. */
static inline uint32_t sca_team_first(const struct sca_team *team, uint32_t n)
{
    return (uint32_t)((uint64_t)n * team->rank / team->size);
}

static inline uint32_t sca_team_end(const struct sca_team *team, uint32_t n)
{
    return (uint32_t)((uint64_t)n * (team->rank + 1) / team->size);
}

#endif
