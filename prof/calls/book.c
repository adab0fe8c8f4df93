#include "calls/book.h"
#include "arena/arena.h"
#include "base/guard.h"
#include "base/hot.h"
#include "base/thread_memory.h"
#include "clock/core_use.h"
#include "sampling/sample_next.h"
#include "series/places.h"
#include "series/series.h"
#include "windows/window.h"

enum {
    PAIRS_BITS = 6
}; /* intervals a thread finds without the arena: as many pairs, each in a line */

/* Zero means empty: index 0 is stored as 1. */
struct cached {
    uint32_t key[2], index;
} __attribute__((aligned(16)));

_Thread_local struct sca_calls sca_calls __attribute__((tls_model("initial-exec")));
_Static_assert((2 << PAIRS_BITS) * sizeof(struct cached) <= SCA_INTERVALS_BYTES,
               "the table has room");

static bool is_cached(const struct cached *at, uint32_t from, uint32_t to)
{
    return at->index && at->key[0] == from && at->key[1] == to;
}

static SCA_COLD uint32_t add_interval(struct cached *pair, uint32_t from, uint32_t to)
{
    const uint32_t key[] = {from, to};
    sca_guard_lock();
    uint32_t index = to == SCA_NONE ? SCA_NONE : sca_arena_find(SCA_T_INTERVALS, key, 2);
    sca_guard_unlock();
    if (index == SCA_NONE)
        return SCA_NONE;
    pair[1] = pair[0];
    pair[0] = (struct cached){{from, to}, index + 1};
    return index;
}

static uint32_t find_interval(uint32_t from, uint32_t to)
{
    uint32_t hash = (from * 2654435769u ^ to) * 2654435769u; /* multiplicative, as Knuth's */
    struct cached *pairs = sca_thread_table(SCA_TABLE_INTERVALS), without[2] = {0};
    struct cached *pair = pairs ? &pairs[2 * (hash >> (32 - PAIRS_BITS))] : without;
    if (__builtin_expect(is_cached(&pair[0], from, to), 1))
        return pair[0].index - 1;
    return is_cached(&pair[1], from, to) ? pair[1].index - 1 : add_interval(pair, from, to);
}

/* What was idled away between looks from one place has no interval; between looks from two places
 * it has an empty one, so that each call is left as often as it is come to. */
static bool has_interval(const struct sca_call *call)
{
    bool idled = call->idle_ns && !sca_interval_own(&call->interval);
    return !call->asks && call->previous != SCA_NONE && (!idled || call->previous != call->site);
}

static inline void book_duration(enum sca_timed timed, uint32_t index, uint64_t ns)
{
    struct sca_part_durations *at = sca_arena_durations(timed, index);
    if (!at)
        return;
    double x = (double)(int64_t)ns;
    uint32_t *number = &at->classes[sca_duration_class(ns)];
    at->squares += x * x;
    *number += *number != UINT32_MAX;
}

static void book_interval(const struct sca_call *call)
{
    uint32_t index = find_interval(call->previous, call->site);
    if (index == SCA_NONE)
        return;
    struct sca_part_interval *at = sca_arena_table(SCA_T_INTERVALS);
    uint64_t own_ns = sca_interval_own(&call->interval);
    at += index;
    if (!at->count || own_ns < at->min_ns)
        at->min_ns = own_ns;
    if (own_ns > at->max_ns)
        at->max_ns = own_ns;
    at->wall_ns += call->interval.wall_ns;
    at->cpu_ns += call->interval.cpu_ns;
    at->blocked_ns += call->interval.blocked_ns;
    at->count++;
    book_duration(SCA_TIMED_INTERVALS, index, own_ns);
}

/* Under the root: where it waited, the other threads' samples say. */
static SCA_COLD void book_threads(const struct sca_call *call, enum sca_part_sample_kind kind,
                                  uint64_t ns)
{
    const uint32_t key[SCA_SAMPLE_KEY] = {0, call->previous, sca_sample_next_of(kind, 0),
                                          call->site};
    uint32_t record = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *at = (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    at->count++;
    at->length_ns += ns;
}

static void book_site(const struct sca_call *call)
{
    struct sca_part_header *header = sca_arena_header();
    header->mpi_ns += call->exit_ns - call->enter_ns + call->idle_ns;
    header->mpi_calls++;
    header->last_ns = call->exit_ns;
    struct sca_part_site *at = sca_arena_table(SCA_T_SITES);
    uint64_t time = call->exit_ns - call->enter_ns;
    at += call->site;
    if (!at->count || time < at->min_ns)
        at->min_ns = time;
    if (time > at->max_ns)
        at->max_ns = time;
    at->time_ns += time + call->idle_ns;
    at->bytes += call->bytes;
    at->count++;
    book_duration(SCA_TIMED_SITES, call->site, time + call->idle_ns);
}

void sca_book_call(struct sca_call *call)
{
    uint64_t own_ns = sca_interval_own(&call->interval);
    sca_core_use_add(call->interval.cpu_ns);
    if (call->site != SCA_NONE) {
        book_site(call);
        if (__builtin_expect(sca_places_open, 0) && !call->asks)
            sca_places_arrive(call->site, call->enter_ns);
        if (!call->asks) /* nor does it make another kind of iteration */
            sca_series_call(call->site, call->interval.cpu_ns, call->interval.blocked_ns,
                            call->interval.wall_ns, call->exit_ns - call->enter_ns + call->idle_ns,
                            call->exit_ns);
        if (sca_interval_is_open() && has_interval(call))
            book_interval(call);
        if (__builtin_expect(call->interval.helped_ns != 0, 0))
            book_threads(call, SCA_SAMPLE_HELPED, call->interval.helped_ns);
        if (__builtin_expect(call->interval.locked_ns != 0, 0))
            book_threads(call, SCA_SAMPLE_CONTENDED, call->interval.locked_ns);
        if (__builtin_expect(sca_thread.nahead, 0) && !call->asks)
            sca_sample_next_arrive(&sca_thread, call->previous, call->site, own_ns);
    }
    sca_window_call(call, own_ns);
}
