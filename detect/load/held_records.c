#include "load/held_records.h"
#include "base/sort.h"
#include "sca_error.h"

#include <stdlib.h>

static int by_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *left, const void *right)
{
    const struct sca_held_record *a = left, *b = right;
    int order = by_number(a->previous, b->previous);
    order = order ? order : by_number(a->site, b->site);
    order = order ? order : by_number(a->region, b->region);
    order = order ? order : by_number(a->kind, b->kind);
    return order ? order : by_number(a->thread, b->thread);
}

static struct sca_held_record record_of(const struct sca_rank *rank, uint32_t sample)
{
    const struct sca_part_sample *s = &rank->sample[sample];
    bool in_region = s->in_mpi == SCA_SAMPLE_REGION_HELD || s->in_mpi == SCA_SAMPLE_REGION;
    return (struct sca_held_record){s->previous, s->next,   in_region ? s->node : 0,
                                    s->in_mpi,   s->thread, sample};
}

int sca_held_records_open(struct sca_held_records *records, const struct sca_rank *rank)
{
    *records = (struct sca_held_records){.rank = rank, .n = rank->nsamples};
    records->of = malloc(((size_t)rank->nsamples + 1) * sizeof *records->of);
    records->intervals = malloc(((size_t)rank->nintervals + 1) * sizeof *records->intervals);
    if (!records->of || !records->intervals)
        return sca_fail(SCA_ENOMEM, "out of memory for the records of a rank");
    for (uint32_t i = 0; i < rank->nsamples; i++)
        records->of[i] = record_of(rank, i);
    for (uint32_t i = 0; i < rank->nintervals; i++)
        records->intervals[i] = (struct sca_held_record){
            .previous = rank->intervals[i].previous, .site = rank->intervals[i].site, .number = i};
    int status = sca_sort_in_order(records->of, records->n, sizeof *records->of, by_place);
    return status ? status
                  : sca_sort_in_order(records->intervals, rank->nintervals,
                                      sizeof *records->intervals, by_place);
}

void sca_held_records_close(struct sca_held_records *records)
{
    free(records->of);
    free(records->intervals);
}

/* Of a sorted list, the first that is not before the given one. */
static uint32_t lower_bound(const struct sca_held_record *list, uint32_t n,
                            const struct sca_held_record *given)
{
    uint32_t low = 0;
    while (low < n) {
        uint32_t middle = low + (n - low) / 2;
        if (by_place(&list[middle], given) < 0)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static struct sca_held_range range_of(const struct sca_held_records *records,
                                      const struct sca_held_record *from,
                                      const struct sca_held_record *to)
{
    return (struct sca_held_range){records->of + lower_bound(records->of, records->n, from),
                                   records->of + lower_bound(records->of, records->n, to)};
}

/* Where no interval is that, sites are missing that the records name. */
static bool find_interval(const struct sca_held_records *records, struct sca_held_scope *scope)
{
    const struct sca_held_record given = {.previous = scope->previous, .site = scope->site};
    uint32_t n = records->rank->nintervals, i = lower_bound(records->intervals, n, &given);
    if (i == n || by_place(&records->intervals[i], &given))
        return false;
    scope->interval = records->intervals[i].number;
    return true;
}

/* Whether a record is the first that tells of a lock in its region. */
static bool begins_region(const struct sca_held_records *records, uint32_t i,
                          struct sca_held_scope *scope)
{
    const struct sca_held_record *x = &records->of[i];
    if (x->kind != SCA_SAMPLE_REGION_HELD || !x->site || !x->region)
        return false;
    *scope = (struct sca_held_scope){x->previous, x->site, x->region, 0};
    return sca_held_records_of_locks(records, scope).first == x && find_interval(records, scope);
}

bool sca_held_records_next(const struct sca_held_records *records, uint32_t *at,
                           struct sca_held_scope *scope)
{
    const struct sca_rank *rank = records->rank;
    while (*at < records->n)
        if (begins_region(records, (*at)++, scope))
            return true;
    uint32_t i = (*at)++ - records->n;
    if (i < rank->nintervals)
        *scope =
            (struct sca_held_scope){rank->intervals[i].previous, rank->intervals[i].site, 0, i};
    return i < rank->nintervals;
}

struct sca_held_range sca_held_records_in(const struct sca_held_records *records,
                                          const struct sca_held_scope *scope)
{
    const struct sca_held_record from = {.previous = scope->previous, .site = scope->site};
    const struct sca_held_record to = {scope->previous, scope->site, UINT32_MAX,
                                       UINT16_MAX,      UINT16_MAX,  0};
    return range_of(records, &from, &to);
}

static struct sca_held_range of_kind(const struct sca_held_records *records,
                                     const struct sca_held_scope *scope, uint16_t kind)
{
    struct sca_held_record from = {scope->previous, scope->site, scope->region, kind, 0, 0};
    struct sca_held_record to = from;
    to.kind++;
    return range_of(records, &from, &to);
}

struct sca_held_range sca_held_records_of_locks(const struct sca_held_records *records,
                                                const struct sca_held_scope *scope)
{
    return of_kind(records, scope, scope->region ? SCA_SAMPLE_REGION_HELD : SCA_SAMPLE_HELD);
}

struct sca_held_range sca_held_records_of_region(const struct sca_held_records *records,
                                                 const struct sca_held_scope *scope)
{
    return of_kind(records, scope, SCA_SAMPLE_REGION);
}
