/*
 * What a look has seen. It owns all of it until sca_look_free() (look.h).
 */
#ifndef SCA_SEEN_H
#define SCA_SEEN_H

#include "scalana/live.h"
#include "scalana/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* A rank: of several threads that call MPI, the one that computes, if one does, else what is in
 * MPI; a thread that waits for a lock only where all do. */
struct sca_rank_now {
    bool known;                       /* there is a live state of it */
    bool gone;                        /* its process is not there any more */
    uint32_t doing, context, sampled; /* as in struct scalana_activity */
    uint32_t held, state;             /* likewise */
    double since_s, sampled_s;
    bool any;    /* one of what it awaits is enough */
    bool polls;  /* it polls, and may stop that by itself */
    bool booked; /* since_s is in the run's times already */
    uint32_t nawaited, nknown;
    const struct scalana_awaited *awaited;
    double compute_s, mpi_s; /* up to now, with what is under way */
};

struct sca_efficiency { /* fractions of 1; 0: nothing is known */
    double parallel, load_balance, communication;
};

struct sca_rounds { /* of a loop, of the rank that is behind the others in it; 0: not known */
    double n;
    bool at_least; /* or more: each call that could count them lies in a branch */
};

struct sca_look {
    scalana_runs *runs;
    struct scalana_run run;
    uint32_t nranks, ncontexts;
    struct scalana_context *contexts;
    struct sca_rank_now *ranks;
    double *seconds;           /* [context]: computation and MPI, of all ranks, its own */
    struct sca_rounds *rounds; /* [context]: of loops; else 0 */
    uint64_t *keys;            /* [context]: the same for the same context in another look */
    struct sca_efficiency efficiency;
    uint32_t loop;          /* the main loop; SCALANA_NONE: none is known */
    double duration_s;      /* of the run, from MPI_Init to now, or its end or last sign of life */
    double iterations;      /* of it, its rounds, */
    bool at_least;          /* or more */
    double took_s;          /* to look */
    double gathered_s;      /* of that, until other hosts answered: it costs nothing here */
    double at_s;            /* when, by the monotonic clock */
    scalana_report *report; /* the verdict so far; NULL: not asked for */
    struct scalana_activity *activities;
    struct scalana_awaited **united; /* [nranks], of ranks with several threads */
};

#endif
