#include "verdict/causes.h"
#include "base/degrees.h"
#include "price/charge.h"
#include "price/gain_range.h"
#include "price/smoothing.h"
#include "price/served_order.h"
#include "verdict/ranking.h"
#include "imbalance/abnormal_findings.h"
#include "verdict/confirm.h"
#include "verdict/growth_causes.h"
#include "price/critical_path.h"
#include "imbalance/interval_findings.h"
#include "trace/trace_synthesis.h"
#include "imbalance/rotating.h"
#include "price/what_if.h"
#include "threads/binding_finding.h"
#include "threads/lock_findings.h"
#include "threads/region_findings.h"
#include "threads/wait_findings.h"

#include <math.h>

/* What the cores may have done hides nothing from the searches to come; nor does work that is
 * shared out unevenly, for it may be what grows. */
static struct sca_finding_list withhold(struct sca_analysis *c)
{
    struct sca_finding_list *open = &c->findings.open, withheld = {0};
    for (uint32_t i = 0; i < open->count; i++) {
        const struct sca_finding *each = open->items[i];
        if (sca_finding_is_inconclusive(each) || sca_finding_has(each, SCA_EVIDENCE_SKEWED))
            sca_finding_list_add(c->space, &withheld, each);
    }
    for (uint32_t i = 0; i < withheld.count; i++)
        sca_ledger_withhold(&c->findings, withheld.items[i]);
    return withheld;
}

/* NULL if there is none. */
static const struct sca_finding *with_vertex(const struct sca_finding_list *open, uint32_t vertex)
{
    for (uint32_t i = 0; i < open->count; i++)
        if (open->items[i]->vertex == vertex)
            return open->items[i];
    return NULL;
}

/* Which ranks take turns, totals tell better than windows. */
static const struct sca_finding *with_ranks_of(struct sca_ledger *ledger,
                                               const struct sca_finding *rotates,
                                               const struct sca_finding *by_totals)
{
    struct sca_finding draft = *rotates;
    draft.nranks = by_totals->nranks;
    draft.ranks = by_totals->ranks;
    return sca_ledger_refine(ledger, rotates, &draft);
}

/* Of two findings at one place the one that explains more is told. */
static void put_back_one(struct sca_ledger *ledger, const struct sca_finding *each)
{
    const struct sca_finding *named = with_vertex(&ledger->open, each->vertex);
    bool aside = sca_finding_is_note(each);
    if (named && !aside && sca_finding_rotates(named))
        named = with_ranks_of(ledger, named, each);
    if (named && (aside || sca_finding_rotates(named) || each->excess <= named->excess)) {
        sca_ledger_close(ledger, each,
                         (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = named->number});
        return;
    }
    if (named)
        sca_ledger_close(ledger, named,
                         (struct sca_outcome){.kind = SCA_OUTCOME_TOLD, .of = each->number});
    sca_ledger_put_back(ledger, each);
}

static void put_back(struct sca_ledger *ledger, const struct sca_finding_list *withheld)
{
    for (uint32_t i = 0; i < withheld->count; i++)
        put_back_one(ledger, withheld->items[i]);
}

static void find_all(struct sca_analysis *c)
{
    const struct sca_measure *m = &c->measures[c->last];
    struct sca_ledger *out = &c->findings;
    sca_ledger_begin(c->space, out);
    sca_abnormal_findings_add(c->space, c->measures, c->ppg->nruns, c->ends, &c->abnormals[c->last],
                              out);
    /* several findings may add up to min-share */
    double least = SCA_QUARTER * c->settings->min_share * c->accounts[c->last].base;
    sca_interval_findings_add(c->space, c->measures, c->ppg->nruns, c->ends, SCA_ANY_RATIO, least,
                              SCA_NEGLIGIBLE * c->accounts[c->last].base, out);
    sca_confirm_ask(c);
    struct sca_finding_list withheld = withhold(c);
    if (c->traces[c->last].recorded)
        sca_rotating_find(c->space, m, c->ends, &c->traces[c->last], &c->rotating,
                          c->settings->abnorm_thd, SCA_RELEVANT * c->accounts[c->last].base, out);
    sca_interval_findings_add_start(c->space, m, c->ends, SCA_ANY_RATIO, least, out);
    sca_confirm_ask(c);
    sca_comparable_open(c->space, c->whole, c->nwhole, c->ends, &out->open, &withheld,
                        c->settings->abnorm_thd, c->settings->scaling == SCA_SCALING_STRONG,
                        &c->comparable);
    sca_growth_causes_find(c);
    sca_exchange_growth_add(c->space, m, &c->exchanges, out);
    put_back(out, &withheld);
    sca_region_findings_add(c->space, m, least, out);
    sca_lock_findings_add(c->space, m, least, out);
    sca_wait_findings_add(c->space, m, least, out);
    sca_binding_finding_add(c->space, m, least, out);
    sca_growth_causes_of_threads(c);
}

/* What cores make of it is no finding of the program. */
static bool is_the_cores(enum sca_outcome_kind kind)
{
    return kind == SCA_OUTCOME_SCHEDULING || kind == SCA_OUTCOME_SCATTER;
}

/* Findings of instances that are long by the program's doing: those that are told, or others
 * whatever became of them: they are seldom, or always on the same ranks. */
static struct sca_finding_list list_rotating(const struct sca_analysis *c, bool told)
{
    struct sca_finding_list list = {0};
    for (uint32_t i = 0; i < c->findings.count; i++) {
        enum sca_outcome_kind kind = c->findings.outcomes[i].kind;
        if (sca_finding_rotates(c->findings.all[i]) && !is_the_cores(kind) &&
            told == (kind == SCA_OUTCOME_OPEN))
            sca_finding_list_add(c->space, &list, c->findings.all[i]);
    }
    return list;
}

/* Findings whose ranks may be late in some windows more than in others. */
static struct sca_finding_list list_late(const struct sca_analysis *c)
{
    struct sca_finding_list list = {0};
    for (uint32_t i = 0; i < c->findings.open.count; i++)
        if (!sca_finding_rotates(c->findings.open.items[i]) &&
            c->findings.open.items[i]->category == SCA_CAUSE_IMBALANCE)
            sca_finding_list_add(c->space, &list, c->findings.open.items[i]);
    return list;
}

/*
 * On shared cores single instances scatter by the cores' doing, and in a replay all wait for
 * whoever is slowest in a step, whatever is mended. So causes are priced in replays without that
 * scatter; but what is found to rotate looks the same, and stays, as windows show it.
 */
static void smooth_out(struct sca_analysis *c)
{
    bool shared = c->measures[c->last].shared;
    struct sca_smoothing_findings findings = {.told = list_rotating(c, true)};
    c->scattered = SCA_NONE;
    if (shared) {
        findings.seen = list_rotating(c, false);
        findings.late = list_late(c);
    }
    if (shared || findings.told.count)
        sca_what_if_even(&c->stages[c->last], &findings);
    if (shared)
        c->scattered = sca_smoothing_most_uneven(&c->stages[c->last]);
}

void sca_causes_price_waits(struct sca_analysis *c, uint32_t i)
{
    const struct sca_stage *stage = &c->stages[i];
    sca_delay_cost_open(c->space, stage->m, i == c->last, &c->costs[i]);
    sca_delay_cost_find(c->space, stage->m, stage->replays, stage->nreplays, &c->costs[i]);
    sca_delay_cost_sum(c->team, stage->m, &c->costs[i]);
    sca_delay_cost_add_other_world(stage->m, &c->costs[i]);
}

/* Of findings that are open, those that are new. */
static void charge_new(struct sca_analysis *c)
{
    const struct sca_ledger *all = &c->findings;
    struct sca_charge *charges =
        sca_workspace_grow(c->space, c->charges, c->ncharges, all->count, sizeof *charges);
    for (uint32_t i = c->ncharges; i < all->count; i++)
        if (all->outcomes[i].kind == SCA_OUTCOME_OPEN)
            charges[i] =
                sca_charge_of(&c->costs[c->last], &c->measures[c->last], c->ends, all->all[i]);
    c->charges = charges;
    c->ncharges = all->count;
}

bool sca_causes_is_short(const struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    return SCA_BY_CHANCE > c->settings->min_share * a->duration;
}

double sca_causes_least_share(const struct sca_analysis *c)
{
    const struct sca_account *a = &c->accounts[c->last];
    if (!sca_causes_is_short(c))
        return c->settings->min_share;
    return a->duration > SCA_BY_CHANCE ? SCA_BY_CHANCE / a->duration : 1;
}

/* Orders the causes so far by new gains, and closes those that save too little. What is not worth a
 * replay keeps the gain that it had. */
static void order_causes(struct sca_analysis *c, double least)
{
    uint32_t count = c->findings.count;
    struct sca_gain *gains =
        sca_workspace_grow(c->space, c->gains, c->ngains, count, sizeof *gains);
    uint32_t n = sca_ranking_order(c->space, &c->stages[c->last], &c->causes, least, gains);
    c->gains = gains;
    c->ngains = count;
    for (uint32_t i = n; i < c->causes.count; i++)
        sca_ledger_close(&c->findings, c->causes.items[i],
                         (struct sca_outcome){SCA_OUTCOME_LITTLE, SCA_NONE,
                                              gains[c->causes.items[i]->number].gain, least});
    c->causes.count = n;
}

/* What is told, but is no cause. What shared cores may have done is told if much may be saved. */
static void part_notes(struct sca_analysis *c)
{
    struct sca_finding_list all = c->causes;
    double least = SCA_NEGLIGIBLE * c->accounts[c->last].base;
    c->causes = (struct sca_finding_list){0};
    for (uint32_t i = 0; i < all.count; i++) {
        const struct sca_finding *each = all.items[i];
        const struct sca_gain *gain = &c->gains[each->number];
        double alone = fmax(gain->alone, gain->high);
        if (!sca_finding_is_note(each))
            sca_finding_list_add(c->space, &c->causes, each);
        else if (!sca_finding_is_inconclusive(each) || alone >= least)
            sca_finding_list_add(c->space, &c->noted, each);
        else
            sca_ledger_close(
                &c->findings, each,
                (struct sca_outcome){SCA_OUTCOME_LITTLE_DOUBT, SCA_NONE, alone, least});
    }
    sca_ledger_close_all(&c->findings, &c->causes, SCA_OUTCOME_CAUSE);
    sca_ledger_close_all(&c->findings, &c->noted, SCA_OUTCOME_NOTE);
}

/* Which of several was first, recorded windows tell, or totals in which one call always leads to
 * the same. */
static bool is_order_known(const struct sca_analysis *c)
{
    return c->traces[c->last].recorded ||
           sca_trace_synthesis_is_certain(c->space, c->measures[c->last].run->profile);
}

/* What the causes found so far leave on the critical path may be a cause too; then all are ranked
 * again, for they may hide each other. */
static void rank_all(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    double base = c->accounts[c->last].base, least = sca_causes_least_share(c) * base;
    for (uint32_t i = 0; i < c->findings.open.count; i++)
        sca_finding_list_add(c->space, &c->causes, c->findings.open.items[i]);
    order_causes(c, least);
    sca_what_if_level(stage, c->causes.items, c->causes.count);
    c->order_known = is_order_known(c);
    if (!c->order_known ||
        !sca_critical_path_find(stage, SCA_RELEVANT * base, &c->findings, &c->causes))
        return;
    charge_new(c);
    order_causes(c, least);
}

/* The one decision: what may save less than a cause must, by its 95 % interval, is none. */
static void doubt_uncertain(struct sca_analysis *c)
{
    double least = c->settings->min_share * c->accounts[c->last].base;
    struct sca_gain_ranges *ranges = sca_gain_ranges_open(&c->stages[c->last]);
    struct sca_gain *gains =
        sca_workspace_grow(c->space, c->gains, c->ngains, c->ngains, sizeof *gains);
    for (uint32_t i = 0; i < c->causes.count; i++) {
        const struct sca_finding *each = c->causes.items[i];
        struct sca_gain *gain = &gains[each->number];
        sca_gain_ranges_find(ranges, each, gain);
        if (gain->low < least)
            sca_ledger_add_evidence(
                &c->findings, each,
                (struct sca_evidence){SCA_EVIDENCE_UNCERTAIN, 0, gain->low, gain->high});
    }
    c->gains = gains;
}

void sca_causes_find(struct sca_analysis *c)
{
    find_all(c);
    c->server = sca_served_order_server(c->space, &c->stages[c->last]);
    smooth_out(c);
    sca_causes_price_waits(c, c->last);
    sca_replayed_make(c->space, &c->stages[c->last], &c->costs[c->last], &c->replayed);
    charge_new(c);
    rank_all(c);
    if (c->causes.count)
        doubt_uncertain(c);
    part_notes(c);
    sca_growth_causes_price_if_same(c);
}
