/* Metrics of simulated programs: what each rank waits and computes is known, and what all contexts
 * and ranks have adds up to the report's account. */
#include "sim_profile.h"
#include "sim_programs.h"
#include "report/verdict.h"
#include "check_main.h"

#include <math.h>
#include <string.h>

enum { RANKS = 4, STEPS = 100, CASE_RANKS = 8 };
enum { SERIAL, OWN, EXTRA, SEND, RECEIVE, ALL, BARRIER, BCAST, REDUCE, PLACES };

static const struct sim_place places[PLACES] = {{"", 10},
                                                {"", 20},
                                                {"", 30},
                                                {"MPI_Send", 40},
                                                {"MPI_Recv", 50},
                                                {"MPI_Allreduce", 60},
                                                {"MPI_Barrier", 70},
                                                {"MPI_Bcast", 80},
                                                {"MPI_Reduce", 90}};

static const struct sca_settings usual = {
    .abnorm_thd = 1.3, .min_share = 0.01, .fail_above = -1, .max_loop_depth = 10};

static struct sim *run;
static struct sim_graph *graph;
static struct sca_verdict verdict;

static void judge(struct sim *of)
{
    run = of;
    graph = sim_graph(&run, 1);
    ck_assert_int_eq(sca_verdict_find(&graph->ppg, &usual, &verdict), 0);
}

static void play(void (*step)(struct sim *))
{
    const struct sim_program program = {places, PLACES, STEPS, step};
    judge(sim_run(&program, (struct sim_options){.ranks = RANKS, .seed = 1}));
}

static void end(void)
{
    sca_verdict_free(&verdict);
    sim_graph_free(graph);
    sim_free(run);
}

static const struct sca_report_metric *metric(const char *name)
{
    const struct sca_report_metric *found = sca_report_metric_find(verdict.report, name);
    ck_assert_msg(found != NULL, "%s", name);
    return found;
}

static double sum(const char *name)
{
    const struct sca_report_metric *of = metric(name);
    double all = 0;
    ck_assert_str_eq(of->absent, "");
    for (uint32_t i = 0; i < of->nrows; i++)
        all += of->rows[i].sum;
    return all;
}

static const struct sca_report_metric_row *row_of(const char *name, uint32_t place)
{
    const struct sca_report_metric *of = metric(name);
    for (uint32_t i = 0; i < of->nrows; i++)
        if (of->rows[i].vertex == graph->first_place + place)
            return &of->rows[i];
    return NULL;
}

static double value(const char *name, uint32_t place, uint32_t rank)
{
    const struct sca_report_metric_row *row = row_of(name, place);
    return row ? sca_report_metric_value(row, rank) : 0;
}

static double all_ranks(const char *name, uint32_t place)
{
    const struct sca_report_metric_row *row = row_of(name, place);
    return row ? row->sum : 0;
}

static void check_near(double measured, double truth)
{
    ck_assert_msg(fabs(measured - truth) <= 0.02 * fabs(truth) + 2e-3, "%g, the truth is %g",
                  measured, truth);
}

/* ---- a function that goes round the ranks ---- */

static void pass_on(struct sim *s)
{
    sim_compute(s, OWN, 2e-3);
    sim_collective(s, BARRIER, SIM_ALL, 0);
    if (s->rank > 0)
        sim_receive(s, RECEIVE, s->rank - 1);
    sim_compute(s, SERIAL, 1e-3);
    if (s->rank + 1 < s->ranks)
        sim_send(s, SEND, s->rank + 1);
    sim_collective(s, ALL, SIM_ALL, 0);
}

/* Each rank has as much of it as the others; only the path shows that they do it in turn. */
START_TEST(a_serialised_function_is_on_the_path)
{
    play(pass_on);
    for (uint32_t r = 0; r < RANKS; r++) {
        check_near(value("computation", SERIAL, r), STEPS * 1e-3);
        check_near(value("critical_path", SERIAL, r), STEPS * 1e-3);
        check_near(value("late_sender", RECEIVE, r), STEPS * r * 1e-3);
        check_near(value("wait_at_nxn", ALL, r), STEPS * (RANKS - 1 - r) * 1e-3);
        check_near(value("critical_imbalance", SERIAL, r), STEPS * 1e-3 * (RANKS - 1) / RANKS);
    }
    check_near(all_ranks("critical_path", OWN), STEPS * 2e-3);
    check_near(all_ranks("critical_imbalance", OWN), 0);
    check_near(sum("critical_path"), sim_seconds(run));
    end();
}
END_TEST

/* ---- every way to wait ---- */

static void wait_in_every_way(struct sim *s)
{
    sim_compute(s, OWN, s->rank == 1 ? 5e-3 : 1e-3);
    if (s->rank == 1)
        sim_send(s, SEND, 0);
    if (s->rank == 0)
        sim_receive(s, RECEIVE, 1);
    sim_collective(s, BARRIER, SIM_ALL, 0);
    sim_compute(s, EXTRA, s->rank == 2 ? 4e-3 : 1e-3);
    sim_collective(s, BCAST, SIM_FROM_ROOT, 2);
    sim_compute(s, SERIAL, s->rank == 3 ? 3e-3 : 1e-3);
    sim_collective(s, REDUCE, SIM_TO_ROOT, 0);
    sim_compute(s, OWN, s->rank == 0 ? 1e-3 : 2e-3);
    sim_collective(s, ALL, SIM_ALL, 0);
}

/* By the simulator's clock. */
static double waited(uint32_t place, uint32_t rank)
{
    const struct sim_sequence *sequence = &run->sequences[rank];
    double seconds = 0;
    for (uint32_t i = 0; i < sequence->ncalls; i++)
        if (sequence->calls[i].place == place)
            seconds += sequence->calls[i].exit - sequence->calls[i].enter;
    return seconds;
}

START_TEST(waits_are_of_their_class_and_rank)
{
    static const struct {
        uint32_t place;
        const char *metric;
    } classes[] = {{RECEIVE, "late_sender"},
                   {BARRIER, "wait_at_barrier"},
                   {BCAST, "late_broadcast"},
                   {REDUCE, "early_reduce"},
                   {ALL, "wait_at_nxn"}};
    play(wait_in_every_way);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        for (uint32_t r = 0; r < RANKS; r++) {
            check_near(value(classes[i].metric, classes[i].place, r), waited(classes[i].place, r));
            check_near(value("waiting", classes[i].place, r), waited(classes[i].place, r));
        }
    check_near(value("delay_direct", EXTRA, 2), 3 * STEPS * 3e-3);
    check_near(all_ranks("delay_cost", EXTRA), 3 * STEPS * 3e-3);
    end();
}
END_TEST

/* ---- the account ---- */

static void check_whole(const char *what, const char *program, double parts, double whole)
{
    ck_assert_msg(fabs(parts - whole) <= 1e-3 * fabs(whole) + 1e-9, "%s of %s: %.9g, not %.9g",
                  what, program, parts, whole);
}

static void check_account(const char *program)
{
    const struct sca_report *r = verdict.report;
    const struct sca_report_account *a = &r->runs[r->nruns - 1].account;
    double classes = 0;
    check_whole("computation", program, sum("computation"),
                a->useful_core_s + a->extra_core_s + a->tool_core_s + a->blocked_core_s);
    check_whole("waiting", program, sum("waiting"), a->explained_core_s + a->unexplained_core_s);
    check_whole("delay cost", program, sum("delay_cost"), a->explained_core_s);
    check_whole("delay cost", program, sum("delay_direct") + sum("delay_indirect"),
                a->explained_core_s);
    for (uint32_t i = 0; i < r->nmetrics; i++)
        if (r->metrics[i].parent != UINT32_MAX &&
            !strcmp(r->metrics[r->metrics[i].parent].name, "waiting"))
            classes += sum(r->metrics[i].name);
    check_whole("classes of waits", program, classes, sum("waiting"));
    /* Windows stand for the run. What the replay takes longer than the clock is in the rest. */
    double longer = -fmin(0, a->rest_core_s) / r->runs[r->nruns - 1].ranks;
    ck_assert_double_le(sum("critical_path"), (a->duration_s + longer) * 1.02);
    ck_assert_double_le(sum("critical_imbalance"), sum("critical_path"));
}

START_TEST(all_adds_up_to_the_account)
{
    for (uint32_t i = 0; i < sim_ncases; i++) {
        const struct sim_case *c = &sim_cases[i];
        struct sim_options options = c->options;
        options.ranks = c->least > CASE_RANKS ? c->least : CASE_RANKS;
        options.seed = i + 1;
        options.defect = true;
        options.cores = c->shares_cores ? options.ranks / 4 : 0;
        judge(sim_run(&c->program, options));
        check_account(c->name);
        end();
    }
}
END_TEST

/* Rank 0 sleeps for three quarters of each step; nobody waits. */
static void sleep_beside_others(struct sim *s)
{
    sim_compute(s, OWN, s->rank ? 20e-3 : 5e-3);
    if (!s->rank)
        sim_stall(s, 15e-3);
    sim_collective(s, ALL, SIM_ALL, 0);
}

START_TEST(a_sleep_is_no_computation)
{
    play(sleep_beside_others);
    const struct sca_report *r = verdict.report;
    const struct sca_report_account *a = &r->runs[0].account;
    double useful = a->useful_core_s + a->extra_core_s + a->tool_core_s;
    ck_assert_double_eq_tol(a->blocked_core_s, STEPS * 15e-3, 0.01);
    ck_assert_double_eq_tol(useful, STEPS * (3 * 20e-3 + 5e-3), 0.05);
    ck_assert_double_eq_tol(r->efficiency[0].parallel, 65.0 / 80, 0.01);
    ck_assert_double_eq_tol(r->efficiency[0].load_balance, 65.0 / 80, 0.01);
    ck_assert_uint_eq(r->ncauses, 0);
    end();
}
END_TEST

SCA_SUITE("simulated metrics", a_serialised_function_is_on_the_path,
          waits_are_of_their_class_and_rank, all_adds_up_to_the_account, a_sleep_is_no_computation)
