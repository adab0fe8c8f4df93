#include "load/run_metrics.h"
#include "apportion/other_rounds.h"
#include "apportion/rank_intervals.h"
#include "graph/mpi_function.h"
#include "sca_error.h"
#include "sca_progress.h"
#include "apportion/shares.h"

#include <stdlib.h>

struct build {
    struct sca_arena *arena;
    const struct sca_ppg *ppg;
    struct sca_ppg_run *run;
    void *memory; /* what ranks are opened in */
    struct sca_opened *opened;
    struct sca_rank_intervals intervals;
    struct sca_pool pool;
    double *visits; /* per interval, of all ranks */
};

static int no_memory(const struct build *b)
{
    return sca_fail(SCA_ENOMEM, "out of memory for the metrics of %s", b->run->profile->directory);
}

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

static int open_checked(const struct build *b, uint32_t rank, const struct sca_rank **r)
{
    *r = sca_rank_open(b->opened, rank, SCA_OPEN_ALL & ~SCA_OPEN_WINDOWS);
    return check_rank(b, rank, *r);
}

static int ask_what_is_usual(struct build *b)
{
    const struct sca_rank *rank;
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < b->run->nranks; r += b->intervals.typical.stride) {
        status = open_checked(b, r, &rank);
        if (!status)
            sca_rank_intervals_ask(&b->intervals, rank);
    }
    if (!status)
        sca_rank_intervals_asked(&b->intervals);
    return status;
}

/* NULL: out of memory. */
static double *take_beside(const struct build *b)
{
    struct sca_ppg_run *run = b->run;
    size_t cells = (size_t)b->ppg->nvertices * run->nranks;
    if (!run->beside)
        run->beside = sca_arena_alloc(b->arena, cells, sizeof *run->beside);
    return run->beside;
}

/* What a thread computes between its own calls of MPI is an interval's, as the first one's is. */
static bool is_beside(const struct build *b, const struct sca_part_sample *s)
{
    const struct sca_intervals *intervals = &b->run->intervals;
    return s->thread && (!sca_intervals_is_of(intervals, s->previous, s->thread) ||
                         sca_intervals_number(intervals, s->previous, s->next) == SCA_NONE);
}

static int add_sampled(const struct build *b, const struct sca_rank *rank, uint32_t r)
{
    for (uint32_t i = 0; i < rank->nsamples; i++) {
        const struct sca_part_sample *s = &rank->sample[i];
        uint32_t v = b->run->node_vertex[s->node];
        double seconds = (double)s->count * 1e-9 * (double)rank->sample_period_ns;
        if (s->in_mpi)
            continue;
        b->run->sampled[v] += seconds;
        if (s->thread && !take_beside(b))
            return SCA_ENOMEM;
        if (is_beside(b, s))
            b->run->beside[(size_t)v * b->run->nranks + r] += seconds;
    }
    return SCA_OK;
}

static int add_rank(struct build *b, uint32_t r)
{
    const struct sca_rank *rank;
    int status = open_checked(b, r, &rank);
    if (status)
        return status;
    count_calls(b, rank);
    if (add_sampled(b, rank, r) ||
        sca_rank_intervals_take(&b->intervals, rank, b->run->node_vertex) ||
        sca_sample_pool_add(&b->pool, b->intervals.samples.own, b->intervals.samples.nown,
                            b->intervals.unusual))
        return no_memory(b);
    for (size_t i = 0; i < b->intervals.samples.nown; i++)
        b->run->samples[b->intervals.samples.own[i].vertex] += b->intervals.samples.own[i].count;
    for (uint32_t i = 0; i < b->run->intervals.n; i++)
        b->visits[i] += b->intervals.visits[i];
    return SCA_OK;
}

static int take_memory(struct build *b)
{
    struct sca_ppg_run *run = b->run;
    size_t nv = b->ppg->nvertices, cells = nv * run->nranks;
    run->comp = sca_arena_alloc(b->arena, cells, sizeof *run->comp);
    run->blocked = sca_arena_alloc(b->arena, cells, sizeof *run->blocked);
    run->awaited = sca_arena_alloc(b->arena, nv, sizeof *run->awaited);
    run->samples = sca_arena_alloc(b->arena, nv, sizeof *run->samples);
    run->sampled = sca_arena_alloc(b->arena, nv, sizeof *run->sampled);
    run->calls = sca_arena_alloc(b->arena, nv, sizeof *run->calls);
    b->memory = calloc(1, sca_rank_open_size(run->profile));
    if (!b->memory || !run->comp || !run->blocked || !run->awaited || !run->samples ||
        !run->sampled || !run->calls)
        return no_memory(b);
    b->opened = sca_rank_open_init(b->memory, run->profile);
    if (sca_intervals_open(&run->intervals, run->profile, b->opened) ||
        sca_rank_intervals_open(&b->intervals, &run->intervals, run->nranks) ||
        sca_sample_pool_open(&b->pool, run->intervals.n))
        return no_memory(b);
    run->first_share = sca_arena_alloc(b->arena, (size_t)run->nranks * run->intervals.n + 1,
                                       sizeof *run->first_share);
    b->visits = calloc(run->intervals.n + 1ul, sizeof *b->visits);
    if (!run->first_share || !b->visits)
        return no_memory(b);
    return SCA_OK;
}

int sca_run_metrics_refuse(const struct sca_ppg *ppg, struct sca_ppg_run *run)
{
    struct build b = {.ppg = ppg, .run = run};
    const struct sca_rank *rank;
    b.memory = calloc(1, sca_rank_open_size(run->profile));
    if (!b.memory)
        return no_memory(&b);
    b.opened = sca_rank_open_init(b.memory, run->profile);
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < run->nranks; r++)
        status = open_checked(&b, r, &rank);
    free(b.memory);
    return status;
}

int sca_run_metrics_build(struct sca_arena *arena, const struct sca_ppg *ppg,
                          struct sca_ppg_run *run)
{
    struct build b = {.arena = arena, .ppg = ppg, .run = run};
    int status = take_memory(&b);
    if (!status)
        status = ask_what_is_usual(&b);
    for (uint32_t r = 0; !status && r < run->nranks; r++) {
        sca_progress("dividing times by samples", r, run->nranks);
        status = add_rank(&b, r);
    }
    if (!status && (sca_sample_pool_close(&b.pool) ||
                    sca_other_rounds_imagine(ppg, run, b.visits, &b.intervals.typical, &b.pool) ||
                    sca_shares_build(ppg, run, &b.intervals, &b.pool, b.opened)))
        status = no_memory(&b);
    sca_sample_pool_free(&b.pool);
    sca_rank_intervals_free(&b.intervals);
    free(b.visits);
    free(b.memory);
    return status;
}

static bool blocks(const struct sca_ppg_run *run, uint32_t site)
{
    return sca_mpi_function_blocks(run->profile->sites[site].function);
}

static void time_mpi(struct sca_ppg_run *run, struct sca_opened *opened, double *mpi)
{
    for (uint32_t r = 0; r < run->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SITES);
        for (uint32_t i = 0; i < rank->nsites; i++) {
            uint32_t v = run->site_vertex[rank->sites[i].site];
            if (v != SCA_NONE && !blocks(run, rank->sites[i].site))
                mpi[(size_t)v * run->nranks + r] += (double)rank->sites[i].time_ns * 1e-9;
        }
    }
}

static int add_mpi_time(struct sca_arena *arena, const struct sca_ppg *ppg, struct sca_ppg_run *run)
{
    size_t cells = (size_t)ppg->nvertices * run->nranks;
    void *memory = calloc(1, sca_rank_open_size(run->profile));
    double *mpi = memory ? sca_arena_alloc(arena, cells, sizeof *mpi) : NULL;
    if (mpi)
        time_mpi(run, sca_rank_open_init(memory, run->profile), mpi);
    free(memory);
    run->mpi = mpi;
    return mpi ? SCA_OK : sca_fail(SCA_ENOMEM, "out of memory");
}

int sca_run_metrics_fill_mpi_time(const struct sca_ppg *ppg)
{
    int status = SCA_OK;
    for (uint32_t r = 0; !status && r < ppg->nruns; r++)
        if (!ppg->runs[r].mpi)
            status = add_mpi_time(ppg->memory, ppg, &ppg->runs[r]);
    return status;
}
