#include "gaps.h"
#include "sca_error.h"

#include <stdbool.h>
#include <stdlib.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Where so many of the samples are not known, the others do not speak for them. */
#define FEW_UNKNOWN 0.1

struct sca_gap_entry {
    uint64_t key; /* previous, next */
    uint32_t number;
    UT_hash_handle hh;
};

struct samples { /* per first site */
    double known, unknown;
};

static uint64_t key_of(uint32_t previous, uint32_t next)
{
    return (uint64_t)previous << 32 | next;
}

static struct sca_gap_entry *find(const struct sca_gaps *gaps, uint64_t key)
{
    struct sca_gap_entry *found;
    HASH_FIND(hh, gaps->entries, &key, sizeof key, found);
    return found;
}

static int add(struct sca_gaps *gaps, uint64_t key)
{
    struct sca_gap_entry *entry = find(gaps, key);
    if (entry)
        return SCA_OK;
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return SCA_ENOMEM;
    entry->key = key;
    HASH_ADD(hh, gaps->entries, key, sizeof key, entry);
    if (entry->hh.tbl)
        return SCA_OK;
    free(entry);
    return SCA_ENOMEM;
}

static int add_rank(struct sca_gaps *gaps, uint32_t nsites, const struct sca_rank *r,
                    struct samples *samples)
{
    int status = SCA_OK;
    for (uint32_t i = 0; !status && i < r->nintervals; i++)
        if (r->intervals[i].previous < nsites && r->intervals[i].site < nsites)
            status = add(gaps, key_of(r->intervals[i].previous, r->intervals[i].site));
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

static int by_key(const struct sca_gap_entry *a, const struct sca_gap_entry *b)
{
    return (a->key > b->key) - (a->key < b->key);
}

static void number(struct sca_gaps *gaps, const struct samples *samples)
{
    HASH_SORT(gaps->entries, by_key);
    for (struct sca_gap_entry *e = gaps->entries; e; e = e->hh.next) {
        uint32_t previous = (uint32_t)(e->key >> 32);
        bool known = gaps->only[previous] != SCA_NONE;
        e->number = known ? gaps->only[previous] : gaps->n++;
        if (are_one(&samples[previous]))
            gaps->only[previous] = e->number;
    }
}

int sca_gaps_open(struct sca_gaps *gaps, const struct sca_profile *profile,
                  struct sca_opened *opened)
{
    const unsigned tables = SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES;
    uint32_t nsites = profile->nsites;
    struct samples *samples = calloc(nsites + 1ul, sizeof *samples);
    *gaps = (struct sca_gaps){.only = calloc(nsites + 1ul, sizeof *gaps->only)};
    int status = samples && gaps->only ? SCA_OK : SCA_ENOMEM;
    for (uint32_t s = 0; !status && s < nsites; s++)
        gaps->only[s] = SCA_NONE;
    for (uint32_t r = 0; !status && r < profile->nranks; r++)
        status = add_rank(gaps, nsites, sca_rank_open(opened, r, tables), samples);
    if (!status)
        number(gaps, samples);
    free(samples);
    return status;
}

void sca_gaps_free(struct sca_gaps *gaps)
{
    struct sca_gap_entry *e, *next;
    HASH_ITER(hh, gaps->entries, e, next)
    {
        HASH_DEL(gaps->entries, e);
        free(e);
    }
    free(gaps->only);
}

uint32_t sca_gap_number(const struct sca_gaps *gaps, uint32_t previous, uint32_t next)
{
    if (gaps->only[previous] != SCA_NONE)
        return gaps->only[previous];
    const struct sca_gap_entry *found = find(gaps, key_of(previous, next));
    return found ? found->number : SCA_NONE;
}
