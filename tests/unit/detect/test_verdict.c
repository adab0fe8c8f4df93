/* From graphs made by hand to verdicts: each defect by its line, ranks and category; none where
 * there is none. */
#include "graph/mpi_function.h"
#include "verdict_program.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double none[8];

START_TEST(a_balanced_program_has_no_cause)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8];
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 8.0 / n);
        program_run(&p, n, work, none);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert_str_eq(report->scaling_mode, "strong");
    ck_assert(report->efficiency[2].parallel > 0.99);
    program_finish(&p, &v);
}
END_TEST

/* Ranks that share cores: memory-bound code is up to 1.4 times slower on some, and on all of them
 * slower than with two ranks. */
START_TEST(busy_cores_are_not_a_cause)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work2[] = {4, 4}, work4[] = {2.2, 2.9, 2.3, 3.0};
    double work8[] = {1.2, 1.6, 1.25, 1.68, 1.2, 1.62, 1.22, 1.55};
    program_run(&p, 2, work2, none);
    model_meta(p.model, program_run(&p, 4, work4, none), "oversubscribed", "1");
    model_meta(p.model, program_run(&p, 8, work8, none), "oversubscribed", "1");
    const struct sca_report *report = program_judge(&p, &v);
    const struct sca_report_least *least = &report->least_gain;
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert(least->known && least->shared_cores && !least->short_run);
    ck_assert_double_eq(least->share, program_settings.min_share);
    ck_assert_double_eq(least->core_s, least->share * report->runs[2].account.base_core_s);
    program_finish(&p, &v);
}
END_TEST

START_TEST(extra_work_on_one_rank_is_its_loop)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {0};
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 8.0 / n);
        memset(extra, 0, sizeof extra);
        extra[n / 2] = 0.5;
        program_run(&p, n, work, extra);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_str_eq(c->category, "imbalance");
    ck_assert_str_eq(c->others, "none");
    ck_assert_double_eq(report->least_gain.share, program_settings.min_share);
    ck_assert_uint_eq(c->nranks, 1);
    ck_assert_uint_eq(c->ranks[0], 4);
    ck_assert(fabs(c->cost_core_s - 3.5) < 0.05);
    ck_assert(fabs(c->gain_core_s - 4) < 0.05);
    ck_assert_uint_eq(c->symptoms[0].vertex, p.sum);
    ck_assert_uint_eq(c->path[0].vertex, p.sum);
    ck_assert_uint_ne(c->path[0].rank, 4);
    ck_assert_str_eq(c->path[1].via, "collective");
    ck_assert_uint_eq(c->path[c->npath - 1].vertex, p.extra);
    ck_assert_uint_eq(c->path[c->npath - 1].rank, 4);
    program_finish(&p, &v);
}
END_TEST

/* Called twice per step: the loop that all calls have in common, not the one around the calls. */
/* Six samples where one belongs prove nothing of a rank; of all four ranks that the exact time
 * between the calls names, together they do. */
START_TEST(few_samples_of_several_ranks_count_together)
{
    double work[8], extra[8], even[8];
    program_fill(work, 8, 0.008);
    for (int r = 0; r < 8; r++) {
        extra[r] = r < 4 ? 0.0064 : 0.001;
        even[r] = r < 4 ? 0.0134 : 0.008;
    }
    for (int in_work = 0; in_work < 2; in_work++) {
        struct program p = program_new();
        struct sca_verdict v;
        program_run(&p, 8, in_work ? even : work, in_work ? none : extra);
        const struct sca_report *report = program_judge(&p, &v);
        ck_assert_uint_eq(report->ncauses, 1);
        ck_assert_uint_eq(report->causes[0].vertex, in_work ? p.work : p.extra);
        ck_assert(!report->causes[0].between);
        ck_assert_uint_eq(report->causes[0].nranks, 4);
        ck_assert_double_eq_tol(report->causes[0].gain_core_s, 8 * 0.0054, 0.005);
        program_finish(&p, &v);
    }
}
END_TEST

/* Steps are counted by collectives: who asks for its number a thousand times makes no steps. */
START_TEST(asking_for_a_number_is_no_collective)
{
    ck_assert(sca_mpi_function_is_local("MPI_Comm_rank"));
    ck_assert(sca_mpi_function_is_local("MPI_Cart_coords"));
    ck_assert(!sca_mpi_function_is_local("MPI_Comm_split"));
    ck_assert(!sca_mpi_function_is_local("MPI_Barrier"));
}
END_TEST

START_TEST(a_loop_of_two_calls_is_named)
{
    struct sca_verdict v;
    struct program p = {.model = model_new()};
    uint32_t sum[2], loop[2];
    p.step = model_vertex(p.model, 0, SCA_LOOP, "", "main", 10);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t call = model_vertex(p.model, p.step, SCA_CALL, "kernel", "main", 12 + 4 * i);
        loop[i] = model_vertex(p.model, call, SCA_LOOP, "", "kernel", 52);
        sum[i] = model_vertex(p.model, p.step, SCA_MPI, "MPI_Allreduce", "main", 14 + 4 * i);
    }
    for (uint32_t n = 2; n <= 8; n *= 2) {
        uint32_t run = model_run(p.model, n), site[2];
        for (uint32_t i = 0; i < 2; i++)
            site[i] = model_site(p.model, run, sum[i]);
        for (uint32_t r = 0; r < n; r++) {
            double seconds = r == 1 ? 1 : 0.1;
            model_work(p.model, run, r, 0, site[0], 1, loop[0], seconds / PROGRAM_STEPS);
            model_work(p.model, run, r, site[1], site[0], PROGRAM_STEPS - 1, loop[0], seconds);
            model_work(p.model, run, r, site[0], site[1], PROGRAM_STEPS, loop[1], seconds);
            for (uint32_t i = 0; i < 2; i++)
                model_collective(p.model, run, r, site[i], -1, PROGRAM_STEPS);
        }
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->vertices[report->causes[0].vertex].line, 52);
    ck_assert_uint_eq(report->causes[0].ranks[0], 1);
    ck_assert(fabs(report->causes[0].gain_core_s - 8 * 1.8) < 0.3);
    program_finish(&p, &v);
}
END_TEST

START_TEST(work_of_rank_0_alone_is_serial)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[4], extra[4] = {2};
    program_fill(work, 4, 0.5);
    program_run(&p, 4, work, extra);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_str_eq(report->causes[0].category, "serial");
    ck_assert_str_eq(report->scaling_mode, "single");
    program_finish(&p, &v);
}
END_TEST

/* All have work, rank 0 some on top: nobody waits for it alone. */
START_TEST(more_work_of_rank_0_is_an_imbalance)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[4], extra[4] = {2};
    program_fill(work, 4, 2);
    program_run(&p, 4, work, extra);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_str_eq(report->causes[0].category, "imbalance");
    program_finish(&p, &v);
}
END_TEST

/* Two teams, each with a model of its own that takes as long as the other's. */
START_TEST(work_instead_of_other_work_is_no_cause)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8] = {1, 1.02, 0.99, 1}, extra[8] = {[4] = 1.06, 1.05, 1.07, 1.05};
    program_run(&p, 8, work, extra);
    ck_assert_uint_eq(program_judge(&p, &v)->ncauses, 0);
    program_finish(&p, &v);
}
END_TEST

/* The loop around an imbalance grows with it: it is no cause beside it. */
START_TEST(an_imbalance_does_not_grow_what_is_around_it)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 1);
        for (uint32_t r = 0; r < n; r++)
            extra[r] = n > 2 && r >= n / 2 ? n / 4.0 : 0;
        program_run(&p, n, work, extra);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_str_eq(report->scaling_mode, "weak");
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_str_eq(report->causes[0].category, "imbalance");
    ck_assert_uint_eq(report->causes[0].nranks, 4);
    program_finish(&p, &v);
}
END_TEST

/* Symptoms are parts of the cost. */
START_TEST(symptoms_add_up_to_the_cost)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {[3] = 0.4, [6] = 0.5}, sum = 0;
    program_fill(work, 8, 1);
    program_run(&p, 8, work, extra);
    const struct sca_report_cause *c = program_judge(&p, &v)->causes;
    ck_assert_uint_gt(v.report->ncauses, 0);
    for (uint32_t i = 0; i < c->nsymptoms; i++)
        sum += c->symptoms[i].wait_core_s;
    ck_assert(fabs(sum - c->cost_core_s) < 1e-4 * sum);
    ck_assert(fabs(c->direct_core_s + c->indirect_core_s - sum) < 1e-4 * sum);
    program_finish(&p, &v);
}
END_TEST

/* As much work per step on each rank, but the more ranks share the cores, the fewer steps. */
/* By a clock, some more or less. */
static void run_fewer_steps(struct program *p, bool as_long, uint32_t more)
{
    double work[8];
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 8.0 / n);
        uint32_t run = program_run(p, n, work, none), site = model_site(p->model, run, p->sum);
        for (uint32_t r = 0; r < n; r++)
            model_calls(p->model, run, r, site, 8 * PROGRAM_STEPS / n + (n == 4 ? more : 0), 0, 0);
        model_wall(p->model, run, as_long ? 8 : 16.0 / n);
    }
}

START_TEST(runs_that_stop_by_time_are_compared_per_step)
{
    struct program p = program_new();
    struct sca_verdict v;
    run_fewer_steps(&p, true, 3);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_str_eq(report->scaling_mode, "weak");
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert(fabs(report->efficiency[2].computation - 1) < 0.01);
    bool told = false;
    for (uint32_t i = 0; i < report->nnotes; i++)
        told |= strstr(report->notes[i], "per iteration") != NULL;
    ck_assert(told);
    program_finish(&p, &v);
}
END_TEST

/* A round in which each rank has its turn, or takes a part of, is one of fewer steps on more ranks.
 */
static void check_same_work(bool as_long)
{
    struct program p = program_new();
    struct sca_verdict v;
    run_fewer_steps(&p, as_long, 0);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_str_eq(report->scaling_mode, "strong");
    ck_assert_uint_eq(report->ncauses, 0);
    for (uint32_t i = 0; i < report->nnotes; i++)
        ck_assert_ptr_null(strstr(report->notes[i], "per iteration"));
    program_finish(&p, &v);
}

/* Ranks that share cores take as long, however many they are. */
START_TEST(fewer_steps_by_a_rule_do_not_stop_by_time)
{
    check_same_work(true);
    check_same_work(false);
}
END_TEST

START_TEST(an_undivided_loop_is_nonscalable)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 8.0 / n);
        program_fill(extra, n, 0.5);
        model_meta(p.model, program_run(&p, n, work, extra), "oversubscribed", n > 2 ? "1" : "0");
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_str_eq(c->category, "nonscalable");
    ck_assert_uint_eq(c->nranks, 8);
    ck_assert(fabs(c->cost_core_s - 3) < 0.05);   /* 8 x 0.5 s; two ranks need 1 s together */
    ck_assert(fabs(c->gain_core_s - 3.5) < 0.05); /* divided, 0.5 s are left */
    ck_assert(report->nonscalable[0].slope > -0.1);
    program_finish(&p, &v);
}
END_TEST

/* The problem grows with the ranks, but for one loop that they divide: nothing scales badly. */
START_TEST(a_growing_problem_with_a_divided_loop_has_no_cause)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    for (uint32_t n = 2; n <= 8; n *= 2) {
        program_fill(work, n, 1);
        program_fill(extra, n, 0.8 / n);
        program_run(&p, n, work, extra);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_str_eq(report->scaling_mode, "weak");
    ck_assert_uint_eq(report->ncauses, 0);
    bool said = false;
    for (uint32_t i = 0; i < report->nnotes; i++)
        said |= strstr(report->notes[i], "29 %") && strstr(report->notes[i], "--scaling=strong");
    ck_assert(said);
    program_finish(&p, &v);
}
END_TEST

/* Each of two ranks is as late as the other, for different reasons: mending one gains nothing. */
/* Of two loops each rank needs `seconds` for one on 8 ranks, 0.182 s on 4, and for the other as
 * long as there; 100 samples a second. */
static uint32_t causes_where_one_needs(double seconds, const char *shared)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work4[4], work8[8], extra4[4], extra8[8];
    program_fill(work4, 4, 0.182);
    program_fill(extra4, 4, 0.164);
    program_fill(work8, 8, seconds);
    program_fill(extra8, 8, 0.164);
    uint32_t runs[] = {program_run(&p, 4, work4, extra4), program_run(&p, 8, work8, extra8)};
    for (int i = 0; i < 2; i++) {
        model_rare(p.model, runs[i], SCA_NONE, 100);
        model_meta(p.model, runs[i], "oversubscribed", shared);
    }
    uint32_t ncauses = program_judge(&p, &v)->ncauses;
    program_finish(&p, &v);
    return ncauses;
}

START_TEST(what_all_are_slower_by_is_no_growth_of_one_line)
{
    ck_assert_uint_eq(causes_where_one_needs(0.28, "1"), 0); /* all: 1.3 times as long */
    ck_assert_uint_eq(causes_where_one_needs(0.28, "0"), 1); /* a core for each */
    ck_assert_uint_eq(causes_where_one_needs(0.4, "1"), 1);
}
END_TEST

START_TEST(causes_that_hide_each_other_are_both_named)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {0};
    program_fill(work, 8, 1);
    work[2] = 3;
    extra[5] = 2;
    program_run(&p, 8, work, extra);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 2);
    ck_assert_uint_eq(report->causes[0].vertex + report->causes[1].vertex, p.work + p.extra);
    ck_assert(fabs(report->causes[0].gain_core_s + report->causes[1].gain_core_s - 16) < 0.2);
    program_finish(&p, &v);
}
END_TEST

START_TEST(edges_with_more_work_are_one_cause)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {0};
    program_fill(work, 8, 1);
    extra[0] = extra[7] = 1;
    program_run(&p, 8, work, extra);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].nranks, 2);
    ck_assert_str_eq(report->causes[0].category, "imbalance");
    ck_assert(fabs(report->causes[0].gain_core_s - 8) < 0.1);
    program_finish(&p, &v);
}
END_TEST

/* A line of ranks passes messages on; the delay of the last reaches the first over all hops. */
START_TEST(the_chain_follows_the_messages)
{
    struct program p = program_new();
    struct sca_verdict v;
    uint32_t out = model_vertex(p.model, p.step, SCA_MPI, "MPI_Send", "main", 40);
    uint32_t in = model_vertex(p.model, p.step, SCA_MPI, "MPI_Recv", "main", 41);
    uint32_t run = model_run(p.model, 4);
    uint32_t send = model_site(p.model, run, out), recv = model_site(p.model, run, in);
    for (uint32_t r = 0; r < 4; r++) { /* receive from r + 1, work, send to r - 1 */
        bool first = r == 3, last = r == 0;
        uint32_t entry = first ? send : recv, back = last ? recv : send;
        model_work(p.model, run, r, 0, entry, 1, p.work, 0.01);
        if (!first && !last)
            model_work(p.model, run, r, recv, send, PROGRAM_STEPS, p.work, 0.01);
        model_work(p.model, run, r, back, entry, PROGRAM_STEPS - 1, r == 3 ? p.body : p.work,
                   r == 3 ? 3 : 0.5);
        if (!last)
            model_sent(p.model, run, r, send, (int32_t)r - 1, PROGRAM_STEPS);
        if (!first)
            model_received(p.model, run, r, recv, (int32_t)r + 1, PROGRAM_STEPS);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_ge(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_uint_eq(c->ranks[0], 3);
    ck_assert_uint_eq(c->path[c->npath - 1].rank, 3);
    uint32_t hops = 0;
    for (uint32_t i = 0; i < c->npath; i++)
        hops += !strcmp(c->path[i].via, "p2p");
    ck_assert_uint_ge(hops, 1);
    ck_assert_uint_eq(c->path[0].vertex, in);
    program_finish(&p, &v);
}
END_TEST

enum { LATE_RANKS = 4, LATE_STEPS = 8, WORK_MS = 20, EXTRA_MS = 40 };

/* Of a rank that works 20 ms in each of eight steps, and 40 ms more in two: samples of the one lie
 * in instances of 30 ms on average, of the other in those of 60 ms. Nodes are vertices. */
static void sample_rank(struct sca_rank *rank, uint32_t site, uint32_t work, uint32_t extra,
                        struct sca_part_sample samples[2])
{
    enum { EXTRA_STEPS = LATE_STEPS / LATE_RANKS, NS = 1000000 };
    uint64_t counts[] = {LATE_STEPS * WORK_MS, EXTRA_STEPS * EXTRA_MS};
    uint64_t lengths[] = {WORK_MS + EXTRA_STEPS * EXTRA_MS / LATE_STEPS, WORK_MS + EXTRA_MS};
    for (int i = 0; i < 2; i++)
        samples[i] = (struct sca_part_sample){.node = i ? extra : work,
                                              .previous = site,
                                              .next = site,
                                              .count = counts[i],
                                              .length_ns = counts[i] * lengths[i] * NS};
    rank->sample = samples;
    rank->nsamples = 2;
    rank->sample_period_ns = NS;
}

/* In each of eight windows another rank is late: all totals are equal, yet all wait. */
START_TEST(a_cause_that_rotates_is_found_in_windows)
{
    enum { RANKS = LATE_RANKS, WINDOWS = LATE_STEPS };
    static struct sca_window windows[RANKS][WINDOWS];
    static struct sca_event events[RANKS][WINDOWS];
    static struct sca_op ops[WINDOWS];
    static struct sca_part_sample samples[RANKS][2];
    struct program p = program_new();
    struct sca_verdict v;
    uint32_t run = model_run(p.model, RANKS), site = model_site(p.model, run, p.sum);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(p.model, run, r, site, site, WINDOWS, p.work, WINDOWS * WORK_MS * 1e-3);
        model_work(p.model, run, r, site, site, WINDOWS, p.body, WINDOWS / RANKS * EXTRA_MS * 1e-3);
    }
    const struct sca_ppg *ppg = model_ppg(p.model);
    struct sca_rank *ranks = ppg->runs[run].profile->ranks;
    for (uint32_t w = 0; w < WINDOWS; w++) {
        ops[w] = (struct sca_op){.kind = SCA_OP_COLLECTIVE, .peer = -1, .number = w};
        for (uint32_t r = 0; r < RANKS; r++) {
            uint64_t ms = WORK_MS + (w % RANKS == r ? EXTRA_MS : 0);
            events[r][w] = (struct sca_event){.site = site, .nops = 1, .gap_ns = ms * 1000000};
            windows[r][w] = (struct sca_window){.iteration = w,
                                                .iterations = 1,
                                                .class_total = WINDOWS,
                                                .nevents = 1,
                                                .nops = 1,
                                                .events = &events[r][w],
                                                .ops = &ops[w]};
            ranks[r].windows = windows[r];
            ranks[r].nwindows = WINDOWS;
        }
    }
    uint32_t itself[16];
    for (uint32_t i = 0; i < 16; i++)
        itself[i] = i;
    ppg->runs[run].node_vertex = itself;
    for (uint32_t r = 0; r < RANKS; r++)
        sample_rank(&ranks[r], site, p.work, p.body, samples[r]);
    ck_assert_int_eq(sca_verdict_find(ppg, &program_settings, &v), 0);
    ppg->runs[run].node_vertex = NULL;
    ck_assert_uint_eq(v.report->ncauses, 1);
    const struct sca_report_cause *c = &v.report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_uint_eq(c->nranks, RANKS);
    ck_assert(fabs(c->gain_core_s - RANKS * WINDOWS * EXTRA_MS * 1e-3) < 0.01);
    ck_assert_str_eq(c->path[1].via, "collective");
    program_finish(&p, &v);
}
END_TEST

START_TEST(one_rank_alone_is_no_trouble)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[] = {1};
    program_run(&p, 1, work, none);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert_uint_ge(report->nnotes, 1);
    ck_assert(report->least_gain.known && !report->set_aside);
    ck_assert_double_eq(report->least_gain.min_share, program_settings.min_share);
    program_finish(&p, &v);
}
END_TEST

START_TEST(a_run_without_anything_is_no_trouble)
{
    struct program p = program_new();
    struct sca_verdict v;
    uint32_t run = model_run(p.model, 3);
    model_site(p.model, run, p.sum);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 0);
    ck_assert(isfinite(report->explained_share) && isfinite(report->efficiency[0].parallel));
    program_finish(&p, &v);
}
END_TEST

static void check_account(const struct sca_report_run *run)
{
    const struct sca_report_account *a = &run->account;
    double waits = a->explained_core_s + a->unexplained_core_s + a->disturbed_core_s;
    double parts = a->useful_core_s + a->extra_core_s + a->blocked_core_s + a->awaited_core_s +
                   a->queued_core_s + waits + a->communication_core_s + a->rest_core_s +
                   a->tool_core_s;
    ck_assert(fabs(parts - a->base_core_s) < 1e-3 * a->base_core_s);
    ck_assert(fabs(a->base_core_s - run->ranks * a->duration_s) < 1e-9);
    ck_assert(fabs(waits - run->wait_s) < 1e-9);
}

/* The parts of the account are the whole (issue: within 0.1 %), in every run; the wait states are
 * all of the waits. */
START_TEST(the_account_adds_up)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {0}, sum = 0, charged = 0;
    program_fill(work, 8, 1);
    model_meta(p.model, program_run(&p, 2, work, extra), "oversubscribed", "0");
    extra[3] = 0.7;
    work[5] = 1.2;
    model_meta(p.model, program_run(&p, 8, work, extra), "oversubscribed", "1");
    const struct sca_report *report = program_judge(&p, &v);
    const struct sca_report_account *a = &report->runs[1].account;
    for (uint32_t i = 0; i < report->nruns; i++)
        check_account(&report->runs[i]);
    ck_assert(a->is_virtual && fabs(a->rest_core_s) < 1e-3 * a->base_core_s);
    ck_assert(a->explained_core_s > 0.9 * report->runs[1].wait_s);
    for (uint32_t i = 0; i < report->nwaits; i++) {
        const struct sca_report_wait *w = &report->waits[i];
        sum += w->wait_core_s;
        charged += w->direct_core_s + w->indirect_core_s;
        ck_assert_str_eq(w->wait_class, "wait-at-nxn");
        ck_assert_uint_eq(w->vertex, p.sum);
    }
    ck_assert(fabs(sum - report->runs[1].wait_s) < 1e-6);
    ck_assert(fabs(charged - a->explained_core_s) < 1e-6);
    program_finish(&p, &v);
}
END_TEST

SCA_SUITE("verdict", a_balanced_program_has_no_cause, busy_cores_are_not_a_cause,
          extra_work_on_one_rank_is_its_loop, few_samples_of_several_ranks_count_together,
          asking_for_a_number_is_no_collective, a_loop_of_two_calls_is_named,
          work_of_rank_0_alone_is_serial, more_work_of_rank_0_is_an_imbalance,
          work_instead_of_other_work_is_no_cause, an_undivided_loop_is_nonscalable,
          an_imbalance_does_not_grow_what_is_around_it, symptoms_add_up_to_the_cost,
          runs_that_stop_by_time_are_compared_per_step, fewer_steps_by_a_rule_do_not_stop_by_time,
          a_growing_problem_with_a_divided_loop_has_no_cause,
          what_all_are_slower_by_is_no_growth_of_one_line,
          causes_that_hide_each_other_are_both_named, edges_with_more_work_are_one_cause,
          the_chain_follows_the_messages, a_cause_that_rotates_is_found_in_windows,
          one_rank_alone_is_no_trouble, a_run_without_anything_is_no_trouble, the_account_adds_up)
