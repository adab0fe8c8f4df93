/*
 * What is known of one rank in one interval before its time there is divided. The samples are the
 * caller's.
 */
#ifndef SCA_DETECT_STRETCH_H
#define SCA_DETECT_STRETCH_H

#include "apportion/sample_pool.h"

struct sca_stretch {
    uint32_t interval;
    const struct sca_weight *own; /* its samples, by vertex */
    size_t nown;
    double seconds, usual;    /* what it took; what it takes others */
    double unusual;           /* as its samples went into the pool */
    double expected;          /* samples that its time brings, as its own are counted */
    double all, all_expected; /* the same of all that it does after the same call, this included:
                                 what is sampled in stretches may fall on the one or the other */
};

#endif
