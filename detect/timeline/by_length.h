/*
 * How the contexts of what is computed between two calls share an instance of it. Samples have no
 * date, but each is kept with how long the instance was that it lay in. A context whose samples lie
 * in longer ones has more of these: all of them, if it is what makes them longer; none of the short
 * ones then.
 *
 * The time of a context in an instance of a rank is taken to be linear in how long that is: the
 * least-squares line through all instances. It needs no instance, only sums, which samples
 * estimate: a sample finds an instance by its length. So of a mean length m, a mean length of all
 * samples' instances l, and one of a context's samples' l_k, its time is
 * ((l - l_k) m + (l_k - m) length) / (l - m) of its share of the run.
 *
 * A rank's own samples tell where some context's differ from all of its interval by three standard
 * errors; else those of all ranks, where they do so; else an instance is divided as the whole run.
 *
 * Where all ranks' samples of a context lie in instances of twice the mean length, it is in long
 * ones alone, as what is done every 16th time: it gets what these have beyond the usual ones.
 */
#ifndef SCA_DETECT_BY_LENGTH_H
#define SCA_DETECT_BY_LENGTH_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "trace/replay_trace.h"

struct sca_rare_length { /* of an interval, in mean instances of a rank */
    float usual, least;  /* what one without rare contexts takes; the shortest with them, 0: none */
};

struct sca_by_length {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    float *length; /* [share] of the instances of its samples, mean, in seconds; 0: not told */
    float *mean;   /* [rank * intervals.n + interval] of all its instances; 0: it has none */
    bool *rare;    /* [share] in long instances alone */
    struct sca_rare_length *rare_of; /* [interval] */
    double *seconds;                 /* of the instance at hand */
};

/* In `space`; the graph stays the caller's. */
void sca_by_length_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const struct sca_ppg_run *run, struct sca_by_length *out);

/* An instance that leads to a call. */
struct sca_instance {
    uint32_t n; /* 0: nothing is known of its contexts */
    const struct sca_ppg_share *share;
    const double *seconds; /* [n] of this instance; until the next is asked for */
};

struct sca_instance sca_by_length_divide(struct sca_by_length *of, uint32_t rank,
                                         struct sca_trace_event call, double seconds);

/* The innermost vertex that has most of the instance, with all below; where nothing is known of it,
 * what holds the way between the two calls. */
uint32_t sca_by_length_place(struct sca_by_length *of, uint32_t rank, struct sca_trace_event call,
                             double seconds);

#endif
