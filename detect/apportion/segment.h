/*
 * What is known of one rank in one interval before its time there is divided. The samples are the
 * caller's.
 */
#ifndef SCA_DETECT_SEGMENT_H
#define SCA_DETECT_SEGMENT_H

#include "apportion/sample_pool.h"

struct sca_segment {
    uint32_t interval;
    const struct sca_weight *own; /* its samples, by vertex */
    size_t nown;
    double seconds, usual; /* what it took; what it takes others */
    double unusual;        /* as its samples went into the pool */
};

#endif
