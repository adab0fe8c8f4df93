/*
 * What no recorded window shows: work before a call that a rank seldom comes to in that way, in a
 * step that was not kept. (Where it often does, the windows that come there in other ways stand for
 * that too.) How long it took is exact, and windows are to stand for the whole run: so it is put in
 * front of an instance of the call that it leads to, in the window that most ranks have one in, and
 * of those in the one that stands for the fewest steps.
 *
 * All in the workspace of the detours (local_calls.h); nothing is known of a rank before its
 * windows were counted.
 */
#ifndef SCA_DETECT_WINDOW_REST_H
#define SCA_DETECT_WINDOW_REST_H

#include "trace/local_calls.h"
#include "trace/replay_trace.h"

struct sca_unshown { /* of one rank, between two calls; all of it */
    uint32_t rank, previous, site;
    double seconds;
};

struct sca_window_rest {
    struct sca_workspace *space;
    const struct sca_intervals *intervals;
    uint32_t nsites, nwindows;
    bool *shown;               /* per interval: by a window of the rank at hand */
    bool *led_to;              /* per site: by the window at hand */
    double *calls;             /* per site: how often the rank at hand comes to it */
    uint32_t *ranks;           /* [window * nsites + site]: how many come to it there */
    bool *sites;               /* per site: some window leads to it, on some rank */
    struct sca_unshown *items; /* by rank */
    uint32_t nitems, capacity;
};

void sca_window_rest_open(struct sca_workspace *space, const struct sca_profile *profile,
                          const struct sca_intervals *intervals, uint32_t nwindows,
                          struct sca_window_rest *out);

/* Of the rank at hand: first all that its windows show, window by window, then the rank itself. */
void sca_window_rest_show(struct sca_window_rest *rest, uint32_t window, const struct sca_hop *hop);
void sca_window_rest_end_window(struct sca_window_rest *rest);
void sca_window_rest_end_rank(struct sca_window_rest *rest, const struct sca_rank *of,
                              uint32_t rank);

/* Of all ranks, before calls that some window leads to, or none does. */
double sca_window_rest_seconds(const struct sca_window_rest *rest, bool led_to);

/* Puts into the trace of the window what belongs there. `weight`: of each window. Sequences know
 * their sites, intervals and ops, no deviations. New memory is from `space`. */
void sca_window_rest_put(const struct sca_window_rest *rest, struct sca_workspace *space,
                         const double *weight, uint32_t window, struct sca_trace *trace);

#endif
