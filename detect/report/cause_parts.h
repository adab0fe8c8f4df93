/*
 * What a cause consists of that is known only as between two calls: the vertices there at which its
 * ranks spend more than the others.
 */
#ifndef SCA_DETECT_CAUSE_PARTS_H
#define SCA_DETECT_CAUSE_PARTS_H

#include "verdict/analysis.h"

enum { SCA_MOST_PARTS = 4 };

struct sca_cause_part {
    uint32_t vertex;
    double excess; /* core-seconds of the cause's ranks beyond the mean of the others */
};

/* The largest first, at most SCA_MOST_PARTS; returns their number. 0: it is one place, or its time
 * was spent off the core, where there are no samples, or the ranks' samples are missing. *all: the
 * excess of all vertices. */
uint32_t sca_cause_parts_find(const struct sca_analysis *c, const struct sca_finding *cause,
                              struct sca_cause_part *out, double *all);

#endif
