#include "graph/intervals.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdlib.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Where so many of the samples are not known, the others do not speak for them. */
#define FEW_UNKNOWN 0.1

struct pair {     /* a gap that some rank has */
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

static bool are_one(const struct samples *s)
{
    return s->unknown > FEW_UNKNOWN * (s->known + s->unknown);
}

static int by_key(const struct pair *a, const struct pair *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

static void number(struct sca_gaps *gaps, struct pair **pairs, const struct samples *samples)
{
    uint32_t site = 0, joined = SCA_NONE;
    HASH_SORT(*pairs, by_key);
    for (const struct pair *p = *pairs; p; p = p->hh.next) {
        uint32_t previous = (uint32_t)(p->key >> 32);
        if (previous == joined)
            continue;
        while (site <= previous)
            gaps->first[site++] = gaps->n;
        joined = are_one(&samples[previous]) ? previous : joined;
        gaps->next[gaps->n++] = previous == joined ? SCA_NONE : (uint32_t)p->key;
    }
    while (site <= gaps->nsites)
        gaps->first[site++] = gaps->n;
}

static int take_memory(struct sca_gaps *gaps, uint32_t nsites, size_t most)
{
    *gaps = (struct sca_gaps){.nsites = nsites,
                              .first = calloc(nsites + 1ul, sizeof *gaps->first),
                              .next = calloc(most + 1, sizeof *gaps->next)};
    return gaps->first && gaps->next && most < SCA_NONE ? SCA_OK : SCA_ENOMEM;
}

int sca_gaps_open(struct sca_gaps *gaps, const struct sca_profile *profile,
                  struct sca_opened *opened)
{
    const unsigned tables = SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES;
    uint32_t nsites = profile->nsites;
    struct samples *samples = calloc(nsites + 1ul, sizeof *samples);
    struct pair *pairs = NULL;
    int status = samples ? SCA_OK : SCA_ENOMEM;
    *gaps = (struct sca_gaps){0};
    for (uint32_t r = 0; !status && r < profile->nranks; r++)
        status = add_rank(&pairs, nsites, sca_rank_open(opened, r, tables), samples);
    if (!status)
        status = take_memory(gaps, nsites, HASH_COUNT(pairs));
    if (!status)
        number(gaps, &pairs, samples);
    free_pairs(pairs);
    free(samples);
    return status;
}

int sca_gaps_open_joined(struct sca_gaps *gaps, uint32_t nsites)
{
    int status = take_memory(gaps, nsites, nsites);
    for (uint32_t s = 0; !status && s <= nsites; s++)
        gaps->first[s] = s;
    for (uint32_t s = 0; !status && s < nsites; s++)
        gaps->next[s] = SCA_NONE;
    gaps->n = status ? 0 : nsites;
    return status;
}

void sca_gaps_free(struct sca_gaps *gaps)
{
    free(gaps->first);
    free(gaps->next);
    *gaps = (struct sca_gaps){0};
}

uint32_t sca_gap_number(const struct sca_gaps *gaps, uint32_t previous, uint32_t next)
{
    if (previous >= gaps->nsites)
        return SCA_NONE;
    uint32_t low = gaps->first[previous], high = gaps->first[previous + 1];
    if (low < high && gaps->next[low] == SCA_NONE)
        return low;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (gaps->next[middle] == next)
            return middle;
        if (gaps->next[middle] < next)
            low = middle + 1;
        else
            high = middle;
    }
    return SCA_NONE;
}

uint32_t sca_gap_site(const struct sca_gaps *gaps, uint32_t gap)
{
    uint32_t low = 0, high = gaps->nsites;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (gaps->first[middle] <= gap)
            low = middle;
        else
            high = middle;
    }
    return low;
}
