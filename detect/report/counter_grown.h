/*
 * Which hardware counter of the runs (SCALANA_EVENTS) tells why a cause does not scale: a rank has
 * more of its events than the smallest run promises (SC'20, IV-A: slopes of "execution time or
 * hardware performance data"), and more in each second that it computes. Work that is repeated, and
 * is like the rest otherwise, has all events repeated: then none tells. By the sums of ranks, which
 * are exact; the place must have most of what there is too much of, by samples.
 */
#ifndef SCA_DETECT_COUNTER_GROWN_H
#define SCA_DETECT_COUNTER_GROWN_H

#include "verdict/analysis.h"

struct sca_counter_grown {
    const char *name;     /* NULL: none tells, or the cause is of another kind */
    double each;          /* events of a rank in the largest run; the ranks merged as for models */
    double fewest_each;   /* likewise in the run on the fewest ranks, */
    uint32_t fewest;      /* and how many these are */
    double expected_each; /* what that promises for the largest, if it scaled like the rest */
};

/* Of those that are beyond it for certain (the interval of the slope, and what counts of so many
 * events scatter), the one whose events in a second grew most: by the ratio that is abnormal. */
struct sca_counter_grown sca_counter_grown_of(const struct sca_analysis *c,
                                              const struct sca_finding *cause);

#endif
