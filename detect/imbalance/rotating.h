/*
 * Rotating imbalance: a computation that takes far longer now on this rank, now on that, so that
 * all totals are balanced and yet everybody waits. Only recorded windows show them: the k-th
 * instance of an interval (one MPI call to the next) is compared between the ranks.
 */
#ifndef SCA_DETECT_ROTATING_H
#define SCA_DETECT_ROTATING_H

#include "findings/ledger.h"
#include "replay/replay.h"

/* Adds findings for intervals whose instances exceed the ranks' median by more than a busy core
 * explains, at least `least` core-seconds of others' waiting in all. On shared cores a place that
 * rotates in another run, too, which does not share them (`seen`), need not exceed it by so much.
 */
void sca_rotating_find(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_traces *traces,
                       const struct sca_finding_list *seen, double threshold, double least,
                       struct sca_ledger *out);

/* Levels a rotating finding in the intervals of a replay: long instances take the ranks' median,
 * or, where the finding is smoothed, all of a row take its mean, as if they shared the work; what
 * windows tell is taken from all of a rank's in the window.
 * Returns the seconds that the slowest rank loses by it, step by step. */
double sca_rotating_level(struct sca_workspace *space, const struct sca_finding *finding,
                          struct sca_replay *replay);

/* Marks the instances that are long as the program's own, by place (replay.h, own). If it is
 * `told`: those that its equalising makes shorter, or all that are to take the mean; else those
 * that are longer than their rank's mean as well, for what is always on the same ranks is no matter
 * of instances. */
void sca_rotating_mark(struct sca_workspace *space, const struct sca_measure *m,
                       const struct sca_finding *finding, bool told, const struct sca_trace *trace,
                       bool *own);

#endif
