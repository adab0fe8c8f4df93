#include "load/run_metrics.h"
#include "views/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double sca_figures_own_seconds(const struct sca_ppg_run *run, uint32_t vertex, uint32_t rank)
{
    size_t cell = (size_t)vertex * run->nranks + rank;
    return run->comp[cell] + run->mpi[cell];
}

static void add_up(struct sca_workspace *space, struct sca_figures *out)
{
    const struct sca_ppg *ppg = out->ppg;
    uint32_t n = ppg->nvertices;
    out->inclusive = sca_workspace_grow(space, out->own, n, n, sizeof(double));
    for (uint32_t v = n; v-- > 1;) {
        out->inclusive[ppg->vertices[v].parent] += out->inclusive[v];
        out->mpi[ppg->vertices[v].parent] += out->mpi[v];
    }
    out->total = out->inclusive[0];
}

void sca_figures_of(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                    struct sca_figures *out)
{
    uint32_t n = ppg->nvertices;
    if (sca_run_metrics_fill_mpi_time(ppg) < 0)
        longjmp(*space->out_of_memory, 1);
    *out = (struct sca_figures){.ppg = ppg, .run = &ppg->runs[run]};
    out->own = sca_workspace_alloc(space, n, sizeof(double));
    out->mpi = sca_workspace_alloc(space, n, sizeof(double));
    for (uint32_t v = 0; v < n; v++)
        for (uint32_t r = 0; r < out->run->nranks; r++) {
            out->own[v] += sca_figures_own_seconds(out->run, v, r);
            out->mpi[v] += out->run->mpi[(size_t)v * out->run->nranks + r];
        }
    add_up(space, out);
}

void sca_figures_replayed(struct sca_workspace *space, const struct sca_ppg *ppg, uint32_t run,
                          const double *const *waits, struct sca_figures *out)
{
    sca_figures_of(space, ppg, run, out);
    if (!waits || !waits[run])
        return;
    for (uint32_t v = 0; v < ppg->nvertices; v++) {
        out->own[v] = waits[run][v];
        out->mpi[v] = waits[run][v];
        for (uint32_t r = 0; r < out->run->nranks; r++)
            out->own[v] += out->run->comp[(size_t)v * out->run->nranks + r];
    }
    add_up(space, out);
}

static int compare_places(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    int order = strcmp(a->function, b->function);
    order = order ? order : strcmp(a->file, b->file);
    order = order ? order : (a->line > b->line) - (a->line < b->line);
    order = order ? order : (a->kind > b->kind) - (a->kind < b->kind);
    return order ? order : strcmp(a->name, b->name);
}

static int by_place(const void *a, const void *b, void *vertices)
{
    const struct sca_ppg_vertex *v = vertices;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare_places(&v[x], &v[y]);
    return order ? order : (x > y) - (x < y);
}

struct sca_source_place *sca_figures_places_of(struct sca_workspace *space,
                                               const struct sca_ppg *ppg, uint32_t *n)
{
    uint32_t *sorted = sca_workspace_alloc(space, ppg->nvertices, sizeof *sorted);
    struct sca_source_place *places = sca_workspace_alloc(space, ppg->nvertices, sizeof *places);
    *n = 0;
    for (uint32_t v = 0; v < ppg->nvertices; v++)
        sorted[v] = v;
    qsort_r(sorted, ppg->nvertices, sizeof *sorted, by_place, ppg->vertices);
    for (uint32_t i = 0; i < ppg->nvertices; i++) {
        if (i && !compare_places(&ppg->vertices[sorted[i - 1]], &ppg->vertices[sorted[i]]))
            places[*n - 1].count++;
        else
            places[(*n)++] = (struct sca_source_place){1, &sorted[i]};
    }
    return places;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sca_figures_sort(double *values, uint32_t n)
{
    qsort(values, n, sizeof *values, by_value);
}

double sca_figures_quantile(const double *sorted, uint32_t n, double part)
{
    if (!n)
        return NAN;
    double at = part * (n - 1);
    uint32_t low = (uint32_t)at, high = low + 1 < n ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

double sca_figures_correlation(const double *x, const double *y, uint32_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (uint32_t i = 0; i < n; i++) {
        mean_x += x[i] / n;
        mean_y += y[i] / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    bool varies = xx > 1e-18 * n * mean_x * mean_x && yy > 1e-18 * n * mean_y * mean_y;
    return n >= 3 && xx > 0 && yy > 0 && varies ? xy / sqrt(xx * yy) : NAN;
}
