/* A run rank by rank, of which no more than one has its tables in memory. For tools. */
#ifndef SCA_PROFILE_EACH_H
#define SCA_PROFILE_EACH_H

#include "sca_profile.h"

/* Is handed each rank that can be read, once, in any order, by the thread that loads. The tables
 * are the callee's to read until it returns. They have of sites `count`; of intervals `count`,
 * `cpu_ns` and `blocked_ns`; of peers all but `bytes`; and the indices of these. The profile is as
 * far as it has come: it has more sites and communicators later, behind these. Other than SCA_OK
 * ends the loading, which returns it. */
struct sca_rank_taker {
    int (*take)(void *of, const struct sca_profile *so_far, uint32_t index,
                const struct sca_rank *rank);
    void *of;
};

/* As sca_profile_load(), but ranks have no tables in the profile: counts of records are 0.
 * `longest_ns` is that of the rank's intervals. */
int sca_profile_load_each(const char *directory, const struct sca_rank_taker *taker,
                          struct sca_profile **out);

#endif
