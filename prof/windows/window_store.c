#include "windows/window_store.h"
#include "arena/arena.h"
#include "base/hash.h"
#include "base/settings.h"
#include "windows/long_iterations.h"
#include "windows/window_space.h"
#include <string.h>

enum {
    CLASSES = SCA_WINDOW_CLASSES,
    KEEP = SCA_WINDOW_KEEP,
    MOST = SCA_MOST_WINDOWS,
    RECORDS = SCA_MOST_RECORDS,
    BYTES = 256 << 10,
    BYTES_BESIDE = 64 << 10,
    OVERHEAD = SCA_WINDOW_RECORD
};

/* A class: how many of its windows happened, how many are kept, and the greatest hash of those
 * (or more: it is found anew when one goes). */
static struct {
    uint64_t total, greatest;
    uint32_t kept;
} classes[CLASSES];

/* Beside the records: these are a format. Slots are reused as the windows go. */
static struct {
    uint64_t iteration;
    struct sca_window_facts facts;
    bool used;
} known[RECORDS];

static uint32_t budget, used, weighted; /* weighted: so many stand for others */
static uint32_t beside, used_beside;
static bool full; /* something had to go already */
static uint64_t since_refresh;

static struct sca_part_window *windows(void)
{
    return sca_arena_table(SCA_T_WINDOWS);
}

uint64_t sca_window_store_hash(uint64_t iteration)
{
    return sca_hash_mix(7, sca_window_position(sca_window_collectives(iteration), 0,
                                               sca_window_number_of(iteration)));
}

void sca_window_store_begin(void)
{
    memset(classes, 0, sizeof classes);
    memset(known, 0, sizeof known);
    used = weighted = beside = used_beside = 0;
    sca_window_space_begin();
    sca_long_iterations_begin();
    full = false;
    budget = sca_settings.full ? sca_arena_header()->table[SCA_T_EVENTS].capacity : BYTES;
}

/* Those that others are weighed against. */
static bool stands(const struct sca_part_window *w)
{
    return w->kept && !sca_window_is_beside(w);
}

/* One that takes half of all room, of iterations before the loop was known, leaves too little for
 * windows of the rest of the run. */
static bool is_large(uint32_t size)
{
    return size > budget / 2;
}

static uint32_t large_one(void)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS), i = 0;
    while (i < count && !(stands(&windows()[i]) && is_large(windows()[i].events_size)))
        i++;
    return i < count ? i : SCA_NONE;
}

/* The window that goes first: a large one; of the classes with more than enough, else of the
 * fullest, the one with the greatest hash. */
static uint32_t victim(void)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS), worst = large_one(), most = 0;
    if (worst != SCA_NONE)
        return worst;
    for (unsigned c = 0; c < CLASSES; c++)
        most = classes[c].kept > most ? classes[c].kept : most;
    for (uint32_t i = 0; i < count; i++) {
        const struct sca_part_window *w = &windows()[i];
        uint32_t kept = stands(w) ? classes[w->duration_class].kept : 0;
        if (!kept || (kept <= KEEP && kept < most))
            continue;
        if (worst == SCA_NONE ||
            sca_window_store_hash(w->iteration) > sca_window_store_hash(windows()[worst].iteration))
            worst = i;
    }
    return worst;
}

static void find_greatest(uint32_t duration_class)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct sca_part_window *w = &windows()[i];
        if (stands(w) && w->duration_class == duration_class &&
            sca_window_store_hash(w->iteration) > greatest)
            greatest = sca_window_store_hash(w->iteration);
    }
    classes[duration_class].greatest = greatest;
}

static void refresh_totals(void)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    for (uint32_t i = 0; i < count; i++)
        if (stands(&windows()[i]))
            windows()[i].class_total = classes[windows()[i].duration_class].total;
    since_refresh = 0;
}

bool sca_window_store_wants(uint64_t iteration, uint32_t duration_class)
{
    classes[duration_class].total++;
    if (++since_refresh >= 256)
        refresh_totals(); /* what an abort leaves is nearly right */
    return !full || classes[duration_class].kept < KEEP ||
           sca_window_store_hash(iteration) < classes[duration_class].greatest;
}

static void note_facts(uint64_t iteration, struct sca_window_facts facts)
{
    for (unsigned i = 0; i < RECORDS; i++)
        if (!known[i].used) {
            known[i].iteration = iteration;
            known[i].facts = facts;
            known[i].used = true;
            return;
        }
}

static void forget_facts(uint64_t iteration)
{
    for (unsigned i = 0; i < RECORDS; i++)
        known[i].used &= known[i].iteration != iteration;
}

struct sca_window_facts sca_window_store_facts(uint64_t iteration)
{
    for (unsigned i = 0; i < RECORDS; i++)
        if (known[i].used && known[i].iteration == iteration)
            return known[i].facts;
    return (struct sca_window_facts){0};
}

/* It stands for nothing any more. */
static void take_weight(struct sca_part_window *w)
{
    w->class_total = 0;
    used -= w->events_size + OVERHEAD;
    weighted--;
    classes[w->duration_class].kept--;
    find_greatest(w->duration_class);
    used_beside += w->events_size + OVERHEAD;
    beside++;
}

/* Its bytes stay where they are. */
static void forget(struct sca_part_window *w)
{
    if (!sca_window_is_beside(w))
        take_weight(w);
    w->kept = 0;
    forget_facts(w->iteration);
    used_beside -= w->events_size + OVERHEAD;
    beside--;
}

static void let_go(struct sca_part_window *w)
{
    forget(w);
    sca_window_space_free(w->events_offset, w->events_size);
    w->events_offset = w->events_size = 0;
}

void sca_window_store_drop_beside(void)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    for (uint32_t i = 0; i < count; i++)
        if (windows()[i].kept && sca_window_is_beside(&windows()[i]) &&
            !sca_long_iterations_have(windows()[i].iteration))
            let_go(&windows()[i]);
}

/* For so many further ones beside. False: there is none at all. */
static bool make_room_beside(uint32_t more, uint32_t bytes)
{
    while (beside + more > SCA_MOST_BESIDE || used_beside + bytes > BYTES_BESIDE) {
        bool others = sca_long_iterations_drop();
        sca_window_store_drop_beside();
        if (!others)
            return false;
    }
    return true;
}

/* A long iteration may have it. */
static void evict(uint32_t i)
{
    struct sca_part_window *w = &windows()[i];
    full = true;
    if (!sca_long_iterations_have(w->iteration)) {
        let_go(w);
        return;
    }
    take_weight(w);
    make_room_beside(0, 0);
}

void sca_window_store_drop_since(uint64_t ns)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    for (uint32_t i = 0; i < count; i++)
        if (windows()[i].kept && windows()[i].end_ns >= ns)
            forget(&windows()[i]);
}

static uint32_t free_record(void)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    for (uint32_t i = 0; (full || sca_long_iterations_get(0)) && i < count; i++)
        if (!windows()[i].kept)
            return i;
    if ((!sca_settings.full && count >= MOST + beside) || !sca_arena_next(SCA_T_WINDOWS))
        return SCA_NONE;
    return sca_arena_commit(SCA_T_WINDOWS);
}

/* The record is filled in before `kept` says so. */
static void publish(struct sca_part_window *at, const struct sca_part_window *window,
                    uint64_t class_total)
{
    *at = *window;
    at->class_total = class_total;
    at->kept = SCA_FREE;
    __atomic_store_n(&at->kept, window->kept, __ATOMIC_RELEASE);
}

static void fill(struct sca_part_window *at, const struct sca_part_window *window)
{
    publish(at, window, classes[window->duration_class].total);
    classes[window->duration_class].kept++;
    weighted++;
    used += window->events_size + OVERHEAD;
    if (sca_window_store_hash(window->iteration) > classes[window->duration_class].greatest)
        classes[window->duration_class].greatest = sca_window_store_hash(window->iteration);
}

/* Whether a window that has just ended goes, and not the last of the others. */
static bool ranks_last(const struct sca_part_window *new, const struct sca_part_window *last)
{
    if (is_large(new->events_size) || is_large(last->events_size))
        return is_large(new->events_size);
    return classes[new->duration_class].kept >= KEEP &&
           sca_window_store_hash(last->iteration) < sca_window_store_hash(new->iteration);
}

void sca_window_store_keep(const struct sca_part_window *window, const void *events, uint32_t size,
                           struct sca_window_facts facts)
{
    struct sca_part_window copy = *window;
    uint32_t record = SCA_NONE;
    copy.events_offset = SCA_NONE;
    copy.events_size = size;
    if (size + OVERHEAD > budget)
        return;
    /* It is judged among the others: room is made by whoever ranks last, and that may be it. */
    while (record == SCA_NONE || copy.events_offset == SCA_NONE) {
        if (used + size + OVERHEAD <= budget && record == SCA_NONE &&
            (weighted < MOST || sca_settings.full))
            record = free_record();
        if (record != SCA_NONE &&
            (copy.events_offset = sca_window_space_take(events, size)) != SCA_NONE)
            break;
        full = true;
        if (sca_settings.full)
            return; /* the beginning of the run is whole, the rest is missed */
        classes[copy.duration_class].kept++;
        uint32_t worst = victim();
        classes[copy.duration_class].kept--;
        if (worst == SCA_NONE || ranks_last(&copy, &windows()[worst]))
            return;
        evict(worst);
    }
    fill(&windows()[record], &copy);
    note_facts(copy.iteration, facts);
}

bool sca_window_store_has(uint64_t iteration)
{
    uint32_t count = sca_arena_count(SCA_T_WINDOWS);
    for (uint32_t i = 0; i < count; i++)
        if (windows()[i].kept && windows()[i].iteration == iteration)
            return true;
    return false;
}

bool sca_window_store_keep_beside(const struct sca_part_window *window, const void *events,
                                  uint32_t size, struct sca_window_facts facts)
{
    struct sca_part_window copy = *window;
    if (!make_room_beside(1, size + OVERHEAD) || !sca_long_iterations_have(window->iteration))
        return false;
    beside++;
    uint32_t record = free_record();
    beside--;
    copy.events_size = size;
    copy.events_offset = record == SCA_NONE ? SCA_NONE : sca_window_space_take(events, size);
    if (copy.events_offset == SCA_NONE)
        return false;
    publish(&windows()[record], &copy, 0);
    note_facts(copy.iteration, facts);
    used_beside += size + OVERHEAD;
    beside++;
    return true;
}

void sca_window_store_end(void)
{
    refresh_totals();
    sca_window_space_compact();
    if (!sca_settings.full) /* there nothing ever went, and all are as they came */
        sca_window_space_order();
}
