#include "sim_trial.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NEAR 0.15

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

/* The program with two places for each. */
static void double_places(struct sim_trial *trial, const struct sim_case *c)
{
    trial->program = c->program;
    for (uint32_t p = 0; p < c->program.nplaces && trial->as.split; p++) {
        const struct sim_place *place = &c->program.places[p];
        trial->places[2 * p] = trial->places[2 * p + 1] = *place;
        trial->places[2 * p + 1].line += 5;
    }
    if (trial->as.split) {
        trial->program.places = trial->places;
        trial->program.nplaces *= 2;
    }
}

static struct sim *run_case(const struct sim_trial *trial, uint32_t ranks, uint32_t repetition,
                            bool defect, double noise)
{
    const struct sim_case *c = trial->c;
    struct sim_options options = c->options;
    options.as = trial->as;
    options.noise = noise;
    options.ranks = ranks;
    options.seed = ranks + 100000 * repetition;
    options.repetition = repetition;
    options.defect = defect;
    options.cores = c->shares_cores ? ranks / 4 : 0;
    return sim_run(&trial->program, options);
}

void sim_trial_open(struct sim_trial *trial, const struct sim_case *c, uint32_t ranks, bool defect,
                    const struct sim_variant *as)
{
    *trial = (struct sim_trial){.c = c, .ranks = ranks, .as = *as};
    double_places(trial, c);
    for (uint32_t n = ranks >= 8 ? ranks / 4 : ranks; n <= ranks; n *= 2)
        for (uint32_t again = 0; again <= as->again; again++)
            trial->runs[trial->nruns++] = run_case(trial, n, again, defect, c->options.noise);
    trial->graph = sim_graph(trial->runs, trial->nruns);
    ck_assert_int_eq(sca_verdict_find(&trial->graph->ppg, &usual, &trial->verdict), 0);
}

void sim_trial_close(struct sim_trial *trial)
{
    sca_verdict_free(&trial->verdict);
    sim_graph_free(trial->graph);
    for (uint32_t i = 0; i < trial->nruns; i++)
        sim_free(trial->runs[i]);
}

static uint32_t vertex(const struct sim_trial *trial, uint32_t place)
{
    return trial->graph->first_place + sim_place_of(&trial->as, place);
}

static bool is_between(const struct sim_trial *trial, const struct sca_report_cause *cause)
{
    const struct sim_case *c = trial->c;
    return c->after && cause->between && cause->after == vertex(trial, c->after) &&
           cause->before == vertex(trial, c->before) &&
           (cause->vertex == vertex(trial, c->cause)) == c->at_line;
}

/* Of a loop that was split, either half. */
static bool is_at(const struct sim_trial *trial, const struct sca_report_cause *cause,
                  uint32_t place)
{
    uint32_t first = vertex(trial, place);
    return is_between(trial, cause) ||
           (!cause->between &&
            (cause->vertex == first || (trial->as.split && cause->vertex == first + 1)));
}

static bool is_of_defect(const struct sim_trial *trial, const struct sca_report_cause *cause)
{
    return is_at(trial, cause, trial->c->cause) ||
           (trial->c->second && is_at(trial, cause, trial->c->second));
}

/* What the run without the defect, at the same seed, takes less. Where ranks share cores, that is
 * without what these make of single instances: it is in no cause's price. */
static double true_gain(const struct sim_trial *trial)
{
    double noise = trial->c->shares_cores ? 0 : trial->c->options.noise;
    struct sim *with = run_case(trial, trial->ranks, trial->as.again, true, noise);
    struct sim *without = run_case(trial, trial->ranks, trial->as.again, false, noise);
    double gain = (sim_seconds(with) - sim_seconds(without)) * trial->ranks;
    sim_free(with);
    sim_free(without);
    return gain;
}

static void check_ranks(const struct sim_trial *trial, const struct sca_report_cause *cause)
{
    bool carries[SIM_MOST_RANKS] = {false};
    uint32_t carrying = 0;
    for (uint32_t r = 0; r < trial->ranks; r++) {
        carries[sim_rank_of(&trial->as, r, trial->ranks)] = trial->c->carries(r, trial->ranks);
        carrying += trial->c->carries(r, trial->ranks);
    }
    ck_assert_msg(cause->nranks == carrying, "%u ranks, the truth is %u", cause->nranks, carrying);
    for (uint32_t i = 0; i < cause->nranks; i++)
        ck_assert_msg(carries[cause->ranks[i]], "rank %u", cause->ranks[i]);
}

static void check_gain(const struct sim_trial *trial, double gain)
{
    double truth = true_gain(trial);
    ck_assert_msg(fabs(gain - truth) <= NEAR * truth, "gain %.4f core-s, the truth is %.4f", gain,
                  truth);
}

static double waiting(const struct sim *s)
{
    double computed = 0;
    for (uint32_t r = 0; r < s->ranks; r++)
        for (uint32_t i = 0; i < s->sequences[r].ncalls; i++)
            computed += s->sequences[r].calls[i].interval;
    return sim_seconds(s) * s->ranks - computed;
}

/* What others wait for it: at most all waiting, at least what is waited less when it is switched
 * off. */
static void check_cost(const struct sim_trial *trial, double reported)
{
    struct sim *without =
        run_case(trial, trial->ranks, trial->as.again, false, trial->c->options.noise);
    double all = waiting(trial->runs[trial->nruns - 1]), least = all - waiting(without);
    sim_free(without);
    ck_assert_msg(reported <= (1 + NEAR) * all && reported >= (1 - NEAR) * least,
                  "cost %.4f core-s, the truth is %.4f to %.4f", reported, least, all);
}

/* The first cause, for a failed assertion. */
const char *sim_trial_first(const struct sca_report *report)
{
    static char text[160];
    const struct sca_report_cause *c = report->causes;
    if (!report->ncauses)
        return "none";
    snprintf(text, sizeof text, "line %u, %s on %u ranks, gain %.1f %% (%s scaling)",
             report->vertices[c->vertex].line, c->category, c->nranks, 100 * c->gain_share,
             report->scaling_mode);
    return text;
}

/* What rank 0 does alone is serial, as such sections are written; another rank is late. */
static void check_category(const struct sim_trial *trial, const struct sca_report_cause *cause)
{
    if (!trial->as.multiply || strcmp(cause->category, "imbalance"))
        ck_assert_str_eq(cause->category, trial->c->category);
}

/* One cause for each place, of which the first one has most; a loop that was split has one or two.
 */
static void check_number(const struct sim_trial *trial, const struct sca_report *report)
{
    uint32_t least = trial->c->second ? 2 : 1, most = trial->as.split ? 2 * least : least;
    ck_assert_msg(report->ncauses >= least && report->ncauses <= most, "%u causes",
                  report->ncauses);
    for (uint32_t i = 0; i < report->ncauses; i++)
        ck_assert_msg(is_of_defect(trial, &report->causes[i]), "cause %u is another one", i + 1);
}

void sim_trial_judge(const struct sim_trial *trial)
{
    const struct sim_case *c = trial->c;
    const struct sca_report *report = trial->verdict.report;
    const struct sca_report_cause *cause = report->causes;
    double gain = 0, cost = 0;
    ck_assert_msg(report->ncauses > 0, "no cause");
    ck_assert_msg(is_at(trial, cause, c->cause), "the first cause is %s", sim_trial_first(report));
    check_category(trial, cause);
    check_number(trial, report);
    check_ranks(trial, cause);
    for (uint32_t i = 0; i < report->ncauses; i++) {
        gain += report->causes[i].gain_core_s;
        cost += report->causes[i].direct_core_s + report->causes[i].indirect_core_s;
    }
    check_gain(trial, gain);
    if (strcmp(c->category, "nonscalable")) { /* undivided work makes nobody wait */
        check_cost(trial, cost);
        double own = cause->direct_core_s + cause->indirect_core_s;
        ck_assert_double_eq_tol(own, cause->cost_core_s, 1e-6 * own);
    }
}
