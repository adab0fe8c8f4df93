/*
 * The records of a rank by where they belong: intervals, parallel regions in these, and locks in
 * either. Sorted once, so that each is found by binary search.
 */
#ifndef SCA_DETECT_HELD_RECORDS_H
#define SCA_DETECT_HELD_RECORDS_H

#include "sca_profile.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_held_scope {
    uint32_t previous, site; /* an interval's */
    uint32_t region;         /* node of a region in it; 0: all of the interval */
    uint32_t interval;       /* the rank's number of it */
};

struct sca_held_record { /* what it is sorted by, in this order */
    uint32_t previous, site;
    uint32_t region; /* of records of one region; else 0 */
    uint16_t kind;   /* enum sca_part_sample_kind */
    uint16_t thread; /* of locks: which */
    uint32_t number; /* the rank's, of the sample */
};

struct sca_held_records {
    const struct sca_rank *rank;
    struct sca_held_record *of;        /* [n] those of samples, by malloc */
    struct sca_held_record *intervals; /* likewise, the rank's */
    uint32_t n;
};

struct sca_held_range {
    const struct sca_held_record *first, *end;
};

/* The rank stays the caller's, and its order as it is. SCA_OK or SCA_ENOMEM; closed in any case. */
int sca_held_records_open(struct sca_held_records *records, const struct sca_rank *rank);
void sca_held_records_close(struct sca_held_records *records);

/* The next scope: regions with locks, then intervals. *at: 0 before the first. */
bool sca_held_records_next(const struct sca_held_records *records, uint32_t *at,
                           struct sca_held_scope *scope);

/* All of an interval's, its regions' among them. */
struct sca_held_range sca_held_records_in(const struct sca_held_records *records,
                                          const struct sca_held_scope *scope);
/* Those that tell which locks its threads had, by lock. */
struct sca_held_range sca_held_records_of_locks(const struct sca_held_records *records,
                                                const struct sca_held_scope *scope);
/* Those that tell how long its region took. */
struct sca_held_range sca_held_records_of_region(const struct sca_held_records *records,
                                                 const struct sca_held_scope *scope);

static inline struct sca_part_sample *sca_held_record_sample(const struct sca_held_records *records,
                                                             const struct sca_held_record *record)
{
    return &records->rank->sample[record->number];
}

#endif
