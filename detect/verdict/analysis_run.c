#include "verdict/analysis_run.h"
#include "base/degrees.h"
#include "verdict/causes.h"
#include "verdict/symptoms.h"
#include "imbalance/rotating.h"
#include "price/call_waits.h"
#include "trace/trace_build.h"
#include "price/what_if.h"
#include "sca_progress.h"

#include <math.h>

static void open_stage(struct sca_analysis *c, const struct sca_measure *m, const double *inside,
                       struct sca_stage *stage, struct sca_traces *traces)
{
    struct sca_workspace ops = {.out_of_memory = c->space->out_of_memory};
    sca_trace_build(&ops, m->run, c->team, traces);
    sca_replay_trace_add_transfer(traces, inside, m->other_world.per_call, m->run->profile->nsites);
    sca_what_if_open(c->space, m, c->ends, traces, &ops, stage);
}

static void measure_all(struct sca_analysis *c)
{
    uint32_t n = c->ppg->nruns;
    c->measures = sca_workspace_alloc(c->space, n, sizeof *c->measures);
    c->transfers = sca_workspace_alloc(c->space, n, sizeof *c->transfers);
    c->ends = sca_measure_subtree_ends(c->space, c->ppg);
    c->last = n - 1;
    for (uint32_t i = 0; i < n; i++) {
        sca_measure_run(c->space, c->ppg, i, &c->measures[i]);
        sca_transfer_measure(c->space, &c->measures[i], &c->transfers[i]);
    }
}

/* An aborted run computed less, not faster. */
static void choose_whole(struct sca_analysis *c)
{
    bool usable = c->measures[c->last].run->profile->complete;
    c->nwhole = 0;
    c->whole = sca_workspace_alloc(c->space, c->ppg->nruns, sizeof *c->whole);
    c->whole_transfers = sca_workspace_alloc(c->space, c->ppg->nruns, sizeof *c->whole_transfers);
    for (uint32_t i = 0; i < c->ppg->nruns; i++) {
        if (i != c->last && !(usable && c->measures[i].run->profile->complete))
            continue;
        c->whole[c->nwhole] = c->measures[i];
        c->whole_transfers[c->nwhole++] = c->transfers[i];
    }
}

/* Before any replay: what the busiest rank computes, on all ranks. */
static double rough_base(const struct sca_measure *m)
{
    double most = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        most = fmax(most, m->rank_total[r]);
    return most * m->nranks;
}

static void find_exchanges(struct sca_analysis *c)
{
    double least = SCA_SEVERAL * c->settings->min_share * rough_base(&c->measures[c->last]);
    sca_exchange_growth_find(c->space, c->whole, c->whole_transfers, c->nwhole, least,
                             &c->exchanges);
}

static void find_waited(struct sca_analysis *c, struct sca_measure *m)
{
    struct sca_stage stage;
    struct sca_traces traces;
    open_stage(c, m, NULL, &stage, &traces);
    m->waited = sca_call_waits_find(c->space, &stage);
    sca_replay_trace_free(&traces);
}

/* Once more, with what a replay says of how long their calls waited: that takes its time, and most
 * programs have none. Where ranks share cores, what a call took tells nothing anyway. */
static void confirm_exchanges(struct sca_analysis *c)
{
    if (!c->exchanges.count)
        return;
    for (uint32_t i = 0; i < c->ppg->nruns; i++)
        if (!c->measures[i].shared)
            find_waited(c, &c->measures[i]);
    choose_whole(c);
    find_exchanges(c);
}

/* What rotates in another run, by what that shows alone. */
static void find_rotating(struct sca_analysis *c, uint32_t i)
{
    const struct sca_finding_list none = {0};
    struct sca_ledger found;
    if (i == c->last || !c->traces[i].recorded)
        return;
    sca_ledger_begin(c->space, &found);
    sca_rotating_find(c->space, &c->measures[i], c->ends, &c->traces[i], &none,
                      c->settings->abnorm_thd, SCA_RELEVANT * c->accounts[i].base, &found);
    for (uint32_t k = 0; k < found.open.count; k++)
        sca_finding_list_add(c->space, &c->rotating, found.open.items[k]);
}

static void play_run(struct sca_analysis *c, uint32_t i)
{
    const struct sca_measure *m = &c->measures[i];
    const double *inside = sca_exchange_growth_per_call(c->space, m, &c->exchanges);
    open_stage(c, m, inside, &c->stages[i], &c->traces[i]);
    sca_account_run(&c->stages[i], &c->accounts[i]);
    find_rotating(c, i);
    if (i != c->last) /* causes decide what of the last one's is put down to chance */
        sca_causes_price_waits(c, i);
    double base = c->accounts[i].base, least = SCA_QUARTER * c->settings->min_share * base;
    const struct sca_abnormal_limits limits = {SCA_ANY_RATIO, least, SCA_NEGLIGIBLE * base};
    sca_abnormal_find(c->space, m, c->ends, &limits, &c->abnormals[i]);
}

static void play_all(struct sca_analysis *c)
{
    uint32_t n = c->ppg->nruns;
    c->stages = sca_workspace_alloc(c->space, n, sizeof *c->stages);
    c->traces = sca_workspace_alloc(c->space, n, sizeof *c->traces);
    c->accounts = sca_workspace_alloc(c->space, n, sizeof *c->accounts);
    c->abnormals = sca_workspace_alloc(c->space, n, sizeof *c->abnormals);
    c->costs = sca_workspace_alloc(c->space, n, sizeof *c->costs);
    for (uint32_t i = 0; i < n; i++) {
        sca_progress_watch("replaying run %u of %u", i + 1, n);
        play_run(c, i);
        if (i != c->last) /* what has been played is summed up; causes are those of the last */
            sca_replay_trace_free(&c->traces[i]);
    }
}

void sca_analysis_run(struct sca_analysis *c)
{
    sca_progress_watch("comparing ranks and runs");
    measure_all(c);
    choose_whole(c);
    find_exchanges(c);
    confirm_exchanges(c);
    play_all(c);
    sca_progress_watch("finding causes");
    sca_causes_find(c);
    sca_progress_watch("following waits to causes");
    sca_symptoms_find(c);
    if (!c->settings->text_only)
        sca_symptoms_find_paths(c);
    if (!sca_settings_want_timelines(c->settings)) /* these are some of them */
        sca_replay_trace_free(&c->traces[c->last]);
}
