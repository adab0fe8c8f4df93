#include "graph/intervals.h"
#include "base/degrees.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdlib.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct pair {     /* an interval that some rank has */
    uint64_t key; /* previous, next */
    UT_hash_handle hh;
};

struct samples { /* per first site */
    double known, unknown;
};

static uint64_t key_of(uint32_t previous, uint32_t next)
{
    return (uint64_t)previous << 32 | next;
}

static int add(struct pair **pairs, uint64_t key)
{
    struct pair *pair;
    HASH_FIND(hh, *pairs, &key, sizeof key, pair);
    if (pair)
        return SCA_OK;
    pair = calloc(1, sizeof *pair);
    if (!pair)
        return SCA_ENOMEM;
    pair->key = key;
    HASH_ADD(hh, *pairs, key, sizeof key, pair);
    if (pair->hh.tbl)
        return SCA_OK;
    free(pair);
    return SCA_ENOMEM;
}

static void free_pairs(struct pair *pairs)
{
    struct pair *pair, *next;
    HASH_ITER(hh, pairs, pair, next)
    {
        HASH_DEL(pairs, pair);
        free(pair);
    }
}

static int add_rank(struct pair **pairs, uint32_t nsites, const struct sca_rank *r,
                    struct samples *samples)
{
    int status = SCA_OK;
    for (uint32_t i = 0; !status && i < r->nintervals; i++)
        if (r->intervals[i].previous < nsites && r->intervals[i].site < nsites)
            status = add(pairs, key_of(r->intervals[i].previous, r->intervals[i].site));
    for (uint32_t i = 0; i < r->nsamples; i++) {
        const struct sca_part_sample *s = &r->sample[i];
        if (!s->in_mpi && s->next)
            samples[s->previous].known += (double)s->count;
        else if (!s->in_mpi)
            samples[s->previous].unknown += (double)s->count;
    }
    return status;
}

/* Where samples are not known, the others do not speak for them. */
static bool are_one(const struct samples *s)
{
    return s->unknown > SCA_RELEVANT * (s->known + s->unknown);
}

static int by_key(const struct pair *a, const struct pair *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

static void number(struct sca_intervals *intervals, struct pair **pairs,
                   const struct samples *samples)
{
    uint32_t site = 0, joined = SCA_NONE;
    HASH_SORT(*pairs, by_key);
    for (const struct pair *p = *pairs; p; p = p->hh.next) {
        uint32_t previous = (uint32_t)(p->key >> 32);
        if (previous == joined)
            continue;
        while (site <= previous)
            intervals->first[site++] = intervals->n;
        joined = are_one(&samples[previous]) ? previous : joined;
        intervals->next[intervals->n++] = previous == joined ? SCA_NONE : (uint32_t)p->key;
    }
    while (site <= intervals->nsites)
        intervals->first[site++] = intervals->n;
}

static int take_memory(struct sca_intervals *intervals, uint32_t nsites, size_t most)
{
    *intervals = (struct sca_intervals){.nsites = nsites,
                                        .first = calloc(nsites + 1ul, sizeof *intervals->first),
                                        .next = calloc(most + 1, sizeof *intervals->next)};
    return intervals->first && intervals->next && most < SCA_NONE ? SCA_OK : SCA_ENOMEM;
}

int sca_intervals_open(struct sca_intervals *intervals, const struct sca_profile *profile,
                       struct sca_opened *opened)
{
    const unsigned tables = SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES;
    uint32_t nsites = profile->nsites;
    struct samples *samples = calloc(nsites + 1ul, sizeof *samples);
    struct pair *pairs = NULL;
    int status = samples ? SCA_OK : SCA_ENOMEM;
    *intervals = (struct sca_intervals){0};
    for (uint32_t r = 0; !status && r < profile->nranks; r++)
        status = add_rank(&pairs, nsites, sca_rank_open(opened, r, tables), samples);
    if (!status)
        status = take_memory(intervals, nsites, HASH_COUNT(pairs));
    if (!status) {
        intervals->sites = profile->sites;
        number(intervals, &pairs, samples);
    }
    free_pairs(pairs);
    free(samples);
    return status;
}

int sca_intervals_open_joined(struct sca_intervals *intervals, uint32_t nsites)
{
    int status = take_memory(intervals, nsites, nsites);
    for (uint32_t s = 0; !status && s <= nsites; s++)
        intervals->first[s] = s;
    for (uint32_t s = 0; !status && s < nsites; s++)
        intervals->next[s] = SCA_NONE;
    intervals->n = status ? 0 : nsites;
    return status;
}

void sca_intervals_free(struct sca_intervals *intervals)
{
    free(intervals->first);
    free(intervals->next);
    *intervals = (struct sca_intervals){0};
}

uint32_t sca_intervals_number(const struct sca_intervals *intervals, uint32_t previous,
                              uint32_t next)
{
    if (previous >= intervals->nsites)
        return SCA_NONE;
    uint32_t low = intervals->first[previous], high = intervals->first[previous + 1];
    if (low < high && intervals->next[low] == SCA_NONE)
        return low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (intervals->next[middle] == next)
            return middle;
        if (intervals->next[middle] < next)
            low = middle + 1;
        else
            high = middle;
    }
    return SCA_NONE;
}

bool sca_intervals_is_of(const struct sca_intervals *intervals, uint32_t previous, uint32_t thread)
{
    uint32_t track = thread < SCA_TRACKS ? thread : SCA_TRACKS;
    bool known = intervals->sites && previous < intervals->nsites;
    return track == (known ? intervals->sites[previous].thread : 0);
}

uint32_t sca_intervals_site(const struct sca_intervals *intervals, uint32_t interval)
{
    uint32_t low = 0, high = intervals->nsites;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (intervals->first[middle] <= interval)
            low = middle;
        else
            high = middle;
    }
    return low;
}
