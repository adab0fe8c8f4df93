/*
 * What counters of a rank counted, along its series: on the way with its marks, summed over ranks,
 * and in the chunk. They are read where a mark is kept, so that the difference of two neighbours is
 * exact. Next to a mark where nobody read them a point is not known. Never allocates.
 */
#ifndef SCA_SERIES_EVENTS_H
#define SCA_SERIES_EVENTS_H

#include "sca_part.h"
#include "sca_wire.h"

#include <stdbool.h>
#include <stddef.h>

struct sca_mark_events {
    uint64_t total[SCA_MAX_METRICS]; /* since the counters began */
    uint64_t read;                   /* 0: nobody read them */
};

/* `list` NULL: none of these marks has any. */
void sca_mark_events_put(struct sca_writer *w, const struct sca_mark_events *list, uint32_t n,
                         uint32_t nmetrics);
/* Of n marks; returns how many metrics. The reader says what is malformed. */
uint32_t sca_mark_events_get(struct sca_reader *r, struct sca_mark_events *list, uint32_t n);

struct sca_events_sum {
    uint32_t nmetrics;
    float *of[SCA_MAX_METRICS]; /* [point][rank]: since the mark before; NAN: not known */
};

/* Room for so many cells. False without memory. */
bool sca_events_sum_begin(struct sca_events_sum *sum, uint32_t nmetrics, size_t cells,
                          void *(*map)(void *context, size_t bytes), void *context);
/* What lies between two marks; NULL: not known. */
void sca_events_sum_take(struct sca_events_sum *sum, size_t cell, const struct sca_mark_events *a,
                         const struct sca_mark_events *b);

/* Means and maxima over the ranks, point by point as `cells` has their first ones. */
void sca_events_sum_put(const struct sca_events_sum *sum, const size_t *cells, uint32_t npoints,
                        uint32_t nranks, struct sca_writer *w);
struct sca_series;
/* Into the series, whose points are there. */
void sca_events_read(struct sca_reader *r, struct sca_series *series);

#endif
