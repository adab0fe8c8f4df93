/*
 * A rank's series on its way into the run's: chosen among those of its sources, written for the
 * way to rank 0, and put together with those of other ranks. Used by the runtime inside Finalize
 * and by readers of parts: what needs memory takes the caller's.
 */
#ifndef SCA_SERIES_MARKS_H
#define SCA_SERIES_MARKS_H

#include "profile/phase_sum.h"
#include "profile/series_events.h"
#include "sca_part.h"
#include "sca_wire.h"

#include <stdbool.h>

struct sca_series_marks {
    const struct sca_part_mark *marks;    /* NULL: there is none */
    const struct sca_mark_events *events; /* of each; NULL: not known */
    uint32_t n, nmetrics;
    enum sca_series_source source;
};

/* Marks up to the first that is not in order, as a process that was killed may leave them. The
 * marker's if they cover half of what any does, else the collective's. A collective that comes so
 * seldom that no course shows gives way to call paths with eight times as many iterations. */
struct sca_series_marks sca_series_choose(const struct sca_part_series *series, const void *first);

/* At most so many of `ranks` ranks: rank 0 holds all of them. */
uint32_t sca_series_most(uint32_t ranks);
/* Every 2nd, 4th, ... iteration and the ends of sections, until they are `most`, or nothing can go;
 * into `out`, and `events` unless it is NULL, which may be where they lie, and how many. */
uint32_t sca_series_thin(const struct sca_series_marks *own, uint32_t most,
                         struct sca_part_mark *out, struct sca_mark_events *events);
/* Appends them, thinned to `most`, and the phases; nothing of a rank that has neither. Loops of
 * fewer than four iterations are left out. One thread at a time. */
void sca_series_put(struct sca_writer *w, const struct sca_series_marks *all, uint32_t most,
                    const struct sca_phases *phases);

/* Puts ranks together, up to SCA_SERIES_SHAPES shapes of the loops; most ranks win. */
enum { SCA_SERIES_SHAPES = 3, SCA_SERIES_RANK_VALUES = 4096 };
struct sca_series_sum {
    uint32_t nranks, room;                     /* room: points of a shape */
    void *(*map)(void *context, size_t bytes); /* zeros; NULL without memory */
    void *context;
    uint32_t nshapes, nleft_out;
    struct sca_series_shape *shape[SCA_SERIES_SHAPES];
    struct sca_part_mark *incoming;
    struct sca_mark_events *events; /* of the incoming ones, */
    uint32_t nmetrics;              /* if there are any */
    struct sca_phase_sum phases;
};
/* False without memory: then there is no series. Memory of `map` is never given back here. */
bool sca_series_sum_begin(struct sca_series_sum *sum, uint32_t nranks,
                          void *(*map)(void *context, size_t bytes), void *context);
/* What sca_series_put() wrote. Ranks rise. */
void sca_series_sum_add(struct sca_series_sum *sum, uint32_t rank, const void *bytes,
                        size_t length);
/* The content of the chunk; nothing where there is no series. */
void sca_series_sum_put(struct sca_series_sum *sum, struct sca_writer *w);
/* Bytes that it takes at most. */
size_t sca_series_sum_size(const struct sca_series_sum *sum);

#endif
