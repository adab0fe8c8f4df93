#include "imbalance/equalising.h"
#include "imbalance/interval_excess.h"
#include "measure/measure.h"

#include <math.h>

static double seconds_of(const struct sca_measure *m, const struct sca_finding *c, uint32_t rank)
{
    return sca_measure_place_seconds(m, c->vertices, c->nvertices, rank);
}

/* Where the seconds are taken from stays as it is. */
static void scale_cuts(struct sca_workspace *space, struct sca_finding *c, const double *more)
{
    struct sca_transform *t = &c->transform;
    if (!t->cuts)
        return;
    uint32_t n = t->first_cut[c->nranks];
    struct sca_cut *cuts = sca_workspace_grow(space, t->cuts, n, n, sizeof *cuts);
    for (uint32_t i = 0; i < c->nranks; i++)
        sca_interval_excess_scale(cuts, &t->first_cut[i], more[i]);
    t->cuts = cuts;
}

/* Ranks that all have too much make each other's places: what mending saves is as uncertain as one
 * of them, not as their sum. So relative errors are averaged, as squares. */
struct relative {
    double squares;
    uint32_t n;
};

static void add_relative(struct relative *of, double error, double seconds)
{
    if (seconds <= 0)
        return;
    of->squares += error / seconds * (error / seconds);
    of->n++;
}

static double mean_relative(const struct relative *of)
{
    return of->n ? sqrt(of->squares / of->n) : 0;
}

void sca_equalising_level_to(struct sca_workspace *space, const struct sca_measure *m,
                             const uint32_t *ends, struct sca_finding *c, double reference)
{
    struct sca_interval_excess excess = sca_interval_excess_find(space, m, ends, c);
    struct relative of = {0};
    c->transform.factor = sca_workspace_alloc(space, m->nranks, sizeof *c->transform.factor);
    for (uint32_t r = 0; r < m->nranks; r++)
        c->transform.factor[r] = 1;
    for (uint32_t i = 0; i < c->nranks; i++) {
        double seconds = seconds_of(m, c, c->ranks[i]);
        double taken = excess.seconds[i] > 0 ? excess.seconds[i] : seconds - reference;
        if (seconds > reference)
            c->transform.factor[c->ranks[i]] = fmax(0, 1 - taken / seconds);
        sca_interval_excess_scale(excess.cuts, &excess.first_cut[i],
                                  seconds > reference ? taken : 0);
        add_relative(&of, excess.error[i], taken);
    }
    c->transform.error = mean_relative(&of);
    c->transform.cuts = excess.cuts;
    c->transform.first_cut = excess.first_cut;
}

/* Seconds that its transform takes from the i-th of its ranks; by factors, from all alike. */
static double taken_from(const struct sca_finding *c, uint32_t i)
{
    const struct sca_transform *t = &c->transform;
    double seconds = 0;
    if (!t->cuts)
        return c->excess / c->nranks;
    for (uint32_t k = t->first_cut[i]; k < t->first_cut[i + 1]; k++)
        seconds += t->cuts[k].seconds;
    return seconds;
}

static double taken_from_all(const struct sca_finding *c)
{
    double seconds = 0;
    for (uint32_t i = 0; i < c->nranks; i++)
        seconds += taken_from(c, i);
    return seconds;
}

/* Each of its ranks keeps an equal part of what is taken from all of them. */
static void share_out(struct sca_workspace *space, const struct sca_finding *finding,
                      uint32_t nranks, struct sca_finding *c)
{
    double *more = sca_workspace_alloc(space, c->nranks, sizeof *more);
    double each = taken_from_all(finding) / nranks;
    for (uint32_t i = 0; i < c->nranks; i++) {
        double taken = taken_from(finding, i), *factor = &c->transform.factor[c->ranks[i]];
        more[i] = fmax(0, taken - each);
        *factor = taken > 0 ? 1 - (1 - *factor) * more[i] / taken : 1;
    }
    scale_cuts(space, c, more);
}

/* From the mean of all it is as far to the other kind as that is of all. */
static void level_kind(struct sca_finding *c, uint32_t nranks)
{
    double farther = nranks / (double)(nranks - c->nranks);
    for (uint32_t i = 0; i < c->nranks; i++) {
        double *factor = &c->transform.factor[c->ranks[i]];
        *factor = fmax(0, 1 - (1 - *factor) * farther);
    }
}

const struct sca_finding *sca_equalising_otherwise(struct sca_workspace *space,
                                                   const struct sca_finding *finding,
                                                   uint32_t nranks)
{
    bool kinds = sca_finding_has(finding, SCA_EVIDENCE_TWO_GROUPS);
    if (sca_finding_rotates(finding) || !finding->transform.factor ||
        (finding->transform.alike && !kinds))
        return NULL;
    struct sca_finding *c = sca_workspace_grow(space, finding, 1, 1, sizeof *c);
    c->transform.factor = sca_workspace_grow(space, finding->transform.factor, nranks, nranks,
                                             sizeof *c->transform.factor);
    if (finding->transform.alike)
        level_kind(c, nranks);
    else
        share_out(space, finding, nranks, c);
    return c;
}
