#include "verdict/causes.h"
#include "imbalance/abnormal_findings.h"
#include "confirm/balanced.h"
#include "verdict/confirm.h"
#include "price/critical_path.h"
#include "imbalance/interval_findings.h"
#include "imbalance/single_instance.h"
#include "confirm/same_defect.h"
#include "trace/trace_synthesis.h"
#include "imbalance/rotating.h"

#include <math.h>

#define LEAST_WANDER 0.1  /* of ranks x duration: single steps scatter on any machine */
#define LEAST_UNEVEN 0.05 /* of the same: no two ranks are quite alike */
#define SHARED_LEAST 2.0  /* times min-share where ranks share cores: wake-ups cost that */

/* Takes out what the cores may have done, so that it hides nothing from the searches to come. */
static struct sca_findings take_doubted(struct sca_analysis *c)
{
    struct sca_findings *all = &c->findings, aside = {0};
    uint32_t kept = 0;
    aside.items = sca_workspace_alloc(c->space, all->count, sizeof *aside.items);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].doubted || (all->items[i].skewed && all->items[i].aside))
            aside.items[aside.count++] = all->items[i];
        else
            all->items[kept++] = all->items[i];
    all->count = kept;
    return aside;
}

static bool is_named(const struct sca_findings *all, uint32_t vertex)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].vertex == vertex)
            return true;
    return false;
}

static void put_back(struct sca_findings *all, const struct sca_findings *aside)
{
    for (uint32_t i = 0; i < aside->count; i++)
        if (!is_named(all, aside->items[i].vertex))
            *sca_finding_add(all) = aside->items[i];
}

/* What grows but is done a few times only, in a program that goes in steps, is its set-up: a longer
 * run pays it no more often. */
static void put_set_up_aside(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    if (!sca_single_instance_goes_in_iterations(m))
        return;
    for (uint32_t i = 0; i < c->findings.count; i++) {
        struct sca_finding *each = &c->findings.items[i];
        if (each->category != SCA_CAUSE_NONSCALABLE)
            continue;
        uint64_t n = sca_single_instance_count(m, c->ends, each);
        each->aside = n > 0 && n < SCA_SEVERAL;
        each->single = each->aside ? n : 0;
    }
}

/* Growth that is one in one reading only, at places that have no cause: told, not a cause. */
static struct sca_findings take_growth(struct sca_analysis *c, enum sca_scaling mode,
                                       struct sca_growth *items, uint32_t count)
{
    struct sca_findings *all = &c->findings, taken = {0};
    struct sca_growths one = {.mode = mode, .items = items, .count = count};
    uint32_t before = all->count;
    if (!count)
        return taken;
    one.fewest = c->growths.fewest;
    one.same_problem = mode == SCA_SCALING_STRONG;
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, &one, all);
    taken.count = all->count - before;
    taken.items = sca_workspace_alloc(c->space, taken.count, sizeof *taken.items);
    for (uint32_t i = 0; i < taken.count; i++)
        taken.items[i] = all->items[before + i];
    all->count = before;
    return taken;
}

static void find_growth(struct sca_analysis *c)
{
    struct sca_growths *g = &c->growths;
    sca_growth_find(&c->comparable, c->settings, c->settings->min_share * c->accounts[c->last].base,
                    g);
    sca_growth_findings_add(c->space, &c->measures[c->last], c->ends, g, &c->findings);
    c->if_same = take_growth(c, SCA_SCALING_STRONG, g->if_same, g->nif_same);
    c->if_grown = take_growth(c, SCA_SCALING_WEAK, g->if_grown, g->nif_grown);
}

static void find_all(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_findings *out = &c->findings;
    out->items = sca_workspace_alloc(c->space, 3 * (size_t)c->ppg->nvertices, sizeof *out->items);
    sca_abnormal_findings_add(c->space, c->measures, c->ppg->nruns, c->ends, &c->abnormals[c->last],
                              SCA_ANY_RATIO, out);
    double least = SCA_LEAST_EXCESS * c->settings->min_share * c->accounts[c->last].base;
    sca_interval_find(c->space, c->measures, c->ppg->nruns, c->ends, SCA_ANY_RATIO, least,
                      LEAST_UNEVEN * c->accounts[c->last].base, out);
    sca_confirm_drop(c, out);
    sca_same_defect_join(c->space, m, c->ends, out);
    struct sca_findings doubted = take_doubted(c);
    if (c->traces[c->last].recorded)
        sca_rotating_find(c->space, m, c->ends, &c->traces[c->last], c->settings->abnorm_thd,
                          LEAST_WANDER * c->accounts[c->last].base, out);
    sca_interval_find_start(c->space, m, c->ends, SCA_ANY_RATIO, least, out);
    sca_confirm_drop(c, out);
    sca_comparable_open(c->space, c->whole, c->nwhole, c->ends, out, c->settings->abnorm_thd,
                        &c->comparable);
    find_growth(c);
    put_set_up_aside(c);
    sca_exchange_findings_add(c->space, m, &c->exchanges, out);
    put_back(out, &doubted);
}

static bool any_rotates(const struct sca_findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++)
        if (sca_finding_rotates(&findings->items[i]))
            return true;
    return false;
}

/* On shared cores, causes are priced without what is put down to the cores. What rotates falls on
 * all ranks by turns, as disturbances do: then nothing is. */
static void calm_down(struct sca_analysis *c)
{
    if (c->measures[c->last].shared && !any_rotates(&c->findings))
        sca_what_if_calm(&c->stages[c->last]);
}

void sca_causes_price_waits(struct sca_analysis *c, uint32_t i)
{
    const struct sca_stage *stage = &c->stages[i];
    sca_delay_cost_open(c->space, stage->m, i == c->last, &c->costs[i]);
    sca_delay_cost_find(c->space, stage->m, stage->replays, stage->nreplays, &c->costs[i]);
    sca_delay_cost_sum(c->team, stage->m, &c->costs[i]);
}

/* Whether it lies in another of the finding's call paths: recursion. */
static bool is_nested(const struct sca_analysis *c, const struct sca_finding *finding, uint32_t v)
{
    for (uint32_t k = 0; k < finding->nvertices; k++)
        if (v > finding->vertices[k] && v < c->ends[finding->vertices[k]])
            return true;
    return false;
}

/* What the others wait because of the finding's ranks below that vertex. */
static void price_below(const struct sca_analysis *c, struct sca_finding *finding, uint32_t top)
{
    const struct sca_costs *costs = &c->costs[c->last];
    uint32_t nranks = c->measures[c->last].nranks;
    for (uint32_t v = top; v < c->ends[top]; v++)
        for (uint32_t i = 0; i < finding->nranks; i++) {
            size_t cell = (size_t)v * nranks + finding->ranks[i];
            finding->cost += costs->of[cell];
            finding->direct += costs->direct_of[cell];
        }
}

static void price(const struct sca_analysis *c, struct sca_finding *finding)
{
    for (uint32_t k = 0; k < finding->nvertices; k++)
        if (!is_nested(c, finding, finding->vertices[k]))
            price_below(c, finding, finding->vertices[k]);
}

/* Growth costs its own excess; communication that grows, the waits it causes as well. */
static void price_all(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->findings.count; i++) {
        struct sca_finding *finding = &c->findings.items[i];
        bool communicates = finding->category == SCA_CAUSE_COMMUNICATION;
        finding->cost = finding->direct = 0;
        if (finding->category != SCA_CAUSE_NONSCALABLE && !sca_finding_is_interval(finding))
            price(c, finding);
        finding->indirect = finding->cost - finding->direct;
        if (communicates || finding->category == SCA_CAUSE_NONSCALABLE)
            finding->cost += finding->excess;
    }
}

static double usual_share(const struct sca_analysis *c)
{
    return c->settings->min_share * (c->measures[c->last].shared ? SHARED_LEAST : 1);
}

bool sca_causes_is_short(const struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    return SCA_BY_CHANCE > usual_share(c) * a->duration;
}

double sca_causes_least_share(const struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    return sca_causes_is_short(c) && a->duration > 0 ? fmin(1, SCA_BY_CHANCE / a->duration)
                                                     : usual_share(c);
}

static bool has_rank(const struct sca_finding *finding, uint32_t rank)
{
    for (uint32_t i = 0; i < finding->nranks; i++)
        if (finding->ranks[i] == rank)
            return true;
    return false;
}

/* Whether either all ranks have none of the one or none of the other: two kinds of work, done by
 * two groups of ranks. */
static bool share_ranks_out(const struct sca_finding *a, const struct sca_finding *b,
                            uint32_t nranks)
{
    if (a->ratio > 0 || b->ratio > 0 || sca_finding_rotates(a) || sca_finding_rotates(b))
        return false;
    for (uint32_t r = 0; r < nranks; r++)
        if (has_rank(a, r) == has_rank(b, r))
            return false;
    return true;
}

/* Work of one group that saves nothing alone only looks like a cause because that of the other
 * group was levelled away before: nobody is left who does neither, to compare with. */
static bool drop_work_beside(struct sca_analysis *c, double least)
{
    uint32_t kept = 0, nranks = c->measures[c->last].nranks;
    struct sca_finding *items = c->findings.items;
    for (uint32_t i = 0; i < c->ncauses; i++) {
        bool beside = false;
        for (uint32_t k = 0; k < kept && items[i].alone < least; k++)
            beside |= share_ranks_out(&items[i], &items[k], nranks);
        if (!beside)
            items[kept++] = items[i];
    }
    bool dropped = kept < c->ncauses;
    c->ncauses = kept;
    return dropped;
}

static void rank_once(struct sca_analysis *c, double least)
{
    struct sca_findings *all = &c->findings;
    struct sca_stage *stage = &c->stages[c->last];
    c->ncauses = sca_ranking_order(c->space, stage, all->items, all->count, least);
    if (drop_work_beside(c, least))
        c->ncauses = sca_ranking_order(c->space, stage, all->items, c->ncauses, least);
}

/* Behind the causes, both in their order. What shared cores may have done is told if much would be
 * saved. */
static void put_aside_behind(struct sca_analysis *c)
{
    struct sca_finding *items = c->findings.items;
    struct sca_finding *aside = sca_workspace_alloc(c->space, c->ncauses, sizeof *aside);
    double least = LEAST_UNEVEN * c->accounts[c->last].base;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->ncauses; i++)
        if (!items[i].aside)
            items[kept++] = items[i];
        else if (!items[i].doubted || items[i].alone >= least)
            aside[c->naside++] = items[i];
    c->ncauses = kept;
    for (uint32_t i = 0; i < c->naside; i++)
        items[kept + i] = aside[i];
}

/* Which of several was first, recorded windows tell, or totals in which one call always leads to
 * the same. */
static bool is_order_known(const struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    const struct sca_profile *profile = m->run->profile;
    struct sca_opened *opened = sca_workspace_opened(c->space, profile);
    double *working = sca_workspace_alloc(c->space, profile->nsites, sizeof *working);
    bool known = c->traces[c->last].recorded;
    uint32_t certain = 0;
    for (uint32_t r = 0; r < m->nranks && !known; r++)
        certain += sca_trace_synthesis_is_certain(sca_rank_open(opened, r, SCA_OPEN_INTERVALS),
                                                  profile->nsites, working);
    return known || certain == m->nranks;
}

/* What the causes found so far leave on the critical path may be a cause too; then all are ranked
 * again, for they may hide each other. */
static void rank_all(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    struct sca_finding **levelled;
    double base = c->accounts[c->last].base, least = sca_causes_least_share(c) * base;
    rank_once(c, least);
    levelled = sca_workspace_alloc(c->space, c->ncauses, sizeof *levelled);
    for (uint32_t i = 0; i < c->ncauses; i++)
        levelled[i] = &c->findings.items[i];
    sca_what_if_level(stage, levelled, c->ncauses);
    c->findings.count = c->ncauses;
    if (!is_order_known(c) || !sca_critical_path_find(stage, LEAST_WANDER * base, &c->findings))
        return;
    price_all(c);
    rank_once(c, least);
}

void sca_causes_find(struct sca_analysis *c)
{
    find_all(c);
    calm_down(c);
    sca_causes_price_waits(c, c->last);
    price_all(c);
    sca_balanced_drop(c->space, &c->measures[c->last], c->ends, c->settings->abnorm_thd,
                      &c->findings);
    rank_all(c);
    put_aside_behind(c);
}
