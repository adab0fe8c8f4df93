/*
 * How long the threads of a rank together had a lock, in an interval or in one of its parallel
 * regions: periods of the samples that fell on them (SCA_SAMPLE_HELD, SCA_SAMPLE_REGION_HELD,
 * sca_part.h), each worth what the clocks say that the threads computed. Samples scatter; ranks
 * that do not differ by more are taken to have it equally long.
 *
 * A rank's records are sorted once, by held_records.h.
 */
#ifndef SCA_DETECT_HELD_TIME_H
#define SCA_DETECT_HELD_TIME_H

#include "load/held_records.h"

struct sca_held_time { /* of the lock that they had longest */
    uint16_t lock;     /* 0: they had none */
    double ns, periods;
};

struct sca_held_times_entry { /* all ranks that have it */
    struct sca_held_scope scope;
    double ns, periods, count;
};

struct sca_held_times {
    uint32_t n, capacity;
    struct sca_held_times_entry *of; /* by scope; by malloc */
};

struct sca_held_time sca_held_time_of(const struct sca_held_records *records,
                                      const struct sca_held_scope *scope);

/* Zero before; SCA_OK or SCA_ENOMEM; the caller frees `of` in any case. */
int sca_held_times_read(struct sca_held_times *all, const struct sca_profile *profile,
                        struct sca_opened *opened);
/* What a rank's threads had it in `count` instances, ns: as all ranks, unless samples say
 * otherwise. */
double sca_held_times_usual(const struct sca_held_times *all, const struct sca_held_scope *scope,
                            uint64_t count, const struct sca_held_time *held);

#endif
