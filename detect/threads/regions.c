#include "threads/regions.h"

#include <stdlib.h>
#include <string.h>

#define REGION "OpenMP region"
#define TASK   "OpenMP task"

struct region_reading {
    struct sca_workspace *space;
    const struct sca_ppg_run *run;
    uint32_t *vertex_of; /* per node of the profile: the region that it leads to, or where it makes
                            tasks; SCA_NONE: none */
    struct sca_regions *out;
    uint32_t capacity, chain_capacity;
};

static bool is_at(const struct sca_profile *p, uint32_t site, const char *function)
{
    return p->sites[site].node < p->nnodes && !strcmp(p->sites[site].function, function);
}

static bool has_any(const struct sca_profile *p)
{
    for (uint32_t s = 1; s < p->nsites; s++)
        if (is_at(p, s, REGION))
            return true;
    return false;
}

static void find_places(struct region_reading *r)
{
    const struct sca_profile *p = r->run->profile;
    r->vertex_of = sca_workspace_alloc(r->space, p->nnodes + 1ul, sizeof *r->vertex_of);
    for (uint32_t n = 0; n <= p->nnodes; n++)
        r->vertex_of[n] = SCA_NONE;
    for (uint32_t s = 1; s < p->nsites; s++)
        if (is_at(p, s, REGION) || is_at(p, s, TASK))
            r->vertex_of[p->sites[s].node] = r->run->site_vertex[s];
}

static bool is_runtime(const struct sca_profile *p, uint32_t module)
{
    static const char *const names[] = {"/libgomp.so", "/libomp.so", "/libomp-", "/libiomp5.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names && module < p->nmodules; i++)
        if (strstr(p->modules[module].path, names[i]))
            return true;
    return false;
}

/* Samples of the first thread come by way of the OpenMP runtime; those of others are at the same
 * vertices. Parents come before children. */
static void mark_inside(const struct region_reading *r, uint32_t nvertices)
{
    const struct sca_profile *p = r->run->profile;
    struct sca_workspace scratch = {.out_of_memory = r->space->out_of_memory};
    bool *below = sca_workspace_alloc(&scratch, p->nnodes + 1ul, sizeof *below);
    for (uint32_t n = 1; n < p->nnodes; n++) {
        uint32_t parent = p->nodes[n].parent, v = r->run->node_vertex[n];
        below[n] = parent < n && (below[parent] || is_runtime(p, p->nodes[parent].module));
        if (below[n] && v < nvertices)
            r->out->inside[v] = true;
    }
    sca_workspace_free(&scratch);
}

static int part_of(unsigned kind)
{
    switch (kind) {
    case SCA_SAMPLE_REGION:
    case SCA_SAMPLE_INNER_REGION:
        return SCA_REGION_ALL;
    case SCA_SAMPLE_UNEVEN:
    case SCA_SAMPLE_INNER_UNEVEN:
        return SCA_REGION_UNEVEN;
    case SCA_SAMPLE_CONTENDED:
    case SCA_SAMPLE_REGION_HELD:
        return SCA_REGION_CONTENDED;
    default:
        return -1;
    }
}

static bool is_inner(unsigned kind)
{
    return kind == SCA_SAMPLE_INNER_REGION || kind == SCA_SAMPLE_INNER_UNEVEN;
}

static void add_chain(struct region_reading *r, uint32_t rank, const struct sca_part_sample *s)
{
    struct sca_chain_cell cell = {
        .vertex = r->vertex_of[s->node],
        .rank = rank,
        .interval = sca_intervals_number(&r->run->intervals, s->previous, s->next),
        .threads = s->thread,
        .alone = s->in_mpi == SCA_SAMPLE_LONG_TASK,
        .seconds = (double)s->length_ns * 1e-9};
    if (cell.vertex == SCA_NONE || cell.interval == SCA_NONE)
        return;
    if (r->out->nchains == r->chain_capacity) {
        r->chain_capacity = r->chain_capacity ? 2 * r->chain_capacity : 16;
        r->out->chains = sca_workspace_grow(r->space, r->out->chains, r->out->nchains,
                                            r->chain_capacity, sizeof *r->out->chains);
    }
    r->out->chains[r->out->nchains++] = cell;
}

static void add(struct region_reading *r, uint32_t rank, const struct sca_part_sample *s)
{
    int part = part_of(s->in_mpi);
    struct sca_region_cell cell = {
        .vertex = part >= 0 ? r->vertex_of[s->node] : SCA_NONE,
        .rank = rank,
        .interval = sca_intervals_number(&r->run->intervals, s->previous, s->next),
        .threads = s->thread,
        .inner = is_inner(s->in_mpi)};
    if (cell.vertex == SCA_NONE || cell.interval == SCA_NONE)
        return;
    cell.seconds[part] = (double)s->length_ns * 1e-9;
    if (s->in_mpi == SCA_SAMPLE_REGION_HELD) { /* by which the region takes longer */
        cell.seconds[SCA_REGION_ALL] = cell.seconds[part];
        cell.threads = 0;
    }
    if (r->out->n == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : 64;
        r->out->cells = sca_workspace_grow(r->space, r->out->cells, r->out->n, r->capacity,
                                           sizeof *r->out->cells);
    }
    r->out->cells[r->out->n++] = cell;
}

static int by_place(const void *a, const void *b)
{
    const struct sca_region_cell *x = a, *y = b;
    if (x->vertex != y->vertex)
        return x->vertex < y->vertex ? -1 : 1;
    if (x->inner != y->inner)
        return x->inner ? 1 : -1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->interval > y->interval) - (x->interval < y->interval);
}

static int by_task(const void *a, const void *b)
{
    const struct sca_chain_cell *x = a, *y = b;
    if (x->vertex != y->vertex)
        return x->vertex < y->vertex ? -1 : 1;
    return y->alone - x->alone;
}

static void join_equal(struct sca_regions *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < out->n; i++) {
        struct sca_region_cell *to = kept ? &out->cells[kept - 1] : NULL;
        const struct sca_region_cell *from = &out->cells[i];
        if (!to || by_place(to, from)) {
            out->cells[kept++] = *from;
            continue;
        }
        for (int part = 0; part < SCA_REGION_PARTS; part++)
            to->seconds[part] += from->seconds[part];
        to->threads = from->threads > to->threads ? from->threads : to->threads;
    }
    out->n = kept;
}

void sca_regions_read(struct sca_workspace *space, const struct sca_ppg *ppg,
                      const struct sca_ppg_run *run, struct sca_regions *out)
{
    struct region_reading r = {.space = space, .run = run, .out = out};
    *out = (struct sca_regions){0};
    if (!has_any(run->profile))
        return;
    out->inside = sca_workspace_alloc(space, ppg->nvertices, sizeof *out->inside);
    find_places(&r);
    mark_inside(&r, ppg->nvertices);
    struct sca_opened *opened = sca_workspace_opened(space, run->profile);
    for (uint32_t k = 0; k < run->nranks; k++) {
        const struct sca_rank *rank = sca_rank_open(opened, k, SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; rank->present && i < rank->nsamples; i++)
            if (rank->sample[i].in_mpi == SCA_SAMPLE_CHAIN ||
                rank->sample[i].in_mpi == SCA_SAMPLE_LONG_TASK)
                add_chain(&r, k, &rank->sample[i]);
            else
                add(&r, k, &rank->sample[i]);
    }
    sca_workspace_put_in_order(space, out->cells, out->n, sizeof *out->cells, by_place);
    join_equal(out);
    sca_workspace_put_in_order(space, out->chains, out->nchains, sizeof *out->chains, by_task);
    out->inner_threads = 1;
    for (uint32_t i = 0; i < out->n; i++) {
        unsigned *most = out->cells[i].inner ? &out->inner_threads : &out->threads;
        *most = out->cells[i].threads > *most ? out->cells[i].threads : *most;
    }
}
