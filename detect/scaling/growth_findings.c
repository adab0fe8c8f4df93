#include "base/degrees.h"
#include "scaling/growth.h"
#include "graph/same_place.h"
#include "findings/named_place.h"
#include "stats/over_ranks.h"

#include <math.h>

static double sum_over_ranks(const struct sca_measure *m, uint32_t v)
{
    return sca_over_ranks_sum(m->inclusive + (size_t)v * m->nranks, m->nranks);
}

static bool always_alike(void *context, uint32_t a, uint32_t b)
{
    (void)context;
    (void)a;
    (void)b;
    return true; /* all ranks take part in each */
}

/* What is left when the growth is mended. It costs what it took beyond the smallest run's promise;
 * but work that every rank repeats, there as well, is divided as a whole when it is. */
static double left_of(const struct sca_growths *growths, const struct sca_growth *g)
{
    bool repeated = growths->same_problem && fabs(g->fit.slope) <= SCA_QUARTER &&
                    g->expected_slope <= -1 + SCA_QUARTER;
    uint32_t places = growths->fewest > g->idle ? growths->fewest - g->idle : 1;
    return repeated ? g->expected / places : g->expected;
}

/* What each rank likely has of it: where ranks differ no more than their samples scatter, the mean
 * (James and Stein's estimate). `seconds` is by rank, and so is the result. */
static void draw_together(const struct sca_measure *m, const double *seconds,
                          const double *variance, double *likely)
{
    double mean = 0, spread = 0, noise = 0;
    for (uint32_t r = 0; r < m->nranks; r++) {
        mean += seconds[r] / m->nranks;
        noise += variance[r] / m->nranks;
    }
    for (uint32_t r = 0; r < m->nranks; r++)
        spread += (seconds[r] - mean) * (seconds[r] - mean) / m->nranks;
    double real = spread > noise ? 1 - noise / spread : 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        likely[r] = mean + real * (seconds[r] - mean);
}

/* All ranks lose the same part of what they likely have; a rank whose samples show less than that
 * still loses it, so that less than nothing may be left of what they show. */
static double *factors_of(struct sca_workspace *space, const struct sca_measure *m,
                          const struct sca_finding *c, double kept)
{
    double *factor = sca_workspace_alloc(space, m->nranks, sizeof *factor);
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    double *variance = sca_workspace_alloc(space, m->nranks, sizeof *variance);
    double *likely = sca_workspace_alloc(space, m->nranks, sizeof *likely);
    for (uint32_t k = 0; k < c->nvertices; k++)
        for (uint32_t r = 0; r < m->nranks; r++) {
            size_t cell = (size_t)c->vertices[k] * m->nranks + r;
            seconds[r] += m->inclusive[cell];
            variance[r] += (double)m->noise[cell] * m->noise[cell];
        }
    draw_together(m, seconds, variance, likely);
    for (uint32_t r = 0; r < m->nranks; r++)
        /* it loses no more than twice what its samples show */
        factor[r] = seconds[r] > 0 ? fmax(-SCA_TWICE, 1 - (1 - kept) * likely[r] / seconds[r]) : 1;
    return factor;
}

/* All; but those that have none of it in any run. */
static void name_ranks(struct sca_workspace *space, const struct sca_measure *m, bool some_idle,
                       struct sca_finding *c)
{
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    c->ranks = sca_workspace_alloc(space, m->nranks, sizeof *c->ranks);
    sca_measure_add_place(m, c->vertices, c->nvertices, seconds);
    double mean = sca_over_ranks_mean(seconds, m->nranks);
    for (uint32_t r = 0; r < m->nranks; r++)
        if (!some_idle || seconds[r] >= SCA_NEGLIGIBLE * mean)
            c->ranks[c->nranks++] = r;
}

static bool has_idle(const struct sca_growths *growths, uint32_t vertex)
{
    for (uint32_t i = 0; i < growths->count; i++)
        if (growths->items[i].vertex == vertex)
            return growths->items[i].idle > 0;
    return false;
}

static struct sca_finding draft_growth(struct sca_workspace *space, const struct sca_measure *m,
                                       uint32_t v, bool some_idle, const double *loss,
                                       const double *left)
{
    struct sca_finding c = {.vertex = v, .category = SCA_CAUSE_NONSCALABLE};
    uint32_t *all, n = sca_same_place(space, m->ppg, v, &all);
    double kept = 0, all_of = 0;
    for (uint32_t i = 0; i < n; i++) { /* the other call paths only if they grow too */
        if (loss[all[i]] <= 0)
            continue;
        all[c.nvertices++] = all[i];
        c.excess += loss[all[i]];
        kept += left[all[i]];
        all_of += sum_over_ranks(m, all[i]);
    }
    c.vertices = all;
    name_ranks(space, m, some_idle, &c);
    c.transform.factor = factors_of(space, m, &c, fmin(1, kept / all_of));
    c.transform.alike = true;
    return c;
}

/* Named already, for growing or for being abnormal: one line, one cause. NULL if it is not. */
static const struct sca_finding *with_place(const struct sca_finding_list *known, uint32_t v)
{
    for (uint32_t i = 0; i < known->count; i++)
        for (uint32_t k = 0;
             k < known->items[i]->nvertices && !sca_finding_is_interval(known->items[i]); k++)
            if (known->items[i]->vertices[k] == v)
                return known->items[i];
    return NULL;
}

static void add_slope(struct sca_workspace *space, const struct sca_growths *growths,
                      struct sca_finding *draft)
{
    for (uint32_t i = 0; i < growths->count; i++) {
        const struct sca_growth *g = &growths->items[i];
        if (g->vertex != draft->vertex)
            continue;
        draft->transform.error = g->loss > 0 ? g->error / g->loss : 0;
        sca_finding_add_evidence(
            space, draft,
            (struct sca_evidence){SCA_EVIDENCE_GROWS, 0, g->fit.slope, g->expected_slope});
    }
}

/* Of two findings at one place the one that explains more is told. */
static void add_growth(struct sca_ledger *out, const struct sca_growths *growths,
                       struct sca_finding *draft)
{
    const struct sca_finding *known = with_place(&out->open, draft->vertex);
    add_slope(out->space, growths, draft);
    if (known && known->excess >= draft->excess) {
        sca_ledger_append_closed(
            out, draft, (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = known->number});
        return;
    }
    const struct sca_finding *growth = sca_ledger_append(out, draft);
    if (known)
        sca_ledger_close(out, known,
                         (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = growth->number});
}

void sca_growth_findings_add(struct sca_workspace *space, const struct sca_measure *largest,
                             const uint32_t *ends, const struct sca_growths *growths,
                             struct sca_ledger *out)
{
    const struct sca_ppg *ppg = largest->ppg;
    uint32_t nv = ppg->nvertices;
    double *loss = sca_workspace_alloc(space, nv, sizeof *loss);
    double *left = sca_workspace_alloc(space, nv, sizeof *left);
    double *inclusive = sca_workspace_alloc(space, nv, sizeof *inclusive);
    bool *flagged = sca_workspace_alloc(space, nv, sizeof *flagged);
    uint32_t *carriers = sca_workspace_alloc(space, nv, sizeof *carriers);
    for (uint32_t i = 0; i < growths->count; i++) {
        const struct sca_growth *g = &growths->items[i];
        flagged[g->vertex] = true;
        loss[g->vertex] = g->loss;
        left[g->vertex] = left_of(growths, g);
        inclusive[g->vertex] = sum_over_ranks(largest, g->vertex);
    }
    uint32_t n = sca_named_place_carriers(space, ppg, ends, flagged, loss, inclusive, always_alike,
                                          NULL, carriers);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = sca_named_place_whole(ppg, ends, loss, carriers[i]);
        struct sca_finding draft =
            draft_growth(space, largest, v, has_idle(growths, v), loss, left);
        add_growth(out, growths, &draft);
    }
}
