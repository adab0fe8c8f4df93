#include "verdict/growth_causes.h"
#include "base/degrees.h"
#include "imbalance/single_instance.h"
#include "price/gain_range.h"
#include "stats/over_ranks.h"
#include "scaling/growth.h"
#include "verdict/ranking.h"

#include <math.h>

/* What grows but is done a few times only, in a program that goes in steps, is its set-up: a longer
 * run pays it no more often. */
static void tell_set_up(struct sca_analysis *c, const struct sca_finding_list *list)
{
    const struct sca_measure *m = &c->measures[c->last];
    for (uint32_t i = 0; i < list->count; i++) {
        const struct sca_finding *each = list->items[i];
        if (each->category != SCA_CAUSE_NONSCALABLE)
            continue;
        uint64_t n = sca_single_instance_count(m, c->ends, each);
        if (n > 0 && n < SCA_SEVERAL && sca_single_instance_goes_in_iterations(m, c->ends, each))
            sca_ledger_add_evidence(
                &c->findings, each,
                (struct sca_evidence){.kind = SCA_EVIDENCE_SET_UP, .number = (double)n});
    }
}

static int by_excess(const void *a, const void *b)
{
    double x = (*(const struct sca_finding *const *)a)->excess;
    double y = (*(const struct sca_finding *const *)b)->excess;
    return (x < y) - (x > y);
}

/* Growth that is one only if the problem stays the same, at places that have no cause: no cause
 * itself, the worst place first. */
static void find_if_same(struct sca_analysis *c)
{
    struct sca_ledger *ledger = &c->findings;
    struct sca_growths one = {.mode = SCA_SCALING_STRONG,
                              .items = c->growths.if_same,
                              .count = c->growths.nif_same,
                              .fewest = c->growths.fewest,
                              .same_problem = true};
    uint32_t before = ledger->open.count;
    if (!one.count)
        return;
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, &one, ledger);
    for (uint32_t i = before; i < ledger->open.count; i++)
        sca_finding_list_add(c->space, &c->if_same, ledger->open.items[i]);
    sca_workspace_put_in_order(c->space, c->if_same.items, c->if_same.count,
                               sizeof *c->if_same.items, by_excess);
    for (uint32_t i = 0; i < c->if_same.count; i++) {
        sca_ledger_withhold(ledger, c->if_same.items[i]);
        sca_ledger_add_evidence(ledger, c->if_same.items[i],
                                (struct sca_evidence){.kind = SCA_EVIDENCE_ONE_READING});
    }
    sca_ledger_close_all(ledger, &c->if_same, SCA_OUTCOME_NOTE);
}

static double seconds_at(const struct sca_analysis *c, uint32_t run, const struct sca_finding *f)
{
    uint32_t nranks = c->comparable.runs[run].nranks;
    double *row = sca_workspace_alloc(c->space, nranks, sizeof *row), sum = 0;
    for (uint32_t k = 0; k < f->nvertices; k++) {
        sca_comparable_row(&c->comparable, run, f->vertices[k], true, row);
        sum += sca_over_ranks_sum(row, nranks);
    }
    return sum;
}

/* How many times as much all else that is compared takes in the largest run as it should; infinity:
 * there is too little of it to tell. */
static double grown_beside(const struct sca_analysis *c, const struct sca_finding *f)
{
    const struct sca_comparable *of = &c->comparable;
    uint32_t last = of->nruns - 1;
    bool weak = c->growths.mode == SCA_SCALING_WEAK || c->growths.open;
    double all = sca_comparable_total(of, 0), rest = all - seconds_at(c, 0, f);
    double ideal = weak ? rest * of->runs[last].nranks / of->runs[0].nranks : rest;
    return rest >= SCA_RELEVANT * all
               ? (sca_comparable_total(of, last) - seconds_at(c, last, f)) / ideal
               : INFINITY;
}

/* Runs that stop by time are compared by their steps, which are taken to be alike. What else a step
 * does says whether they are: not if that takes far longer, too. */
static void doubt_unlike_steps(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->findings.open.count && c->comparable.timed; i++) {
        const struct sca_finding *each = c->findings.open.items[i];
        if (each->category == SCA_CAUSE_NONSCALABLE && grown_beside(c, each) >= SCA_TWICE)
            sca_ledger_add_evidence(&c->findings, each,
                                    (struct sca_evidence){.kind = SCA_EVIDENCE_UNLIKE_STEPS});
    }
}

void sca_growth_causes_find(struct sca_analysis *c)
{
    struct sca_growths *g = &c->growths;
    sca_growth_find(&c->comparable, c->settings, c->settings->min_share * c->accounts[c->last].base,
                    g);
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, g, &c->findings);
    find_if_same(c);
    tell_set_up(c, &c->findings.open);
    tell_set_up(c, &c->if_same);
    doubt_unlike_steps(c);
}

void sca_growth_causes_price_if_same(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    double least = SCA_NEGLIGIBLE * c->accounts[c->last].base;
    if (!c->if_same.count)
        return;
    struct sca_gain *gains =
        sca_workspace_grow(c->space, c->gains, c->ngains, c->findings.count, sizeof *gains);
    uint32_t n = sca_ranking_order(c->space, stage, &c->if_same, least, gains);
    struct sca_gain_ranges *ranges = sca_gain_ranges_open(stage);
    for (uint32_t i = 0; i < n; i++) {
        sca_gain_ranges_find(ranges, c->if_same.items[i], &gains[c->if_same.items[i]->number]);
        sca_finding_list_add(c->space, &c->noted, c->if_same.items[i]);
    }
    c->gains = gains;
    c->ngains = c->findings.count;
}
