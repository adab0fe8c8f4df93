#include "threads/region_findings.h"
#include "base/degrees.h"
#include "stats/median.h"
#include "threads/regions.h"

#include <math.h>
#include <string.h>

struct cutting { /* one finding's */
    struct sca_workspace *space;
    const struct sca_measure *m;
    double *seconds; /* [rank * intervals + interval] that it would take away */
    double *whole;   /* per rank */
};

static double *row_of(const struct cutting *c, uint32_t rank)
{
    return c->seconds + (size_t)rank * c->m->run->intervals.n;
}

static void begin(struct cutting *c)
{
    memset(c->seconds, 0, (size_t)c->m->nranks * c->m->run->intervals.n * sizeof *c->seconds);
    memset(c->whole, 0, c->m->nranks * sizeof *c->whole);
}

static void cut(struct cutting *c, uint32_t rank, uint32_t interval, double seconds)
{
    row_of(c, rank)[interval] += seconds;
    c->whole[rank] += seconds;
}

/* No rank's more than the median rank has. Returns what is left, of all ranks. */
static double limit_to_common(struct cutting *c)
{
    uint32_t n = c->m->nranks;
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    double *sorted = sca_workspace_alloc(&scratch, n, sizeof *sorted), all = 0;
    memcpy(sorted, c->whole, n * sizeof *sorted);
    double common = sca_median(sorted, n);
    for (uint32_t r = 0; r < n; r++) {
        double part = c->whole[r] > common ? common / c->whole[r] : 1;
        for (uint32_t i = 0; i < c->m->run->intervals.n && part < 1; i++)
            row_of(c, r)[i] *= part;
        c->whole[r] *= part;
        all += c->whole[r];
    }
    sca_workspace_free(&scratch);
    return all;
}

static uint32_t count_cuts(const struct cutting *c)
{
    uint32_t n = 0;
    for (size_t i = 0; i < (size_t)c->m->nranks * c->m->run->intervals.n; i++)
        n += c->seconds[i] > 0;
    return n;
}

static void set_cuts(const struct cutting *c, struct sca_finding *draft)
{
    uint32_t nintervals = c->m->run->intervals.n, n = 0;
    struct sca_cut *cuts = sca_workspace_alloc(c->space, count_cuts(c), sizeof *cuts);
    uint32_t *first = sca_workspace_alloc(c->space, c->m->nranks + 1ul, sizeof *first);
    draft->ranks = sca_workspace_alloc(c->space, c->m->nranks, sizeof *draft->ranks);
    draft->transform.factor =
        sca_workspace_alloc(c->space, c->m->nranks, sizeof *draft->transform.factor);
    for (uint32_t r = 0; r < c->m->nranks; r++) {
        double total = c->m->rank_total[r];
        draft->transform.factor[r] = 1;
        if (c->whole[r] <= 0)
            continue;
        draft->transform.factor[r] = total > c->whole[r] ? 1 - c->whole[r] / total : 0;
        first[draft->nranks] = n;
        draft->ranks[draft->nranks++] = r;
        for (uint32_t i = 0; i < nintervals; i++)
            if (row_of(c, r)[i] > 0)
                cuts[n++] = (struct sca_cut){i, row_of(c, r)[i]};
    }
    first[draft->nranks] = n;
    draft->transform.cuts = cuts;
    draft->transform.first_cut = first;
    draft->transform.alike = true;
}

static void put(struct cutting *c, enum sca_category category, uint32_t vertex, double ratio,
                double least, struct sca_ledger *out)
{
    struct sca_finding draft = {.vertex = vertex, .category = category, .ratio = ratio};
    draft.excess = limit_to_common(c);
    if (draft.excess < least)
        return;
    draft.nvertices = 1;
    draft.vertices = sca_workspace_alloc(c->space, 1, sizeof *draft.vertices);
    draft.vertices[0] = vertex;
    set_cuts(c, &draft);
    sca_ledger_append(out, &draft);
}

/* ---- regions ---- */

/* Less than a tenth of a region is what threads scatter. */
static void look_at_region(struct cutting *c, const struct sca_region_cell *cells, uint32_t n,
                           double least, struct sca_ledger *out)
{
    double sum[SCA_REGION_PARTS] = {0};
    begin(c);
    for (uint32_t i = 0; i < n; i++) {
        for (int part = 0; part < SCA_REGION_PARTS; part++)
            sum[part] += cells[i].seconds[part];
        cut(c, cells[i].rank, cells[i].interval, cells[i].seconds[SCA_REGION_UNEVEN]);
    }
    double busy = sum[SCA_REGION_ALL] - sum[SCA_REGION_CONTENDED];
    double even = busy - sum[SCA_REGION_UNEVEN];
    if (sum[SCA_REGION_UNEVEN] >= SCA_LITTLE * busy && even > 0)
        put(c, SCA_CAUSE_UNEVEN_THREADS, cells->vertex, busy / even, least, out);
}

static void look_at_regions(struct cutting *c, const struct sca_regions *regions, double least,
                            struct sca_ledger *out)
{
    for (uint32_t i = 0, end; i < regions->n; i = end) {
        for (end = i; end < regions->n && regions->cells[end].vertex == regions->cells[i].vertex;)
            end++;
        look_at_region(c, regions->cells + i, end - i, least, out);
    }
}

/* ---- what is done outside them ---- */

/* Per rank and interval: what is left of the part outside regions if all threads shared it. */
static double *serial_seconds(const struct cutting *c, const struct sca_regions *regions)
{
    const struct sca_measure *m = c->m;
    uint32_t nintervals = m->run->intervals.n;
    double *serial = sca_workspace_alloc(c->space, (size_t)m->nranks * nintervals, sizeof *serial);
    for (uint32_t r = 0; r < m->nranks; r++)
        for (uint32_t i = 0; i < nintervals; i++)
            serial[(size_t)r * nintervals + i] = sca_measure_seconds_in(m, r, i);
    for (uint32_t k = 0; k < regions->n; k++) {
        const struct sca_region_cell *cell = &regions->cells[k];
        serial[(size_t)cell->rank * nintervals + cell->interval] -= cell->seconds[SCA_REGION_ALL];
    }
    return serial;
}

/* The part of a vertex in what an interval has outside regions. */
static double part_of(const struct cutting *c, const struct sca_regions *regions, size_t cell,
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

static void look_at_serial(struct cutting *c, const struct sca_regions *regions,
                           const double *serial, uint32_t vertex, double least,
                           struct sca_ledger *out)
{
    uint32_t nintervals = c->m->run->intervals.n;
    begin(c);
    for (uint32_t r = 0; r < c->m->nranks; r++)
        for (uint32_t i = 0; i < nintervals; i++) {
            size_t cell = (size_t)r * nintervals + i;
            double seconds = fmax(0, serial[cell]) * part_of(c, regions, cell, vertex);
            cut(c, r, i, seconds * (1 - 1.0 / regions->threads));
        }
    put(c, SCA_CAUSE_ONE_THREAD, vertex, regions->threads, least, out);
}

static void look_outside(struct cutting *c, const struct sca_regions *regions, double least,
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
    struct cutting c = {space, m, NULL, NULL};
    c.seconds =
        sca_workspace_alloc(space, (size_t)m->nranks * m->run->intervals.n, sizeof *c.seconds);
    c.whole = sca_workspace_alloc(space, m->nranks, sizeof *c.whole);
    look_at_regions(&c, &regions, least, out);
    look_outside(&c, &regions, least, out);
}
