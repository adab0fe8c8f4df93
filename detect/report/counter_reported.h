/*
 * Which hardware counter of the run (SCALANA_EVENTS) tells why a cause's ranks take longer: they
 * have more of its events, in each second that they compute as well, than the others. Where what
 * they do more of is the same work, the rates of all counters are the same, and none tells. By the
 * sums of ranks, which are exact: where in a rank events were is an estimate.
 */
#ifndef SCA_DETECT_COUNTER_TOLD_H
#define SCA_DETECT_COUNTER_TOLD_H

#include "verdict/analysis.h"

struct sca_counter_reported {
    const char *name;         /* NULL: none tells, or all ranks are the cause's */
    double each, others_each; /* events of a rank, on average */
};

/* The one whose rates differ most, of those that each of the cause's ranks has more of in a second
 * than any other rank, by the ratio that is abnormal, and more than events at random may differ by.
 */
struct sca_counter_reported sca_counter_reported_of(const struct sca_analysis *c,
                                                    const struct sca_finding *cause);

#endif
