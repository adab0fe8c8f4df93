#include "timeline/long_contexts.h"
#include "base/degrees.h"
#include "graph/mpi_function.h"

#include <math.h>
#include <stdlib.h>

struct seen { /* samples of a rank, or all, in an interval at a vertex */
    uint32_t interval, vertex;
    double count, length; /* length: in mean instances of their ranks, summed over samples */
};

struct reading_lengths {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    struct seen *list;
    size_t n, capacity;
    double *mean;     /* [interval] of the rank at hand, seconds */
    double *seconds;  /* [interval] of all ranks */
    uint32_t *blocks; /* per node of the profile: the call outside MPI that it leads to; SCA_NONE */
};

static void find_blocking(struct reading_lengths *l)
{
    const struct sca_profile *p = l->run->profile;
    l->blocks = sca_workspace_alloc(l->space, p->nnodes + 1ul, sizeof *l->blocks);
    for (uint32_t n = 0; n <= p->nnodes; n++)
        l->blocks[n] = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (sca_mpi_function_blocks(p->sites[s].function))
            l->blocks[p->sites[s].node] = l->run->site_vertex[s];
}

/* SCA_NONE: it is no sample of the first thread between two known calls. */
static uint32_t vertex_of(const struct reading_lengths *l, const struct sca_part_sample *s)
{
    if (s->thread || !s->next || !s->count || s->node >= l->run->profile->nnodes)
        return SCA_NONE;
    return s->in_mpi == SCA_SAMPLE_COMPUTES  ? l->run->node_vertex[s->node]
           : s->in_mpi == SCA_SAMPLE_BLOCKED ? l->blocks[s->node]
                                             : SCA_NONE;
}

static void note(struct reading_lengths *l, const struct seen *one)
{
    if (l->n == l->capacity) {
        size_t more = l->capacity ? 2 * l->capacity : 1024;
        l->list = sca_workspace_grow(l->space, l->list, l->n, more, sizeof *l->list);
        l->capacity = more;
    }
    l->list[l->n++] = *one;
}

static void take_lengths(struct reading_lengths *l, const struct sca_rank *rank)
{
    for (uint32_t g = 0; g < l->run->intervals.n; g++)
        l->mean[g] = 0;
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *from = &rank->intervals[i];
        uint32_t g = sca_intervals_number(&l->run->intervals, from->previous, from->site);
        double seconds = 1e-9 * (double)(from->cpu_ns + from->blocked_ns);
        if (g == SCA_NONE || !from->count)
            continue;
        l->mean[g] = seconds / (double)from->count;
        l->seconds[g] += seconds;
    }
}

static void take_samples(struct reading_lengths *l, const struct sca_rank *rank)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        uint32_t g = sca_intervals_number(&l->run->intervals, s->previous, s->next);
        const struct seen one = {g, vertex_of(l, s), (double)s->count,
                                 g == SCA_NONE ? 0 : 1e-9 * (double)s->length_ns / l->mean[g]};
        if (one.vertex != SCA_NONE && g != SCA_NONE && l->mean[g] > 0)
            note(l, &one);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void merge(struct reading_lengths *l)
{
    size_t kept = 0;
    if (l->n)
        qsort(l->list, l->n, sizeof *l->list, by_place);
    for (size_t i = 0; i < l->n; i++) {
        const struct seen from = l->list[i];
        if (!kept || by_place(&l->list[kept - 1], &from) != 0) {
            l->list[kept++] = from;
            continue;
        }
        l->list[kept - 1].count += from.count;
        l->list[kept - 1].length += from.length;
    }
    l->n = kept;
}

/* ---- which contexts ---- */

static double seconds_at(const struct sca_ppg_run *run, uint32_t interval, uint32_t vertex)
{
    double seconds = 0;
    for (uint32_t r = 0; r < run->nranks; r++) {
        size_t at = (size_t)r * run->intervals.n + interval;
        for (uint32_t s = run->first_share[at]; s < run->first_share[at + 1]; s++)
            seconds += run->shares[s].vertex == vertex ? run->shares[s].seconds : 0;
    }
    return seconds;
}

static const float *means(struct reading_lengths *l, uint32_t interval)
{
    float *mean = sca_workspace_alloc(l->space, l->run->nranks, sizeof *mean);
    struct sca_opened *opened = sca_workspace_opened(l->space, l->run->profile);
    for (uint32_t r = 0; r < l->run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_INTERVALS);
        for (uint32_t i = 0; i < rank->nintervals; i++) {
            const struct sca_part_interval *p = &rank->intervals[i];
            if (p->count &&
                sca_intervals_number(&l->run->intervals, p->previous, p->site) == interval)
                mean[r] = (float)(1e-9 * (double)(p->cpu_ns + p->blocked_ns) / (double)p->count);
        }
    }
    return mean;
}

/* Those in instances far longer than the mean one. */
static void look_at(struct reading_lengths *l, const struct seen *first, size_t n,
                    struct sca_long_contexts *out)
{
    const struct sca_long_interval *before = out->count ? &out->of[out->count - 1] : NULL;
    struct sca_long_interval i = {.interval = first->interval,
                                  .first = before ? before->first + before->n : 0,
                                  .least = INFINITY};
    double all = l->seconds[first->interval], of_long = 0;
    for (size_t k = 0; k < n; k++) {
        double length = first[k].length / first[k].count;
        if (length <= SCA_TWICE)
            continue;
        out->vertices[i.first + i.n++] = first[k].vertex;
        i.least = fmin(i.least, length);
        of_long += seconds_at(l->run, first->interval, first[k].vertex);
    }
    i.usual = fmax(0, 1 - of_long / all);
    if (!i.n || i.n == n)
        return;
    i.mean = means(l, i.interval);
    out->of[out->count++] = i;
}

void sca_long_contexts_find(struct sca_workspace *space, const struct sca_ppg_run *run,
                            struct sca_long_contexts *out)
{
    struct reading_lengths l = {.space = space, .run = run};
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    find_blocking(&l);
    l.mean = sca_workspace_alloc(space, run->intervals.n, sizeof *l.mean);
    l.seconds = sca_workspace_alloc(space, run->intervals.n, sizeof *l.seconds);
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank =
            sca_rank_open(opened, r, SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES);
        take_lengths(&l, rank);
        take_samples(&l, rank);
    }
    merge(&l);
    *out = (struct sca_long_contexts){0};
    out->vertices = sca_workspace_alloc(space, l.n, sizeof *out->vertices);
    out->of = sca_workspace_alloc(space, l.n, sizeof *out->of);
    for (size_t i = 0, end; i < l.n; i = end) {
        for (end = i; end < l.n && l.list[end].interval == l.list[i].interval;)
            end++;
        look_at(&l, &l.list[i], end - i, out);
    }
}

/* ---- for an instance ---- */

const struct sca_long_interval *sca_long_interval_of(const struct sca_long_contexts *all,
                                                     uint32_t interval)
{
    uint32_t low = 0, high = all->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (all->of[middle].interval < interval)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->count && all->of[low].interval == interval ? &all->of[low] : NULL;
}

bool sca_long_interval_has(const struct sca_long_contexts *all, const struct sca_long_interval *i,
                           uint32_t vertex)
{
    for (uint32_t k = 0; k < i->n; k++)
        if (all->vertices[i->first + k] == vertex)
            return true;
    return false;
}

double sca_long_interval_part(const struct sca_long_interval *i, uint32_t rank, double seconds)
{
    double mean = (double)i->mean[rank], usual = mean * i->usual;
    if (seconds <= (usual + i->least * mean) / 2)
        return 0;
    return fmax(0, seconds - usual);
}
