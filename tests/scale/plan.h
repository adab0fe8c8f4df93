/*
 * What a generated run does, in seconds: every loop of every rank, and the waits that follow from
 * them. The same plan gives the same times on every machine. Steps are alike; every phase ends
 * in a collective that all leave together, so that phases can be looked at one by one.
 */
#ifndef SCA_SCALE_PLAN_H
#define SCA_SCALE_PLAN_H

#include "shape.h"

#include <stdbool.h>

enum scale_cause {
    SCALE_HEALTHY,
    SCALE_IMBALANCE, /* `affected` ranks from `rank` on take `factor` times as long */
    SCALE_SERIAL,    /* `rank` does the work of all (times factor), the others none */
    SCALE_UNDIVIDED  /* every rank has what it would have in a run on `reference` ranks, times
                        factor */
};

struct scale_plan {
    uint32_t ranks, phases, steps;
    double core_seconds; /* computation of all ranks without the cause: the same on every number of
                            ranks is strong scaling, proportional to it weak */
    uint64_t seed;
    enum scale_cause cause;
    uint32_t phase, loop; /* where */
    uint32_t rank, affected;
    double factor;
    uint32_t reference;
    uint32_t
        groups; /* of ranks, each with phases of its own: a divisor of `phases`; 1: all do all */
    double *longest; /* per phase of a group, scale_plan_ready(): seconds from start to end */
    double unit;
};

/* Who does what: ranks that follow each other do phases that follow each other. The ring is the
 * group's, the collectives are everybody's: all do as many phases. */
struct scale_group {
    uint32_t first_rank, ranks, first_phase, phases;
};
struct scale_group scale_group_of(const struct scale_plan *plan, uint32_t rank);

/* Fills what follows from the rest; allocates. */
void scale_plan_ready(struct scale_plan *plan);

/* Uniform in [0, 1), a function of its arguments. */
double scale_chance(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

/* Seconds of one rank in one step. Waits are those of the MPI calls, transfer included. */
double scale_loop_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_loop loop,
                          uint32_t rank);
/* The computation just before a call. */
double scale_gap_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_call call,
                         uint32_t rank);
double scale_call_seconds(const struct scale_plan *plan, uint32_t phase, enum scale_call call,
                          uint32_t rank);

#endif
