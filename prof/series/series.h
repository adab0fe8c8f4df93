/*
 * What a rank did in each iteration of its main loop, over the whole run (series_table.h): totals
 * as calls are booked, and marks where an iteration ends. Loops are told in three ways, each with a
 * table of its own; readers take the best that there is (profile/series_marks.h).
 *
 * Calls and iterations of the thread that called MPI_Init. State lock held, not in a handler. The
 * tables lie in the part: a process that is killed leaves them.
 */
#ifndef SCA_PROF_SERIES_H
#define SCA_PROF_SERIES_H

#include "base/guard.h"
#include "base/hash.h"
#include "profile/series_events.h"
#include "sca_part.h"
#include "series/phases.h"
#include <stdbool.h>

struct sca_series_now {
    const struct sca_thread *owner; /* NULL: nothing is kept */
    uint64_t compute_ns, mpi_ns, off_ns, kind;
    uint64_t left_ns; /* node clock: when the last call was left */
    uint32_t nopen;   /* marks since then: the interval that they lie in has not ended */
    uint32_t site;
};
extern struct sca_series_now sca_series_now;

/* This thread's calls count from now on. */
void sca_series_begin(void);
void sca_series_end(void);

/* Iterations ended in this interval: their marks get what of it lay before. */
void sca_series_share(uint64_t wall_ns, uint64_t compute_ns, uint64_t off_ns);

/* A call is booked, and what it had before it. */
static inline void sca_series_call(uint32_t site, uint64_t compute_ns, uint64_t off_ns,
                                   uint64_t wall_ns, uint64_t mpi_ns, uint64_t exit_ns)
{
    struct sca_series_now *now = &sca_series_now;
    if (now->owner != &sca_thread)
        return;
    if (__builtin_expect(now->nopen != 0, 0))
        sca_series_share(wall_ns, compute_ns, off_ns);
    if (__builtin_expect(sca_phases_used != 0, 0))
        sca_phases_call(compute_ns, off_ns, wall_ns, mpi_ns);
    now->compute_ns += compute_ns;
    now->off_ns += off_ns;
    now->mpi_ns += mpi_ns;
    now->kind += sca_hash_mix(0, site);
    now->left_ns = exit_ns;
    now->site = site;
}

/* Of the marks of that source; NULL: nothing was counted. */
const struct sca_mark_events *sca_series_counted(enum sca_series_source source);

/* An iteration of this loop ended with the call booked last, the `number`-th. */
void sca_series_round(enum sca_series_source source, uint64_t loop, uint32_t number);

/* What would be kept of an iteration of this source that ended before the call booked last: its
 * parts, the call before it, and when that was left (node clock). */
struct sca_series_call {
    uint32_t site, before;
    uint64_t compute_ns, off_ns, mpi_ns, left_ns;
};
struct sca_part_mark sca_series_before(enum sca_series_source source,
                                       const struct sca_series_call *last);
/* It did, and was the `mark->number`-th. */
void sca_series_round_at(enum sca_series_source source, uint64_t loop,
                         const struct sca_part_mark *mark);

/* Of another loop than before: the latest sections of loops that lie within it go. */
void sca_series_drop_within(enum sca_series_source source, bool (*is_within)(uint64_t loop));

/* What counters have counted until now; NULL: nobody knows. It stays until it is asked again. Not
 * for each iteration: it takes about a microsecond. */
const struct sca_mark_events *sca_series_events(void);

/* Loops with markers, which tell when they begin (windows/main_loop.h). Calls of this thread count,
 * and there is a table: */
bool sca_series_is_on(void);
/* what would be kept of an iteration that ends now, at this moment of the node clock. */
struct sca_part_mark sca_series_mark(uint32_t number, uint64_t ns);
/* The mark is of this moment, and stays where it is until the next call is booked: then it gets
 * what the interval had before it. Of very many in one interval some do not. */
void sca_series_open(struct sca_part_mark *mark);
/* A loop turns out to be the main one: its first marks. Those of others since then go. */
void sca_series_start(uint64_t loop, const struct sca_part_mark *first,
                      const struct sca_mark_events *events, uint32_t n);
/* It was the main loop before, and has come round: those that were it since lie within it. */
void sca_series_holds(uint64_t loop);
/* An iteration of it ends, at this moment. */
void sca_series_marker(uint64_t loop, const struct sca_part_mark *mark);

#endif
