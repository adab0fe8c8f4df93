/*
 * Replays without the scatter of single instances, for where ranks share cores: each takes the mean
 * of those that its rank has of the interval, over the whole run. The mean of many hardly scatters,
 * and the total stays what was measured. But instances that the program makes long keep their time
 * (rotating.h), as they show it (segment.h), and this is all that changes where each rank has a
 * core; and a rank that a finding says is late is so in the windows that show it: as far as
 * its mean lateness differs between windows by more than it scatters within them (the shrinkage of
 * a random effect: James and Stein 1961; variances as in a one-way analysis, Fisher 1925).
 */
#ifndef SCA_DETECT_SMOOTHING_H
#define SCA_DETECT_SMOOTHING_H

#include "findings/ledger.h"
#include "price/stage.h"

struct sca_smoothing_findings {
    struct sca_finding_list told; /* that rotate: their long instances stay, or all of a row */
    struct sca_finding_list seen; /* that rotate, and are not told: their long instances stay */
    struct sca_finding_list late; /* whose ranks are late, in some windows more than in others */
};

/* From now on the stage's replays begin with intervals that are smoothed. What lies behind a call
 * and is not told apart by the call after it stays as it is. */
void sca_smoothing_out(struct sca_stage *stage, const struct sca_smoothing_findings *findings);

/* The interval whose instances differ most from what they were smoothed to, over all ranks and
 * traces, each as often as it happened; SCA_NONE: none does. Nothing is equalised. */
uint32_t sca_smoothing_most_uneven(const struct sca_stage *stage);

#endif
