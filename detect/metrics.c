#include "metrics.h"
#include "divide.h"
#include "sample_pool.h"
#include "sort.h"
#include "typical.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Vertices of the pool that the rank itself never saw and that would get less are left out. */
#define LEAST_SHARE 0.002
/* So far from the usual time, relatively, a rank is half usual. */
#define HALF_USUAL 0.25

struct build {
    struct sca_arena *arena;
    const struct sca_ppg *ppg;
    struct sca_ppg_run *run;
    void *memory; /* what ranks are opened in */
    struct sca_opened *opened;
    struct sca_weight *own; /* of the rank at hand, by site, vertex */
    size_t nown, own_capacity;
    double *seconds, *visits, *unusual; /* of the rank at hand, per site */
    struct sca_typical typical;
    struct sca_pool pool;
    struct sca_divider *divider;
    struct sca_ppg_share *shares;
    size_t nshares, shares_capacity;
};

static int no_memory(const struct build *b)
{
    return sca_fail(SCA_ENOMEM, "out of memory for the metrics of %s", b->run->profile->directory);
}

static size_t cell(const struct build *b, uint32_t vertex, uint32_t rank)
{
    return (size_t)vertex * b->run->nranks + rank;
}

/* ---- what is counted exactly ---- */

static int check_rank(const struct build *b, uint32_t rank, const struct sca_rank *r)
{
    const struct sca_profile *p = b->run->profile;
    bool ok = true;
    for (uint32_t i = 0; i < r->nsites; i++)
        ok &= r->sites[i].site < p->nsites;
    for (uint32_t i = 0; i < r->nintervals; i++)
        ok &= r->intervals[i].site < p->nsites && r->intervals[i].previous < p->nsites;
    for (uint32_t i = 0; i < r->npeers; i++)
        ok &= r->peers[i].site < p->nsites;
    for (uint32_t i = 0; i < r->nmessages; i++)
        ok &= r->messages[i].site < p->nsites && r->messages[i].comm < p->ncomms;
    return ok ? SCA_OK
              : sca_fail(SCA_EFORMAT, "%s: rank %u refers to a call site that is not there",
                         p->directory, rank);
}

static void count_calls(const struct build *b, const struct sca_rank *r)
{
    for (uint32_t i = 0; i < r->nsites; i++) {
        uint32_t v = b->run->site_vertex[r->sites[i].site];
        if (v != SCA_NONE)
            b->run->calls[v] += r->sites[i].count;
    }
}

/* ---- how long it takes ---- */

static void add_up_gaps(struct build *b, const struct sca_rank *r)
{
    memset(b->seconds, 0, b->run->profile->nsites * sizeof *b->seconds);
    memset(b->visits, 0, b->run->profile->nsites * sizeof *b->visits);
    for (uint32_t i = 0; i < r->nintervals; i++) {
        b->seconds[r->intervals[i].previous] += (double)r->intervals[i].cpu_ns * 1e-9;
        b->visits[r->intervals[i].previous] += (double)r->intervals[i].count;
    }
}

/* Who needs longer or less long than others does something that they do not. Of sites where the
 * rank has samples. */
static void judge_unusual(struct build *b)
{
    for (size_t i = 0; i < b->nown; i = sca_weights_of_site(b->own, i, b->nown)) {
        uint32_t s = b->own[i].site;
        double usual = sca_typical_seconds(&b->typical, s, b->seconds[s], b->visits[s]);
        double off = usual > 0 ? (b->seconds[s] / usual - 1) / HALF_USUAL : 0;
        b->unusual[s] = off * fabs(off) / (1 + off * off);
    }
}

static int ask_what_is_typical(struct build *b)
{
    int status = sca_typical_open(&b->typical, b->run->profile->nsites, b->run->nranks);
    for (uint32_t r = 0; !status && r < b->run->nranks; r += b->typical.stride) {
        const struct sca_rank *rank = sca_rank_open(b->opened, r, SCA_OPEN_ALL & ~SCA_OPEN_WINDOWS);
        status = check_rank(b, r, rank);
        if (status)
            return status;
        add_up_gaps(b, rank);
        sca_typical_add(&b->typical, b->seconds, b->visits);
    }
    if (status)
        return no_memory(b);
    sca_typical_close(&b->typical);
    return SCA_OK;
}

/* ---- samples ---- */

static void merge_equal(struct sca_weight *list, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++)
        if (kept && !sca_weights_order(&list[kept - 1], &list[i]))
            list[kept - 1].count += list[i].count;
        else
            list[kept++] = list[i];
    *count = kept;
}

/* The rank's samples outside MPI, by the site before them. */
static int collect_own(struct build *b, const struct sca_rank *r)
{
    b->nown = 0;
    for (uint32_t i = 0; i < r->nsamples; i++) {
        const struct sca_part_sample *s = &r->sample[i];
        if (s->in_mpi || !s->count)
            continue;
        if (sca_grow(&b->own, sizeof *b->own, b->nown, &b->own_capacity))
            return no_memory(b);
        b->own[b->nown++] =
            (struct sca_weight){s->previous, b->run->node_vertex[s->node], (double)s->count};
    }
    sca_put_in_order(b->own, b->nown, sizeof *b->own, sca_weights_order);
    merge_equal(b->own, &b->nown);
    return SCA_OK;
}

static int add_to_pool(struct build *b, const struct sca_rank *r)
{
    int status = collect_own(b, r);
    add_up_gaps(b, r);
    judge_unusual(b);
    if (!status && sca_pool_add(&b->pool, b->own, b->nown, b->unusual))
        status = no_memory(b);
    for (size_t i = 0; i < b->nown; i++)
        b->run->samples[b->own[i].vertex] += b->own[i].count;
    return status;
}

/* ---- shares ---- */

static int add_share(struct build *b, uint32_t vertex, double seconds, double samples)
{
    if (sca_grow(&b->shares, sizeof *b->shares, b->nshares, &b->shares_capacity))
        return no_memory(b);
    b->shares[b->nshares++] = (struct sca_ppg_share){vertex, (float)samples, seconds};
    return SCA_OK;
}

/* Weights become seconds; the greatest share takes what rounding leaves, so that the sum is the
 * interval's time. */
static void settle(struct sca_ppg_share *shares, size_t count, double seconds)
{
    double weight = 0, given = 0;
    size_t greatest = 0;
    for (size_t i = 0; i < count; i++) {
        weight += shares[i].seconds;
        greatest = shares[i].seconds > shares[greatest].seconds ? i : greatest;
    }
    for (size_t i = 0; i < count; i++)
        given += shares[i].seconds *= seconds / weight;
    shares[greatest].seconds += seconds - given;
}

static int spread_by_samples(struct build *b, uint32_t site, const struct sca_weight *own,
                             size_t nown, double seconds)
{
    struct sca_stretch s = {site,
                            own,
                            nown,
                            seconds,
                            sca_typical_seconds(&b->typical, site, seconds, b->visits[site]),
                            b->unusual[site]};
    const double *part = sca_divide(b->divider, &s);
    size_t first = b->nshares;
    int status = SCA_OK;
    for (size_t i = b->pool.first[site], o = 0; !status && i < b->pool.first[site + 1]; i++) {
        uint32_t vertex = b->pool.weights[i].vertex;
        bool seen = o < nown && own[o].vertex == vertex;
        double share = part[i - b->pool.first[site]], count = seen ? own[o++].count : 0;
        if (seen || share >= LEAST_SHARE || nown == 0)
            status = add_share(b, vertex, share, count);
    }
    if (!status)
        settle(b->shares + first, b->nshares - first, seconds);
    return status;
}

/* Nobody was sampled there, or nobody can be, off the core: the place itself says between which
 * vertices it happened. */
static int spread_by_structure(struct build *b, const struct sca_part_interval *interval,
                               double seconds)
{
    const uint32_t *vertex = b->run->site_vertex;
    uint32_t to = vertex[interval->site] == SCA_NONE ? 0 : vertex[interval->site];
    return add_share(b, sca_vertex_between(b->ppg, vertex[interval->previous], to), seconds, 0);
}

static int by_previous(const void *a, const void *b)
{
    const struct sca_part_interval *const *x = a, *const *y = b;
    if ((*x)->previous != (*y)->previous)
        return (*x)->previous < (*y)->previous ? -1 : 1;
    return (*x)->site<(*y)->site ? -1 : (*x)->site>(*y)->site;
}

/* All intervals of one rank after one site. */
static int spread_site(struct build *b, const struct sca_part_interval *const *intervals,
                       size_t count, size_t *own)
{
    uint32_t site = intervals[0]->previous;
    double seconds = 0;
    int status = SCA_OK;
    for (size_t i = 0; i < count; i++)
        seconds += (double)intervals[i]->cpu_ns * 1e-9;
    while (*own < b->nown && b->own[*own].site < site)
        ++*own;
    size_t end = *own < b->nown && b->own[*own].site == site
                     ? sca_weights_of_site(b->own, *own, b->nown)
                     : *own;
    bool sampled = b->pool.first[site] < b->pool.first[site + 1];
    if (sampled && seconds > 0)
        status = spread_by_samples(b, site, b->own + *own, end - *own, seconds);
    for (size_t i = 0; !status && i < count; i++) {
        uint64_t ns = intervals[i]->blocked_ns + (sampled ? 0 : intervals[i]->cpu_ns);
        if (ns)
            status = spread_by_structure(b, intervals[i], (double)ns * 1e-9);
    }
    return status;
}

static int spread_rank(struct build *b, uint32_t rank, const struct sca_part_interval **order)
{
    const struct sca_rank *r =
        sca_rank_open(b->opened, rank, SCA_OPEN_INTERVALS | SCA_OPEN_SAMPLES);
    uint32_t nsites = b->run->profile->nsites, site = 0;
    uint32_t *first = b->run->first_share + (size_t)rank * nsites;
    size_t own = 0, from = b->nshares;
    int status = collect_own(b, r);
    add_up_gaps(b, r);
    judge_unusual(b);
    for (uint32_t i = 0; i < r->nintervals; i++)
        order[i] = &r->intervals[i];
    sca_put_in_order(order, r->nintervals, sizeof *order, by_previous);
    for (uint32_t i = 0, end; !status && i < r->nintervals; i = end) {
        for (end = i; end < r->nintervals && order[end]->previous == order[i]->previous;)
            end++;
        while (site <= order[i]->previous)
            first[site++] = (uint32_t)b->nshares;
        status = spread_site(b, order + i, end - i, &own);
    }
    while (site < nsites)
        first[site++] = (uint32_t)b->nshares;
    for (size_t i = from; i < b->nshares; i++)
        b->run->comp[cell(b, b->shares[i].vertex, rank)] += b->shares[i].seconds;
    return status;
}

static int spread(struct build *b)
{
    const struct sca_profile *p = b->run->profile;
    size_t most = 0;
    for (uint32_t r = 0; r < p->nranks; r++)
        most = p->ranks[r].nintervals > most ? p->ranks[r].nintervals : most;
    const struct sca_part_interval **order = calloc(most + 1, sizeof(void *));
    int status = order ? SCA_OK : no_memory(b);
    for (uint32_t r = 0; !status && r < p->nranks; r++)
        status = spread_rank(b, r, order);
    free(order);
    if (!status && b->nshares > UINT32_MAX)
        status = no_memory(b);
    if (status)
        return status;
    b->run->first_share[(size_t)p->nranks * p->nsites] = (uint32_t)b->nshares;
    b->run->shares = b->shares; /* too many to copy */
    b->shares = NULL;
    return SCA_OK;
}

/* ---- one run ---- */

static int take_memory(struct build *b)
{
    struct sca_ppg_run *run = b->run;
    size_t nv = b->ppg->nvertices, cells = nv * run->nranks;
    run->comp = sca_arena_alloc(b->arena, cells, sizeof *run->comp);
    run->samples = sca_arena_alloc(b->arena, nv, sizeof *run->samples);
    run->calls = sca_arena_alloc(b->arena, nv, sizeof *run->calls);
    b->memory = calloc(1, sca_opened_size(run->profile));
    if (!b->memory)
        return no_memory(b);
    b->opened = sca_opened_init(b->memory, run->profile);
    b->seconds = calloc(3ul * run->profile->nsites + 1, sizeof *b->seconds);
    if (!b->seconds)
        return no_memory(b);
    b->visits = b->seconds + run->profile->nsites;
    b->unusual = b->visits + run->profile->nsites;
    run->first_share = sca_arena_alloc(b->arena, (size_t)run->nranks * run->profile->nsites + 1,
                                       sizeof *run->first_share);
    return run->comp && run->samples && run->calls && run->first_share ? SCA_OK : no_memory(b);
}

static void release(struct build *b)
{
    sca_divider_free(b->divider);
    sca_pool_free(&b->pool);
    sca_typical_free(&b->typical);
    free(b->seconds);
    free(b->memory);
    free(b->own);
    free(b->shares);
}

int sca_metrics_build(struct sca_arena *arena, const struct sca_ppg *ppg, struct sca_ppg_run *run)
{
    struct build b = {.arena = arena, .ppg = ppg, .run = run};
    int status = take_memory(&b);
    if (!status && sca_pool_open(&b.pool, run->profile->nsites))
        status = no_memory(&b);
    if (!status)
        status = ask_what_is_typical(&b);
    for (uint32_t r = 0; !status && r < run->nranks; r++) {
        sca_progress("dividing times by samples", r, run->nranks);
        const struct sca_rank *rank = sca_rank_open(b.opened, r, SCA_OPEN_ALL & ~SCA_OPEN_WINDOWS);
        status = check_rank(&b, r, rank);
        if (status)
            break;
        count_calls(&b, rank);
        status = add_to_pool(&b, rank);
    }
    if (!status && sca_pool_close(&b.pool))
        status = no_memory(&b);
    b.divider = status ? NULL : sca_divider_new(&b.pool, ppg);
    if (!status && !b.divider)
        status = no_memory(&b);
    if (!status)
        status = spread(&b);
    release(&b);
    return status;
}

static void time_mpi(struct sca_ppg_run *run, struct sca_opened *opened, double *mpi)
{
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SITES);
        for (uint32_t i = 0; i < rank->nsites; i++) {
            uint32_t v = run->site_vertex[rank->sites[i].site];
            if (v != SCA_NONE)
                mpi[(size_t)v * run->nranks + r] += (double)rank->sites[i].time_ns * 1e-9;
        }
    }
}

int sca_metrics_time_mpi(struct sca_arena *arena, const struct sca_ppg *ppg,
                         struct sca_ppg_run *run)
{
    size_t cells = (size_t)ppg->nvertices * run->nranks;
    void *memory = calloc(1, sca_opened_size(run->profile));
    double *mpi = memory ? sca_arena_alloc(arena, cells, sizeof *mpi) : NULL;
    if (mpi)
        time_mpi(run, sca_opened_init(memory, run->profile), mpi);
    free(memory);
    run->mpi = mpi;
    return mpi ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}
