/*
 * Sums of what recorded iterations take in which contexts (recorded.h), for one point at a time.
 */
#ifndef SCA_DETECT_RECORDED_CONTEXTS_H
#define SCA_DETECT_RECORDED_CONTEXTS_H

#include "timeline/by_length.h"
#include "timeline/loop_round.h"
#include "trace/replay_trace.h"

struct sca_recorded_context { /* sums over iterations, of the mean rank */
    uint32_t vertex;
    double own, own_max; /* seconds of computation; of the rank that had most of it */
    double wait, calls;  /* of MPI calls: seconds in virtual time, executions */
};

struct sca_recorded_contexts {
    const struct sca_ppg_run *run;
    struct sca_by_length by_length;
    double nranks;                    /* that a mean is of */
    struct sca_recorded_context *sum; /* [vertex] */
    double *here, *most;              /* [vertex] computation of the rank at hand; of any rank */
    uint32_t *touched, ntouched;      /* vertices with anything in `sum` */
    uint32_t *seen, nseen;            /* in `here` */
    bool *is_touched;
};

/* All in `space`. */
void sca_recorded_contexts_open(struct sca_workspace *space, const struct sca_ppg *ppg,
                                const struct sca_ppg_run *run, double nranks,
                                struct sca_recorded_contexts *out);

/* A call, which a rank waits in. */
void sca_recorded_contexts_call(struct sca_recorded_contexts *c, uint32_t site, double wait);

/* Computation of a rank that leads to a call. `round`: the loop goes round in it; NULL: it does
 * not. */
struct sca_recorded_interval {
    uint32_t rank;
    struct sca_trace_event call;
    double seconds;
    const struct sca_loop_round *round;
};
struct sca_recorded_sides {
    bool wanted[SCA_LOOP_EITHER + 1]; /* [enum sca_loop_side] */
};
/* Counts what lies on these sides; returns the seconds of it. The second one does not count it. */
double sca_recorded_contexts_compute(struct sca_recorded_contexts *c,
                                     const struct sca_recorded_interval *interval,
                                     const struct sca_recorded_sides *sides);
double sca_recorded_contexts_seconds(struct sca_recorded_contexts *c,
                                     const struct sca_recorded_interval *interval,
                                     const struct sca_recorded_sides *sides);
/* The rank's iteration is complete; that of all ranks. */
void sca_recorded_contexts_end_rank(struct sca_recorded_contexts *c);
void sca_recorded_contexts_end_iteration(struct sca_recorded_contexts *c);

/* By vertex, in `space`; returns how many. The sums are empty afterwards. */
uint32_t sca_recorded_contexts_take(struct sca_workspace *space, struct sca_recorded_contexts *c,
                                    struct sca_recorded_context **out);

#endif
