/*
 * How long the threads of a rank together had a lock, in an interval: periods of the samples that
 * fell on them (SCA_SAMPLE_HELD, sca_part.h), each worth what the clocks say that the threads
 * computed. Samples scatter; ranks that do not differ by more are taken to have it equally long.
 */
#ifndef SCA_DETECT_HELD_TIME_H
#define SCA_DETECT_HELD_TIME_H

#include "sca_profile.h"

#include <stdbool.h>

struct sca_held_time { /* of the lock that they had longest */
    uint16_t lock;     /* 0: they had none */
    double ns, periods;
};

struct sca_held_times_entry { /* of an interval, all ranks that have it */
    uint32_t previous, site;
    double ns, periods, count;
};

struct sca_held_times {
    uint32_t n, capacity;
    struct sca_held_times_entry *of; /* by malloc */
};

bool sca_held_time_is_in(const struct sca_part_sample *s, const struct sca_part_interval *x);
struct sca_held_time sca_held_time_of(const struct sca_rank *rank,
                                      const struct sca_part_interval *x);

/* Zero before; SCA_OK or SCA_ENOMEM; the caller frees `of` in any case. */
int sca_held_times_read(struct sca_held_times *all, const struct sca_profile *profile,
                        struct sca_opened *opened);
/* What a rank's threads had it in its interval, ns: as all ranks, unless samples say otherwise. */
double sca_held_times_usual(const struct sca_held_times *all, const struct sca_part_interval *x,
                            const struct sca_held_time *held);

#endif
