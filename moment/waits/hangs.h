/*
 * What is wrong with who waits for whom: ranks that can never go on, collectives that do not fit,
 * and the rank that all others finally wait for.
 */
#ifndef SCA_HANGS_H
#define SCA_HANGS_H

#include "waits/clauses.h"
#include "waits/locks.h"
#include "waits/mismatch.h"

/* Whoever waits, in the end, for `rank`. */
struct sca_final {
    uint32_t rank;
    uint32_t nwaiting; /* ranks that wait for it */
    uint32_t hops;     /* the longest chain: 1: all wait for it itself */
};

struct sca_hangs {
    struct sca_clauses clauses;
    uint32_t nstuck;
    bool *stuck;      /* [rank]: it can never go on */
    uint32_t ncycle;  /* ranks that wait for each other: the innermost such */
    uint32_t *cycle;  /* rising */
    uint32_t *awaits; /* [rank]: whom it waits for, or SCALANA_NONE */
    uint32_t nfinals;
    struct sca_final *finals; /* most waiting first */
    struct sca_mismatches mismatches;
    struct sca_lock_cycles locks;
};

int sca_hangs_find(const struct sca_look *look, struct sca_hangs *out);
void sca_hangs_free(struct sca_hangs *hangs);

#endif
