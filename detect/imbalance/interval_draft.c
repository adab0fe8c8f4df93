#include "imbalance/interval_draft.h"
#include "base/degrees.h"
#include "imbalance/abnormal_findings.h"
#include "imbalance/category.h"
#include "imbalance/skew.h"

#include <math.h>

/* What a rank does off the core has no line of its own. Who reads, writes or sleeps computes
 * beside it, as who formats a file: the line of that is named, if there is enough of it. So is one
 * that another run's samples tell. */
static uint32_t place_between(const struct sca_line_search *s, const struct sca_measure *others,
                              uint32_t nothers, struct sca_finding *c,
                              const struct sca_interval_bounds *bounds,
                              const struct sca_abnormal *a)
{
    uint32_t place;
    if (c->interval.core.vertex != SCA_NONE &&
        c->interval.core.there >= SCA_SUBSTANTIAL * c->excess)
        return c->interval.core.vertex;
    for (uint32_t i = nothers; i-- > 0 && !a->skewed;) {
        place = sca_interval_line_again(s, &others[i], bounds, a);
        if (place == SCA_NONE)
            continue;
        sca_finding_add_evidence(
            s->space, c, (struct sca_evidence){.kind = SCA_EVIDENCE_LINE_IDENTIFIED, .of = i});
        return place;
    }
    return sca_ppg_vertex_between(s->m->ppg, c->interval.after, c->interval.before);
}

/* What is certain of the interval: bounds, ranks and how much it is. */
static struct sca_finding begin_draft(struct sca_workspace *space,
                                      const struct sca_interval_bounds *bounds, uint32_t before,
                                      const struct sca_abnormal *a)
{
    struct sca_finding c = {.interval.part = SCA_ALL_OF_INTERVAL,
                            .interval.after = bounds->after,
                            .interval.before = before,
                            .interval.any = bounds->before == SCA_NONE};
    c.nranks = a->nranks;
    c.ranks = a->ranks;
    c.track = a->track;
    c.ratio = a->ratio;
    c.excess = a->excess;
    sca_abnormal_findings_add_evidence(space, a, &c);
    return c;
}

static void set_place(struct sca_workspace *space, struct sca_finding *c, uint32_t vertex)
{
    c->vertex = vertex;
    c->nvertices = 1;
    c->vertices = sca_workspace_alloc(space, 1, sizeof *c->vertices);
    c->vertices[0] = vertex;
}

struct sca_finding sca_interval_draft(const struct sca_line_search *s,
                                      const struct sca_measure *others, uint32_t nothers,
                                      const struct sca_interval_bounds *bounds, uint32_t before,
                                      const struct sca_abnormal *a)
{
    const double *seconds = sca_interval_bounds_measure(s->space, s->m, bounds).seconds;
    struct sca_finding draft = begin_draft(s->space, bounds, before, a), *c = &draft;
    c->interval.core = sca_interval_line_core(s, bounds, a);
    set_place(s->space, c, place_between(s, others, nothers, c, bounds, a));
    c->category = sca_category_of(s->space, s->m, s->ends, c);
    c->transform.factor = sca_workspace_alloc(s->space, s->m->nranks, sizeof *c->transform.factor);
    for (uint32_t r = 0; r < s->m->nranks; r++)
        c->transform.factor[r] = 1;
    for (uint32_t i = 0; i < c->nranks; i++)
        c->transform.factor[c->ranks[i]] = fmin(1, a->reference / seconds[c->ranks[i]]);
    if (a->excess > 0)
        c->transform.error = sca_measure_usual_spread(s->m) * a->nranks * a->reference / a->excess;
    if (a->skewed)
        sca_skew_level(s->space, s->m, s->ends, bounds, c);
    return draft;
}

struct sca_finding sca_interval_draft_unplaced(struct sca_workspace *space,
                                               const struct sca_measure *m,
                                               const struct sca_interval_bounds *bounds,
                                               uint32_t before, const struct sca_abnormal *a)
{
    struct sca_finding draft = begin_draft(space, bounds, before, a);
    set_place(space, &draft, sca_ppg_vertex_between(m->ppg, bounds->after, before));
    return draft;
}
