#include "report/code_inside.h"
#include "base/degrees.h"
#include "graph/same_place.h"

/* ---- the function ---- */

static bool has_vertex(const struct sca_analysis *c, const struct sca_finding *cause, uint32_t v)
{
    for (uint32_t k = 0; k < cause->nvertices; k++)
        if (v >= cause->vertices[k] && v < c->ends[cause->vertices[k]])
            return true;
    return false;
}

/* Of an interval only what lies between its calls. */
static bool is_of(const struct sca_analysis *c, const struct sca_finding *cause,
                  const struct sca_part_sample *s)
{
    const struct sca_ppg_run *run = c->measures[c->last].run;
    struct sca_interval_bounds bounds = sca_finding_bounds(cause);
    return !s->in_mpi && has_vertex(c, cause, run->node_vertex[s->node]) &&
           (!sca_finding_is_between(cause) ||
            sca_interval_bounds_has(run, &bounds, s->previous, s->next));
}

/* Samples by function, of itself and of those it calls; returns how many there are in all. */
static double count_samples(const struct sca_analysis *c, const struct sca_finding *cause,
                            double *counts)
{
    const struct sca_ppg_run *run = c->measures[c->last].run;
    struct sca_opened *opened = sca_workspace_opened(c->space, run->profile);
    double all = 0;
    for (uint32_t k = 0; k < cause->nranks; k++) {
        const struct sca_rank *r = sca_rank_open(opened, cause->ranks[k], SCA_OPEN_SAMPLES);
        for (uint32_t i = 0; i < r->nsamples; i++) {
            const struct sca_part_sample *s = &r->sample[i];
            if (!is_of(c, cause, s))
                continue;
            all += s->count;
            for (uint32_t f = run->node_inner[s->node]; f; f = c->ppg->inners.items[f].parent)
                counts[f] += s->count;
        }
    }
    return all;
}

uint32_t sca_code_inside_most(const struct sca_analysis *c, const struct sca_finding *cause,
                              double *share)
{
    uint32_t n = c->ppg->inners.count, best = 0;
    double *counts = sca_workspace_alloc(c->space, n + 1, sizeof *counts);
    bool on_core = cause->interval.core.on >= cause->interval.core.off; /* samples tell that */
    double all = n && on_core ? count_samples(c, cause, counts) : 0;
    for (uint32_t f = 1; f < n; f++) /* callers come first: of equals the deepest */
        if (counts[f] > SCA_HALF * all && (!best || counts[f] > SCA_HALF * counts[best]))
            best = f;
    *share = best ? counts[best] / all : 0;
    return best;
}

/* ---- the call ---- */

static bool is_below(const struct sca_analysis *c, uint32_t v, uint32_t top)
{
    return v >= top && v < c->ends[top];
}

static bool has_path(const struct sca_finding *cause, uint32_t v)
{
    for (uint32_t k = 0; k < cause->nvertices; k++)
        if (cause->vertices[k] == v)
            return true;
    return false;
}

uint32_t sca_code_inside_site(const struct sca_analysis *c, const struct sca_finding *cause)
{
    const struct sca_ppg_vertex *all = c->ppg->vertices;
    uint32_t *paths, n = sca_same_place(c->space, c->ppg, cause->vertex, &paths);
    if (sca_finding_is_between(cause) || n <= cause->nvertices)
        return SCA_NONE;
    for (uint32_t u = all[cause->vertex].parent; u; u = all[u].parent) {
        bool fits = all[u].kind == SCA_CALL;
        for (uint32_t i = 0; i < n && fits; i++)
            fits = is_below(c, paths[i], u) == has_path(cause, paths[i]);
        if (fits)
            return u;
    }
    return SCA_NONE;
}
