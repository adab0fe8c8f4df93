#include "timeline/by_length.h"
#include "base/degrees.h"
#include "graph/mpi_function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct seen { /* samples of all ranks in an interval at a vertex */
    uint32_t interval, vertex;
    double count, length; /* length: in mean instances of their ranks, summed over samples */
};

struct reading_lengths {
    struct sca_workspace *space; /* for a while */
    struct sca_by_length *out;
    uint32_t *blocks;        /* per node of the profile: the call outside MPI that it leads to */
    double *count, *lengths; /* [share] samples, in independent ones; the sum of their lengths */
    double *instances;       /* [interval] of the rank at hand */
    struct seen *list;
    uint32_t n;
};

static size_t cell(const struct sca_by_length *of, uint32_t rank, uint32_t interval)
{
    return (size_t)rank * of->run->intervals.n + interval;
}

/* ---- samples ---- */

static void find_blocking(struct reading_lengths *l)
{
    const struct sca_profile *p = l->out->run->profile;
    l->blocks = sca_workspace_alloc(l->space, p->nnodes + 1ul, sizeof *l->blocks);
    for (uint32_t n = 0; n <= p->nnodes; n++)
        l->blocks[n] = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (sca_mpi_function_blocks(p->sites[s].function))
            l->blocks[p->sites[s].node] = l->out->run->site_vertex[s];
}

/* SCA_NONE: it is no sample of the first thread between two known calls. */
static uint32_t vertex_of(const struct reading_lengths *l, const struct sca_part_sample *s)
{
    if (s->thread || !s->next || !s->count || s->node >= l->out->run->profile->nnodes)
        return SCA_NONE;
    return s->in_mpi == SCA_SAMPLE_COMPUTES  ? l->out->run->node_vertex[s->node]
           : s->in_mpi == SCA_SAMPLE_BLOCKED ? l->blocks[s->node]
                                             : SCA_NONE;
}

static void take_means(struct reading_lengths *l, const struct sca_rank *rank, uint32_t r)
{
    const struct sca_intervals *intervals = &l->out->run->intervals;
    float *mean = l->out->mean + cell(l->out, r, 0);
    memset(l->instances, 0, intervals->n * sizeof *l->instances);
    for (uint32_t i = 0; i < rank->nintervals; i++) {
        const struct sca_part_interval *from = &rank->intervals[i];
        uint32_t g = sca_intervals_number(intervals, from->previous, from->site);
        if (g == SCA_NONE)
            continue;
        mean[g] += (float)(1e-9 * (double)(from->cpu_ns + from->blocked_ns));
        l->instances[g] += (double)from->count;
    }
    for (uint32_t g = 0; g < intervals->n; g++)
        mean[g] = l->instances[g] > 0 ? mean[g] / (float)l->instances[g] : 0;
}

static void take_samples(struct reading_lengths *l, const struct sca_rank *rank, uint32_t r)
{
    const struct sca_ppg_run *run = l->out->run;
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        uint32_t g = sca_intervals_number(&run->intervals, s->previous, s->next);
        uint32_t vertex = vertex_of(l, s);
        if (vertex == SCA_NONE || g == SCA_NONE)
            continue;
        size_t at = cell(l->out, r, g);
        for (uint32_t k = run->first_share[at]; k < run->first_share[at + 1]; k++)
            if (run->shares[k].vertex == vertex) {
                l->count[k] += rank->sample_worth * (double)s->count;
                l->lengths[k] += rank->sample_worth * 1e-9 * (double)s->length_ns;
            }
    }
}

/* ---- whether they tell ---- */

struct interval_lengths { /* sums over contexts of an interval */
    double count, lengths, mean;
    bool differs;
};

static void add_context(struct interval_lengths *t, double count, double lengths)
{
    t->count += count;
    t->lengths += lengths;
}

/* Lengths of instances that samples find scatter like those of a gamma distribution: by
 * sqrt(l (l - m)). */
static void compare_context(struct interval_lengths *t, double count, double lengths)
{
    double all = t->lengths / t->count, error = sqrt(all * fmax(0, all - t->mean) / count);
    t->differs |=
        count > 0 && all > t->mean && fabs(lengths / count - all) > SCA_THREE_SIGMAS * error;
}

/* True: the rank's own samples tell, and the lengths of its shares are set. */
static bool tell_by_own(struct reading_lengths *l, size_t at)
{
    const struct sca_ppg_run *run = l->out->run;
    struct interval_lengths t = {.mean = (double)l->out->mean[at]};
    uint32_t first = run->first_share[at], end = run->first_share[at + 1];
    for (uint32_t k = first; k < end; k++)
        add_context(&t, l->count[k], l->lengths[k]);
    for (uint32_t k = first; k < end && t.count > 0; k++)
        compare_context(&t, l->count[k], l->lengths[k]);
    for (uint32_t k = first; k < end && t.differs; k++)
        l->out->length[k] =
            (float)(l->count[k] > 0 ? l->lengths[k] / l->count[k] : t.lengths / t.count);
    return t.differs;
}

/* ---- all ranks' ---- */

static int by_place(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    if (x->interval != y->interval)
        return x->interval < y->interval ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void note(struct reading_lengths *l, uint32_t interval, size_t at)
{
    const struct sca_ppg_run *run = l->out->run;
    for (uint32_t k = run->first_share[at]; k < run->first_share[at + 1]; k++)
        if (l->count[k] > 0 && l->out->mean[at] > 0)
            l->list[l->n++] = (struct seen){interval, run->shares[k].vertex, l->count[k],
                                            l->lengths[k] / (double)l->out->mean[at]};
}

static void merge(struct reading_lengths *l)
{
    uint32_t kept = 0;
    if (l->n)
        qsort(l->list, l->n, sizeof *l->list, by_place);
    for (uint32_t i = 0; i < l->n; i++) {
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

/* Contexts [first, end) are those of an interval. */
static void tell_by_all(struct reading_lengths *l, uint32_t first, uint32_t end, const bool *own)
{
    const struct sca_ppg_run *run = l->out->run;
    struct interval_lengths t = {.mean = 1};
    for (uint32_t i = first; i < end; i++)
        add_context(&t, l->list[i].count, l->list[i].length);
    for (uint32_t i = first; i < end; i++)
        compare_context(&t, l->list[i].count, l->list[i].length);
    for (uint32_t r = 0; r < run->nranks && t.differs; r++) {
        size_t at = cell(l->out, r, l->list[first].interval);
        for (uint32_t k = run->first_share[at]; k < run->first_share[at + 1] && !own[at]; k++) {
            const struct seen key = {.interval = l->list[first].interval,
                                     .vertex = run->shares[k].vertex};
            const struct seen *of =
                bsearch(&key, l->list + first, end - first, sizeof key, by_place);
            l->out->length[k] =
                l->out->mean[at] * (float)(of ? of->length / of->count : t.lengths / t.count);
        }
    }
}

/* ---- those in long instances alone ---- */

static void mark_rare(struct reading_lengths *l, uint32_t interval, uint32_t vertex, double *rare,
                      double *all)
{
    const struct sca_ppg_run *run = l->out->run;
    for (uint32_t r = 0; r < run->nranks; r++) {
        size_t at = cell(l->out, r, interval);
        for (uint32_t k = run->first_share[at]; k < run->first_share[at + 1]; k++) {
            *all += vertex == SCA_NONE ? run->shares[k].seconds : 0;
            if (run->shares[k].vertex != vertex)
                continue;
            l->out->rare[k] = true;
            *rare += run->shares[k].seconds;
        }
    }
}

/* Contexts [first, end) are those of an interval. */
static void find_rare(struct reading_lengths *l, uint32_t first, uint32_t end)
{
    uint32_t n = 0, interval = l->list[first].interval;
    double least = INFINITY, rare = 0, all = 0;
    for (uint32_t i = first; i < end; i++) {
        double length = l->list[i].length / l->list[i].count;
        if (length <= SCA_TWICE)
            continue;
        least = fmin(least, length);
        mark_rare(l, interval, l->list[i].vertex, &rare, &all);
        n++;
    }
    if (!n || n == end - first)
        return;
    mark_rare(l, interval, SCA_NONE, &rare, &all);
    l->out->rare_of[interval] =
        (struct sca_rare_length){(float)fmax(0, 1 - rare / all), (float)least};
}

static void tell(struct reading_lengths *l, bool *own)
{
    const struct sca_ppg_run *run = l->out->run;
    for (uint32_t r = 0; r < run->nranks; r++)
        for (uint32_t g = 0; g < run->intervals.n; g++) {
            size_t at = cell(l->out, r, g);
            own[at] = tell_by_own(l, at);
            note(l, g, at);
        }
    merge(l);
    for (uint32_t i = 0, end; i < l->n; i = end) {
        for (end = i; end < l->n && l->list[end].interval == l->list[i].interval;)
            end++;
        tell_by_all(l, i, end, own);
        find_rare(l, i, end);
    }
}

void sca_by_length_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                        const struct sca_ppg_run *run, struct sca_by_length *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    size_t cells = (size_t)run->nranks * run->intervals.n, shares = run->first_share[cells];
    struct sca_opened *opened = sca_workspace_opened(&scratch, run->profile);
    *out = (struct sca_by_length){.ppg = ppg, .run = run};
    out->length = sca_workspace_alloc(space, shares, sizeof *out->length);
    out->mean = sca_workspace_alloc(space, cells, sizeof *out->mean);
    out->rare = sca_workspace_alloc(space, shares, sizeof *out->rare);
    out->rare_of = sca_workspace_alloc(space, run->intervals.n, sizeof *out->rare_of);
    out->seconds = sca_workspace_alloc(space, ppg->nvertices, sizeof *out->seconds);
    struct reading_lengths l = {.space = &scratch, .out = out};
    find_blocking(&l);
    l.count = sca_workspace_alloc(&scratch, shares, sizeof *l.count);
    l.lengths = sca_workspace_alloc(&scratch, shares, sizeof *l.lengths);
    l.list = sca_workspace_alloc(&scratch, shares, sizeof *l.list);
    l.instances = sca_workspace_alloc(&scratch, run->intervals.n, sizeof *l.instances);
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank =
            sca_rank_open(opened, r, SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES);
        take_means(&l, rank, r);
        take_samples(&l, rank, r);
    }
    tell(&l, sca_workspace_alloc(&scratch, cells, sizeof(bool)));
    sca_workspace_free(&scratch);
}
