#include "report/efficiency.h"
#include "metrics/metric_catalogue.h"
#include "report/run_comparison.h"
#include "threads/hybrid.h"

#include <math.h>
#include <string.h>

/* Of a run's computation. Seconds are compared per work, or per iteration: so are events. */
struct counted_work {
    uint32_t ranks;
    double seconds, scale;       /* scale: of these seconds to those that are compared */
    double instructions, cycles; /* 0: not counted */
};

double sca_efficiency_blocked(const struct sca_account *account)
{
    double all = account->useful + account->blocked;
    return account->blocked > 0 ? account->blocked / all : 0;
}

/* Per work where that is given, or per iteration where the runs made different numbers of them. */
static double seconds_to_compare(const struct sca_analysis *c, uint32_t i)
{
    for (uint32_t k = 0; k < c->nwhole; k++)
        if (c->whole[k].run == c->measures[i].run)
            return sca_comparable_total(&c->comparable, k) *
                   (1 - sca_efficiency_blocked(&c->accounts[i]));
    return c->accounts[i].useful * sca_run_comparison_work_scale(c, i);
}

static uint32_t find_counter(const struct sca_profile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->nmetrics; i++)
        if (!strcmp(profile->metrics[i], name))
            return i;
    return SCA_NONE;
}

/* Events of all ranks outside MPI; 0: not counted. */
static double count_events(const struct sca_analysis *c, uint32_t i, const char *name)
{
    const struct sca_profile *profile = c->measures[i].run->profile;
    uint32_t counter = find_counter(profile, name);
    if (counter == SCA_NONE)
        return 0;
    struct sca_opened *opened = sca_workspace_opened(c->space, profile);
    double events = 0;
    for (uint32_t rank = 0; rank < profile->nranks; rank++) {
        const struct sca_rank *r = sca_rank_open(opened, rank, SCA_OPEN_SAMPLES);
        for (uint32_t s = 0; s < r->nsamples; s++)
            events += r->sample[s].in_mpi ? 0 : (double)r->sample[s].metric[counter];
    }
    return events;
}

static struct counted_work measure(const struct sca_analysis *c, uint32_t i)
{
    double useful = c->accounts[i].useful;
    return (struct counted_work){.ranks = c->accounts[i].ranks,
                                 .seconds = useful,
                                 .scale = useful > 0 ? seconds_to_compare(c, i) / useful : 1,
                                 .instructions = count_events(c, i, SCA_COUNTER_INSTRUCTIONS),
                                 .cycles = count_events(c, i, SCA_COUNTER_CYCLES)};
}

static double ratio(double part, double whole)
{
    return part > 0 && whole > 0 ? part / whole : NAN;
}

/* Their product is the scaling of computation. */
static void split_up(const struct counted_work *first, const struct counted_work *here,
                     enum sca_scaling mode, struct sca_report_efficiency *out)
{
    bool counted = first->instructions > 0 && here->instructions > 0;
    out->instructions = NAN;
    if (counted)
        out->instructions =
            sca_account_computation(first->instructions * first->scale, first->ranks,
                                    here->instructions * here->scale, here->ranks, mode);
    out->ipc =
        ratio(ratio(here->instructions, here->cycles), ratio(first->instructions, first->cycles));
    out->frequency =
        ratio(ratio(here->cycles, here->seconds), ratio(first->cycles, first->seconds));
}

static void fill_hybrid(struct sca_analysis *c, uint32_t i, struct sca_report_efficiency *to)
{
    struct sca_workspace scratch = {.out_of_memory = c->space->out_of_memory};
    const struct sca_hybrid h = sca_hybrid_of(&scratch, &c->measures[i]);
    to->openmp = h.openmp;
    to->openmp_serialisation = h.serialisation;
    to->openmp_load_balance = h.load_balance;
    to->openmp_scheduling = h.scheduling;
    to->hybrid = to->parallel * h.openmp;
    sca_workspace_free(&scratch);
}

/* The most that the ranks of a node compute on the mean; 0: there is one node. */
static double most_of_nodes(struct sca_analysis *c, const struct sca_measure *m)
{
    const struct sca_rank *ranks = m->run->profile->ranks;
    uint32_t nodes = 0;
    double most = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        nodes = ranks[r].present && ranks[r].node >= nodes ? ranks[r].node + 1 : nodes;
    double *sum = sca_workspace_alloc(c->space, nodes + 1ul, sizeof *sum);
    uint32_t *count = sca_workspace_alloc(c->space, nodes + 1ul, sizeof *count), there = 0;
    for (uint32_t r = 0; r < m->nranks; r++)
        if (ranks[r].present) {
            sum[ranks[r].node] += m->rank_total[r] - m->rank_blocked[r];
            there += !count[ranks[r].node]++;
        }
    for (uint32_t i = 0; i < nodes; i++)
        most = count[i] ? fmax(most, sum[i] / count[i]) : most;
    return there > 1 ? most : 0;
}

static void divide_balance(struct sca_analysis *c, uint32_t i, struct sca_report_efficiency *to)
{
    const struct sca_measure *m = &c->measures[i];
    double most = to->load_balance > 0 ? most_of_nodes(c, m) : 0;
    to->load_balance_within = to->load_balance_between = NAN;
    if (most <= 0)
        return;
    to->load_balance_between = c->accounts[i].useful / fmax(1, m->npresent) / most;
    to->load_balance_within = to->load_balance / to->load_balance_between;
}

void sca_efficiency_fill(struct sca_analysis *c, uint32_t i)
{
    const struct sca_account *a = &c->accounts[i];
    const struct counted_work first = measure(c, 0), here = measure(c, i);
    struct sca_report_efficiency *to = &c->report->efficiency[i];
    *to =
        (struct sca_report_efficiency){.ranks = a->ranks,
                                       .parallel = a->parallel,
                                       .load_balance = a->load_balance,
                                       .communication = a->communication,
                                       .serialisation = a->serialisation,
                                       .transfer = a->transfer,
                                       .computation = sca_account_computation(
                                           first.seconds * first.scale, first.ranks,
                                           here.seconds * here.scale, here.ranks, c->growths.mode)};
    to->global = to->parallel * to->computation;
    fill_hybrid(c, i, to);
    divide_balance(c, i, to);
    split_up(&first, &here, c->growths.mode, to);
}
