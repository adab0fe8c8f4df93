/* A run rank by rank, of which no more than one has its tables in memory. For tools. */
#ifndef SCA_PROFILE_EACH_H
#define SCA_PROFILE_EACH_H

#include "sca_profile.h"

/* Is handed each rank that can be read, once, in any order, by the thread that loads. The tables
 * are the callee's to read until it returns. They have of sites `count`; of intervals `count`,
 * `cpu_ns` and `blocked_ns`; of peers all but `bytes`; and the indices of these. Indices of sites
 * are those of the profile, which has more sites later. Other than SCA_OK ends the loading. */
struct sca_rank_taker {
    int (*take)(void *of, uint32_t nranks, uint32_t index, const struct sca_rank *rank);
    void *of;
};

/* As sca_profile_load(), but ranks have no tables in the profile: counts of records are 0.
 * `longest_ns` is that of the rank's intervals. */
int sca_profile_load_each(const char *directory, const struct sca_rank_taker *taker,
                          struct sca_profile **out);

#endif
