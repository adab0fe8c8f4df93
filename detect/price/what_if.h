/*
 * What fixing a vertex would save: it is levelled to what the other ranks (or the smallest run)
 * need, and the traces are replayed (doc/design.md, 3.7). Core-seconds. Owned by the workspace.
 */
#ifndef SCA_DETECT_WHAT_IF_H
#define SCA_DETECT_WHAT_IF_H

#include "findings/finding.h"
#include "replay/replay.h"

/* What is left of the computation after a call when findings are levelled: of what instances have
 * that is not excess, of their excess; and of the call's own transfer. */
struct sca_level {
    float usual, excess, transfer;
};

struct sca_stage { /* the replays of a run, and how long it takes in virtual time */
    struct sca_workspace *space;
    const struct sca_measure *m;
    const uint32_t *ends;
    const struct sca_traces *traces;
    uint32_t nreplays; /* of this process' traces; all else is of the whole run */
    struct sca_replay *replays;
    double duration; /* seconds, all traces times their weights, nothing levelled */
    double ideal;    /* the same on a network that takes no time */
    double waits;
    bool even;               /* replays are without the scatter of single instances */
    double transfer;         /* core-seconds inside MPI that the replays play */
    double lost;             /* seconds of computation that the traces do not show */
    uint64_t events, forced; /* of the replays; replay.h */
    bool without_messages;   /* they did not fit together and were left out */
    /* Working memory, of the rank that is levelled at the moment. */
    struct sca_level *levels;  /* per interval */
    double *cuts;              /* likewise: seconds that are taken */
    double *keep, *keep_alike; /* per vertex */
    double *sums, *counts;     /* per interval, when instances are evened out */
    bool *changed;             /* per rank: its intervals may not be as measured */
    /* What the replays stand at, so that nothing is played twice. */
    const struct sca_finding **played;
    uint32_t nplayed; /* UINT32_MAX: unknown */
    double played_duration;
    double rotated; /* of what rotates and was levelled last: seconds taken from the slowest rank in
                       each step, of this process' traces times their weights */
};

/* `ops`: what the traces' operations live in; freed as soon as they are not needed any longer. The
 * replays live in the traces' room, the rest in `room`. Messages that do not fit together are left
 * out. */
void sca_what_if_open(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ends, struct sca_traces *traces, struct sca_workspace *ops,
                      struct sca_stage *out);

/* From now on, replays are as if all instances that a rank has of an interval took as long, their
 * mean over the run, without the scatter of single ones; and stand so. Nothing that rotates may be
 * levelled then. */
void sca_what_if_even(struct sca_stage *stage);
/* Replays with these findings levelled; returns the virtual duration. With n == 0 the replays
 * are back as measured. */
double sca_what_if_level(struct sca_stage *stage, const struct sca_finding *const *levelled,
                         uint32_t n);

#endif
