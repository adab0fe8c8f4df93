/*
 * One trace of recorded windows that the ranks do not begin together, as where they only exchange
 * messages: the windows follow each other, each as often as it stands for, and what one leaves a
 * rank behind by, the next begins with. For what moves from rank to rank, which shows in windows
 * only, and where totals leave the order of calls open, as of sweeps from all corners. Else a walk
 * through the run's totals (trace_synthesis.h) is the more exact.
 */
#ifndef SCA_DETECT_WINDOW_SEQUENCE_H
#define SCA_DETECT_WINDOW_SEQUENCE_H

#include "trace/replay_trace.h"

/* How much single instances have that in the ranks' sums is smoothed, as a part of all that
 * windows compute. They know their instances' deviations. */
double sca_window_sequence_moving(struct sca_workspace *space, const struct sca_trace *windows,
                                  uint32_t count, const struct sca_intervals *intervals);

/* Whether they show most collectives that come more than once: else ranks would meet more seldom in
 * a row of them than in the run. */
bool sca_window_sequence_meets(struct sca_workspace *space, const struct sca_profile *profile,
                               const struct sca_trace *windows, uint32_t count);

struct sca_window_sequence {
    uint32_t count, *order; /* indices of windows */
    double weight;          /* how often the whole of it happened */
    bool *in;       /* per window; the others happened too rarely, and stand for themselves */
    uint32_t apart; /* numbers of messages that are repeated differ by that */
};

/* False: it would have too many events, and one that is made shorter would not have all windows a
 * few times. */
bool sca_window_sequence_plan(struct sca_workspace *space, const struct sca_trace *windows,
                              uint32_t count, struct sca_window_sequence *out);

/* Operations live in `ops`. */
void sca_window_sequence_play(struct sca_workspace *space, struct sca_workspace *ops,
                              const struct sca_trace *windows,
                              const struct sca_window_sequence *order, struct sca_trace *out);

#endif
