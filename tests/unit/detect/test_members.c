/* Which ranks belong to those that a place is abnormal on, and whether another run agrees: by
 * samples, by exact times, by both. */
#include "verdict_program.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rank 5 needs as long as the two others between the same calls. Of its five samples one and a half
 * fell on the loop: too few to prove anything. */
START_TEST(exact_times_name_a_rank_that_was_hardly_sampled)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8] = {0};
    program_fill(work, 8, 1);
    extra[2] = extra[3] = 0.5;
    work[5] = 1.1;
    extra[5] = 0.4;
    model_rare(p.model, program_run(&p, 8, work, extra), 5, 3.5);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    const struct sca_report_cause *c = &report->causes[0];
    ck_assert_uint_eq(c->vertex, p.extra);
    ck_assert_uint_eq(c->nranks, 3);
    ck_assert_uint_eq(c->ranks[0], 2);
    ck_assert_uint_eq(c->ranks[1], 3);
    ck_assert_uint_eq(c->ranks[2], 5);
    ck_assert_double_ge(c->gain_core_s, 8 * 0.35);
    program_finish(&p, &v);
}
END_TEST

/* Half of the ranks, so that the median of all is half theirs; one of them was sampled `hz` times a
 * second, and the whole interval takes them 1.2 times as long only. */
static void find_the_odd_ranks(double hz)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    program_fill(work, 8, 0.6);
    for (int r = 0; r < 8; r++)
        extra[r] = r % 2 ? 0.15 : 0.02;
    model_rare(p.model, program_run(&p, 8, work, extra), 7, hz);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_uint_eq(report->causes[0].nranks, 4);
    ck_assert_uint_eq(report->causes[0].ranks[3], 7);
    ck_assert_double_ge(report->causes[0].gain_core_s, 8 * 0.12);
    program_finish(&p, &v);
}

START_TEST(samples_are_compared_with_normal_ranks)
{
    find_the_odd_ranks(100);
}
END_TEST

START_TEST(samples_and_exact_times_prove_together)
{
    find_the_odd_ranks(25);
}
END_TEST

/* One rank of 8 on shared cores needs half as long again for the loop; in a run of 4 with
 * rare samples rank 2 takes that much longer for the loop, or for something else.
 */
static uint32_t causes_beside(double work_of_4, double extra_of_4, double hz)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    program_fill(work, 8, 1);
    program_fill(extra, 8, 0.3);
    work[2] = work_of_4;
    extra[2] = extra_of_4;
    uint32_t few = program_run(&p, 4, work, extra);
    model_rare(p.model, few, SCA_NONE, hz);
    model_meta(p.model, few, "oversubscribed", "1");
    work[2] = 1.5;
    extra[2] = 0.3;
    model_meta(p.model, program_run(&p, 8, work, extra), "oversubscribed", "1");
    const struct sca_report *report = program_judge(&p, &v);
    uint32_t ncauses = report->ncauses;
    if (ncauses) {
        ck_assert_uint_eq(report->causes[0].vertex, p.work);
        ck_assert_uint_eq(report->causes[0].nranks, 1);
        ck_assert_uint_eq(report->causes[0].ranks[0], 2);
    }
    program_finish(&p, &v);
    return ncauses;
}

START_TEST(exact_times_of_another_run_bear_out_a_line)
{
    ck_assert_uint_eq(causes_beside(1.5, 0.3, 10), 1);
}
END_TEST

START_TEST(another_run_without_it_does_not)
{
    ck_assert_uint_eq(causes_beside(1, 0.3, 10), 0);
}
END_TEST

START_TEST(another_run_that_is_late_for_another_line_does_not)
{
    ck_assert_uint_eq(causes_beside(1, 0.8, 100), 0);
}
END_TEST

/* In the largest run rank 5 has thirteen samples in two lines, of which two thirds of what it
 * takes longer are in the right one, and exact times that say how much that is. The run of 4 ranks
 * was sampled often. */
static void tell_by_another(uint32_t late_there, uint32_t told)
{
    struct program p = program_new();
    struct sca_verdict v;
    double work[8], extra[8];
    program_fill(work, 8, 0.5);
    program_fill(extra, 8, 0.5);
    work[late_there] = 1.1;
    program_run(&p, 4, work, extra);
    work[late_there] = 0.5;
    work[5] = 0.9;
    extra[5] = 0.7;
    model_rare(p.model, program_run(&p, 8, work, extra), SCA_NONE, 8);
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert(report->causes[0].between);
    ck_assert_uint_eq(report->causes[0].vertex, told ? p.work : p.step);
    ck_assert_uint_eq(report->causes[0].ranks[0], 5);
    ck_assert_double_eq_tol(report->causes[0].gain_core_s, 8 * 0.6, 0.1);
    program_finish(&p, &v);
}

START_TEST(another_run_tells_the_line_of_an_interval)
{
    tell_by_another(2, 1); /* at the same part of the way */
}
END_TEST

START_TEST(another_run_with_other_ranks_does_not)
{
    tell_by_another(0, 0);
}
END_TEST

static bool is_noted(const struct sca_report *report, const char *words)
{
    for (uint32_t i = 0; i < report->nnotes; i++)
        if (strstr(report->notes[i], words))
            return true;
    return false;
}

/* A loop of two calls with a loop before each: rank 2 takes four times as long for both. */
START_TEST(a_loop_around_calls_is_told_by_its_parts)
{
    struct program p = program_new();
    struct sca_verdict v;
    uint32_t bcast = model_vertex(p.model, p.step, SCA_MPI, "MPI_Bcast", "main", 40);
    uint32_t run = model_run(p.model, 8), sum = model_site(p.model, run, p.sum);
    uint32_t site = model_site(p.model, run, bcast);
    for (uint32_t r = 0; r < 8; r++) {
        double times = r == 2 ? 4 : 1;
        model_work(p.model, run, r, 0, sum, 1, p.work, 0.006 * times);
        model_work(p.model, run, r, site, sum, 99, p.work, 0.594 * times);
        model_work(p.model, run, r, sum, site, 100, p.body, 0.4 * times);
        model_collective(p.model, run, r, sum, -1, 100);
        model_collective(p.model, run, r, site, 0, 100);
    }
    const struct sca_report *report = program_judge(&p, &v);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.step);
    ck_assert(is_noted(report, "Cause 1 covers several places: 60 % "));
    ck_assert(is_noted(report, "main, 40 % "));
    program_finish(&p, &v);
}
END_TEST

SCA_SUITE("members", exact_times_name_a_rank_that_was_hardly_sampled,
          samples_are_compared_with_normal_ranks, samples_and_exact_times_prove_together,
          exact_times_of_another_run_bear_out_a_line, another_run_without_it_does_not,
          another_run_that_is_late_for_another_line_does_not,
          another_run_tells_the_line_of_an_interval, another_run_with_other_ranks_does_not,
          a_loop_around_calls_is_told_by_its_parts)
