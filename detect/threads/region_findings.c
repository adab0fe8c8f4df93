#include "threads/region_findings.h"
#include "base/degrees.h"
#include "threads/cutting.h"
#include "threads/regions.h"

#include <math.h>

/* ---- regions ---- */

/* Whether threads share cores: then equal work may take one of them longer, as it may a rank. */
static bool is_crowded(const struct sca_measure *m, const struct sca_regions *regions)
{
    return m->shared ||
           (m->cores && regions->threads * regions->inner_threads * m->nranks > m->cores);
}

/* Less than a tenth of a region is what threads scatter. */
static void look_at_region(struct sca_cutting *c, const struct sca_region_cell *cells, uint32_t n,
                           bool crowded, double least, struct sca_ledger *out)
{
    double sum[SCA_REGION_PARTS] = {0};
    sca_cutting_begin(c);
    for (uint32_t i = 0; i < n; i++) {
        for (int part = 0; part < SCA_REGION_PARTS; part++)
            sum[part] += cells[i].seconds[part];
        sca_cutting_take(c, cells[i].rank, cells[i].interval, cells[i].seconds[SCA_REGION_UNEVEN]);
    }
    double busy = sum[SCA_REGION_ALL] - sum[SCA_REGION_CONTENDED];
    double even = busy - sum[SCA_REGION_UNEVEN];
    if (sum[SCA_REGION_UNEVEN] >= SCA_RELEVANT * busy && even > 0 &&
        busy >= (crowded ? SCA_SHARED_CORES : 1) * even)
        sca_cutting_put(c,
                        (struct sca_finding){.vertex = cells->vertex,
                                             .category = SCA_CAUSE_UNEVEN_THREADS,
                                             .ratio = busy / even},
                        least, out);
}

static bool is_same_place(const struct sca_region_cell *a, const struct sca_region_cell *b)
{
    return a->vertex == b->vertex && a->inner == b->inner;
}

static void look_at_regions(struct sca_cutting *c, const struct sca_regions *regions, double least,
                            struct sca_ledger *out)
{
    for (uint32_t i = 0, end; i < regions->n; i = end) {
        for (end = i; end < regions->n && is_same_place(&regions->cells[end], &regions->cells[i]);)
            end++;
        look_at_region(c, regions->cells + i, end - i, is_crowded(c->m, regions), least, out);
    }
}

/* ---- tasks that depend on each other, or of which one is long ---- */

/* Regions of these ranks and intervals. */
static double seconds_around(const struct sca_regions *regions, const struct sca_chain_cell *cells,
                             uint32_t n)
{
    double all = 0;
    for (uint32_t k = 0; k < regions->n; k++) {
        const struct sca_region_cell *cell = &regions->cells[k];
        bool around = false;
        for (uint32_t i = 0; i < n && !cell->inner && !around; i++)
            around = cells[i].rank == cell->rank && cells[i].interval == cell->interval;
        all += around ? cell->seconds[SCA_REGION_ALL] - cell->seconds[SCA_REGION_CONTENDED] : 0;
    }
    return all;
}

/* A long task is one thread's. */
static void look_at_tasks(struct sca_cutting *c, const struct sca_regions *regions,
                          const struct sca_chain_cell *cells, uint32_t n, double least,
                          struct sca_ledger *out)
{
    struct sca_finding draft = {.vertex = cells->vertex, .category = SCA_CAUSE_ONE_THREAD};
    double excess = 0, busy = seconds_around(regions, cells, n);
    sca_cutting_begin(c);
    for (uint32_t i = 0; i < n; i++) {
        sca_cutting_take(c, cells[i].rank, cells[i].interval, cells[i].seconds);
        draft.ratio = fmax(draft.ratio, cells[i].threads);
        excess += cells[i].seconds;
    }
    if (cells->alone) {
        draft.category = SCA_CAUSE_UNEVEN_THREADS;
        draft.ratio = busy > excess ? busy / (busy - excess) : draft.ratio;
        if (draft.ratio < (is_crowded(c->m, regions) ? SCA_SHARED_CORES : 1 + SCA_RELEVANT))
            return;
    }
    sca_cutting_put(c, draft, least, out);
}

static void look_at_all_tasks(struct sca_cutting *c, const struct sca_regions *regions,
                              double least, struct sca_ledger *out)
{
    const struct sca_chain_cell *cells = regions->chains;
    for (uint32_t i = 0, end; i < regions->nchains; i = end) {
        for (end = i; end < regions->nchains && cells[end].vertex == cells[i].vertex &&
                      cells[end].alone == cells[i].alone;)
            end++;
        look_at_tasks(c, regions, cells + i, end - i, least, out);
    }
}

/* ---- what is done outside them ---- */

/* Per rank and interval: what is left of the part outside regions if all threads shared it. */
static double *serial_seconds(const struct sca_cutting *c, const struct sca_regions *regions)
{
    const struct sca_measure *m = c->m;
    uint32_t nintervals = m->run->intervals.n;
    double *serial = sca_workspace_alloc(c->space, (size_t)m->nranks * nintervals, sizeof *serial);
    for (uint32_t r = 0; r < m->nranks; r++)
        for (uint32_t i = 0; i < nintervals; i++)
            serial[(size_t)r * nintervals + i] = sca_measure_seconds_in(m, r, i);
    for (uint32_t k = 0; k < regions->n; k++) {
        const struct sca_region_cell *cell = &regions->cells[k];
        if (!cell->inner)
            serial[(size_t)cell->rank * nintervals + cell->interval] -=
                cell->seconds[SCA_REGION_ALL];
    }
    return serial;
}

/* The part of a vertex in what an interval has outside regions. */
static double part_of(const struct sca_cutting *c, const struct sca_regions *regions, size_t cell,
                      uint32_t vertex)
{
    const struct sca_ppg_run *run = c->m->run;
    double all = 0, own = 0;
    for (uint32_t i = run->first_share[cell]; i < run->first_share[cell + 1]; i++) {
        const struct sca_ppg_share *share = &run->shares[i];
        all += regions->inside[share->vertex] ? 0 : share->seconds;
        own += share->vertex == vertex ? share->seconds : 0;
    }
    return all > 0 ? own / all : 0;
}

static void look_at_serial(struct sca_cutting *c, const struct sca_regions *regions,
                           const double *serial, uint32_t vertex, double least,
                           struct sca_ledger *out)
{
    uint32_t nintervals = c->m->run->intervals.n;
    sca_cutting_begin(c);
    for (uint32_t r = 0; r < c->m->nranks; r++)
        for (uint32_t i = 0; i < nintervals; i++) {
            size_t cell = (size_t)r * nintervals + i;
            double seconds = fmax(0, serial[cell]) * part_of(c, regions, cell, vertex);
            sca_cutting_take(c, r, i, seconds * (1 - 1.0 / regions->threads));
        }
    sca_cutting_put(c,
                    (struct sca_finding){.vertex = vertex,
                                         .category = SCA_CAUSE_ONE_THREAD,
                                         .ratio = regions->threads},
                    least, out);
}

static void look_outside(struct sca_cutting *c, const struct sca_regions *regions, double least,
                         struct sca_ledger *out)
{
    const struct sca_ppg_run *run = c->m->run;
    const double *serial = serial_seconds(c, regions);
    for (uint32_t v = 1; v < c->m->ppg->nvertices; v++) {
        double all = 0;
        for (uint32_t r = 0; r < c->m->nranks && !regions->inside[v]; r++)
            all += run->comp[(size_t)v * c->m->nranks + r] -
                   run->blocked[(size_t)v * c->m->nranks + r];
        if (all >= least)
            look_at_serial(c, regions, serial, v, least, out);
    }
}

void sca_region_findings_add(struct sca_workspace *space, const struct sca_measure *m, double least,
                             struct sca_ledger *out)
{
    struct sca_regions regions;
    sca_regions_read(space, m->ppg, m->run, &regions);
    if (regions.threads < 2)
        return;
    struct sca_cutting c = sca_cutting_open(space, m);
    look_at_regions(&c, &regions, least, out);
    look_at_all_tasks(&c, &regions, least, out);
    look_outside(&c, &regions, least, out);
}
