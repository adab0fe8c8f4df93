#include "series/places.h"
#include "arena/arena.h"
#include "base/hot.h"
#include "clock/clock.h"
#include "sampling/sample_next.h"
#include "sampling/sampler_backend.h"
#include "series/series.h"
#include "unwind/callpath.h"

#include <stdio.h>

enum { SITE_KEY = 2 };

static struct {
    uint32_t at;              /* passed last, if sca_places_open: a site */
    uint64_t since_ns;        /* and when that was done */
    uint32_t nplaces, nsteps; /* kept */
} own;

uint32_t sca_places_open SCA_HOT;

/* SCA_NONE: there are `most` already. State lock held. */
static uint32_t find(enum sca_part_table table, const uint32_t *key, unsigned words, uint32_t *n,
                     uint32_t most)
{
    uint32_t record = sca_arena_known(table, key, words);
    if (record != SCA_NONE || *n >= most)
        return record;
    ++*n;
    return sca_arena_find(table, key, words);
}

/* State lock held. */
static uint32_t site_of(uint32_t node, const char *kind, const char *name)
{
    char text[sizeof SCA_PLACE_BEGINS + SCA_PHASE_NAME];
    snprintf(text, sizeof text, "%s%s", kind, name);
    const uint32_t key[SITE_KEY] = {node, node == SCA_NONE ? SCA_NONE : sca_arena_string(text)};
    if (key[1] == SCA_NONE)
        return SCA_NONE;
    return find(SCA_T_SITES, key, SITE_KEY, &own.nplaces, SCA_MOST_PLACES);
}

/* From where the thread was last. State lock held. */
static void step(uint32_t to, uint64_t ns)
{
    uint32_t from = sca_places_open ? own.at : sca_thread.previous;
    uint64_t since_ns = sca_places_open ? own.since_ns : sca_series_now.left_ns;
    const uint32_t key[SCA_SAMPLE_KEY] = {0, from, sca_sample_next_of(SCA_SAMPLE_STEP, 0), to};
    uint32_t record = from == SCA_NONE
                          ? SCA_NONE
                          : find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY, &own.nsteps, SCA_MOST_STEPS);
    if (record == SCA_NONE)
        return;
    struct sca_part_sample *at = (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + record;
    at->count++;
    at->length_ns += ns > since_ns ? ns - since_ns : 0;
}

/* A path's note is of the name that came from there last, and of its site (calls/activity.c has
 * notes without the first bit). State lock held. */
static uint32_t known_site_of(uint32_t node, uint64_t *note, const char *kind, const char *name)
{
    uint32_t text = (uint32_t)(name - (const char *)sca_arena_table(SCA_T_STRINGS));
    uint64_t tag = 1u << 31 | text << 1 | (*kind == *SCA_PLACE_ENDS);
    uint64_t known = note ? __atomic_load_n(note, __ATOMIC_RELAXED) : 0;
    if (known >> 32 == tag)
        return (uint32_t)known;
    uint32_t site = site_of(node, kind, name);
    if (note && site != SCA_NONE)
        __atomic_store_n(note, tag << 32 | site, __ATOMIC_RELAXED);
    return site;
}

void sca_places_pass(const char *kind, const char *name, uint64_t ns, const void *return_address,
                     const void *cfa)
{
    struct sca_thread *t = &sca_thread;
    if (sca_paused)
        return;
    t->in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uint64_t *note;
    uint32_t node = sca_callpath_call(return_address, cfa, &note);
    sca_guard_lock();
    uint32_t site = known_site_of(node, note, kind, name);
    if (site != SCA_NONE)
        step(site, ns);
    sca_places_open = site != SCA_NONE;
    own.at = site;
    sca_guard_unlock();
    own.since_ns = sca_clock_now();
    t->sampling_ns += own.since_ns - ns;
    sca_sampler_spent(ns);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
}

void sca_places_arrive(uint32_t site, uint64_t ns)
{
    if (sca_series_now.owner != &sca_thread)
        return;
    step(site, ns);
    sca_places_open = 0;
}

void sca_places_pause(void)
{
    if (sca_series_now.owner == &sca_thread)
        sca_places_open = 0;
}
