#include "verdict/symptoms.h"
#include "explain/longest_waits.h"
#include "explain/delay_blame.h"
#include "explain/backtrack.h"
#include "price/what_if.h"
#include "replay/rank_idle.h"

#include <math.h>

/* Waits of a replay as it stands: what of them the ranks lose. */
static void add_waits(struct sca_analysis *c, const struct sca_replay *replay, double *waits)
{
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    const double *lost = sca_rank_idle_find(&scratch, replay).of;
    for (uint32_t k = 0; k < replay->trace->nevents; k++) {
        uint32_t s = replay->numbers.number[k];
        uint32_t v =
            sca_longest_waits_vertex(c->stages[c->last].m->run, sca_replay_event(replay, s));
        double waited = lost ? lost[s] : sca_replay_exit(replay, s) - replay->enter[s];
        if (v != SCA_NONE)
            waits[v] += waited * replay->trace->weight;
    }
    sca_workspace_free(&scratch);
}

/* Of all replays, per MPI vertex. */
static double *waits_by_vertex(struct sca_analysis *c)
{
    const struct sca_stage *stage = &c->stages[c->last];
    double *waits = sca_workspace_alloc(c->space, c->ppg->nvertices, sizeof *waits);
    for (uint32_t i = 0; i < stage->nreplays; i++)
        add_waits(c, &stage->replays[i], waits);
    sca_team_sum(c->team, waits, c->ppg->nvertices);
    return waits;
}

/* Waits per vertex with one cause equalised (`only`), or all but that one. */
static double *waits_with(struct sca_analysis *c, uint32_t cause, bool only)
{
    const struct sca_finding **equalised =
        sca_workspace_alloc(c->space, c->causes.count, sizeof *equalised);
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->causes.count; i++)
        if ((i == cause) == only)
            equalised[n++] = c->causes.items[i];
    sca_what_if_level(&c->stages[c->last], equalised, n);
    return waits_by_vertex(c);
}

/* Waits are charged to vertices: what is known by an interval or by single steps, and growth, which
 * no wait is charged to, is told by the waits that go when it is equalised; first of all causes or
 * last, whichever is more, for another cause may hide it. */
static bool is_told_by_equalising(const struct sca_finding *cause)
{
    return sca_finding_rotates(cause) || sca_finding_is_interval(cause) ||
           cause->category == SCA_CAUSE_NONSCALABLE;
}

/* What is charged to a place is the least that it costs, where samples put some of its excess
 * beside it; what goes when it is equalised is, where the others then wait for something else. */
static bool is_told_by_either(const struct sca_finding *cause)
{
    return cause->category <= SCA_CAUSE_SERIAL && !is_told_by_equalising(cause);
}

/* The price by the waits that are charged to it; nothing for what was closed before. */
static struct sca_price charged_price(const struct sca_analysis *c, const struct sca_finding *f)
{
    struct sca_charge charge =
        f->number < c->ncharges ? c->charges[f->number] : (struct sca_charge){0};
    struct sca_gain gain = f->number < c->ngains ? c->gains[f->number] : (struct sca_gain){0};
    return (struct sca_price){charge.cost, charge.direct, charge.indirect, gain.gain,
                              gain.alone,  gain.low,      gain.high,       gain.otherwise};
}

/* The same, if it costs more than that. */
static struct sca_price equalised_price(const struct sca_analysis *c, const struct sca_finding *f,
                                        double cost)
{
    struct sca_price price = charged_price(c, f);
    price.indirect *= price.cost > 0 ? cost / price.cost : 0;
    price.direct = cost - price.indirect;
    price.cost = cost;
    return price;
}

static void tell_by_equalising(struct sca_analysis *c, uint32_t i, const double *none,
                               const double *all, struct sca_price *price)
{
    bool single = c->causes.count == 1; /* the same once more */
    const double *alone = single ? all : waits_with(c, i, true);
    const double *but_it = single ? none : waits_with(c, i, false);
    const struct sca_finding *cause = c->causes.items[i];
    uint32_t nv = c->ppg->nvertices;
    double sum = 0, *gone = sca_workspace_alloc(c->space, nv, sizeof *gone);
    for (uint32_t v = 0; v < nv; v++)
        sum += gone[v] = fmax(0, fmax(none[v] - alone[v], but_it[v] - all[v]));
    if (is_told_by_either(cause) && sum <= c->charges[cause->number].cost)
        return;
    c->symptoms[i] = gone;
    if (cause->category != SCA_CAUSE_NONSCALABLE)
        *price = equalised_price(c, cause, sum);
}

static bool is_equalised(const struct sca_finding *cause)
{
    return is_told_by_equalising(cause) || is_told_by_either(cause);
}

static bool any_equalised(const struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++)
        if (is_equalised(c->causes.items[i]))
            return true;
    return false;
}

/* The replays must stand as measured. */
static void blame_all(struct sca_analysis *c)
{
    const struct sca_stage *stage = &c->stages[c->last];
    for (uint32_t i = 0; i < c->causes.count; i++)
        c->symptoms[i] = sca_workspace_alloc(c->space, c->ppg->nvertices, sizeof(double));
    for (uint32_t k = 0; k < stage->nreplays; k++)
        sca_delay_blame_add(c->space, stage->m, c->ends, &stage->replays[k], c->causes.items,
                            c->causes.count, c->symptoms);
    for (uint32_t i = 0; i < c->causes.count; i++)
        sca_team_sum(c->team, c->symptoms[i], c->ppg->nvertices);
}

/* Waits within ranks, which no MPI call shows. */
static void add_waits_of_threads(struct sca_analysis *c)
{
    for (uint32_t i = 0; i < c->causes.count; i++)
        for (uint32_t k = 0; k < c->causes.items[i]->nwaits; k++)
            c->symptoms[i][c->causes.items[i]->waits[k].vertex] +=
                c->causes.items[i]->waits[k].seconds;
}

static void level_in_turn(struct sca_analysis *c, struct sca_price *prices)
{
    const double *none = waits_by_vertex(c), *all = waits_with(c, SCA_NONE, false);
    for (uint32_t i = 0; i < c->causes.count; i++)
        if (is_equalised(c->causes.items[i]))
            tell_by_equalising(c, i, none, all, &prices[c->causes.items[i]->number]);
    sca_what_if_level(&c->stages[c->last], NULL, 0);
}

void sca_symptoms_find(struct sca_analysis *c)
{
    struct sca_stage *stage = &c->stages[c->last];
    c->symptoms = sca_workspace_alloc(c->space, c->causes.count, sizeof *c->symptoms);
    c->chains = sca_workspace_alloc(c->space, c->causes.count, sizeof *c->chains);
    struct sca_price *prices = sca_workspace_alloc(c->space, c->findings.count, sizeof *prices);
    for (uint32_t i = 0; i < c->findings.count; i++)
        prices[i] = charged_price(c, c->findings.all[i]);
    sca_what_if_level(stage, NULL, 0);
    blame_all(c);
    if (any_equalised(c))
        level_in_turn(c, prices);
    add_waits_of_threads(c);
    c->prices = prices;
    for (uint32_t i = 0; i < c->causes.count; i++)
        sca_backtrack(c->space, stage, c->causes.items[i], c->symptoms[i], &c->chains[i]);
}

void sca_symptoms_find_paths(struct sca_analysis *c)
{
    bool *grows = sca_workspace_alloc(c->space, c->ppg->nvertices, sizeof *grows);
    const struct sca_path_wish wish = {
        .least = c->settings->min_share * c->accounts[c->last].base,
        .nonscalable = grows,
        .abnormals = &c->abnormals[c->last],
        .ratio = c->settings->abnorm_thd,
    };
    for (uint32_t i = 0; i < c->growths.count; i++)
        grows[c->growths.items[i].vertex] = true;
    for (uint32_t i = 0; i < c->exchanges.count; i++)
        for (uint32_t k = 0; k < c->exchanges.items[i].ncalls; k++)
            grows[c->exchanges.items[i].calls[k]] = true;
    sca_all_paths_find(c->space, &c->stages[c->last], &wish, &c->paths);
}
