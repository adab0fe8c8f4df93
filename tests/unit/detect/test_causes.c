/* What is worth being a cause. */
#include "verdict/causes.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8 };

/* A run that takes so long, where a hundredth is asked for. */
static struct sca_analysis run_of(double duration)
{
    static struct sca_settings settings = {.min_share = 0.01};
    static struct sca_account account;
    account.duration = duration;
    return (struct sca_analysis){.settings = &settings, .accounts = &account};
}

static double least(double duration)
{
    struct sca_analysis c = run_of(duration);
    return sca_causes_least_share(&c);
}

static bool is_short(double duration)
{
    struct sca_analysis c = run_of(duration);
    return sca_causes_is_short(&c);
}

/* 5 ms come by chance: a hundredth of half a second. */
START_TEST(short_runs_must_save_more_than_chance)
{
    ck_assert(!is_short(0.51));
    ck_assert(is_short(0.49));
    ck_assert_double_eq_tol(least(0.51), 0.01, 1e-12);
    ck_assert_double_eq_tol(least(0.25), 0.02, 1e-12);
    ck_assert_double_eq_tol(least(0.004), 1, 1e-12); /* no more than all of it */
    ck_assert_double_eq_tol(least(0), 1, 1e-12); /* nothing was recorded: nothing can be found */
}
END_TEST

static struct program p;
static struct sca_verdict v;

static const struct sca_report *judge(const double *work, const double *extra, uint32_t n)
{
    p = program_new();
    program_run(&p, n, work, extra);
    return program_judge(&p, &v);
}

/* Of ten seconds on each rank a hundredth is 0.1 s. By few samples 0.12 s may be less. */
START_TEST(it_must_save_its_share)
{
    double work[RANKS], extra[RANKS] = {0};
    program_fill(work, RANKS, 10);
    for (int i = 0; i < 3; i++) {
        extra[3] = (double[]){0.09, 0.12, 0.3}[i];
        const struct sca_report *report = judge(work, extra, RANKS);
        ck_assert_uint_eq(report->ncauses, i == 2);
        if (i == 2) {
            const struct sca_report_cause *cause = &report->causes[0];
            ck_assert_uint_eq(cause->vertex, p.extra);
            ck_assert_double_ge(cause->gain_ci[0], 0.1 * RANKS);
            ck_assert_double_lt(cause->gain_ci[0], 0.3 * RANKS);
            ck_assert_double_gt(cause->gain_ci[1], 0.3 * RANKS);
        }
        program_finish(&p, &v);
    }
}
END_TEST

/* One half of the ranks does the one thing and the other half the other, all as long. */
START_TEST(work_of_two_groups_is_no_cause)
{
    double work[RANKS], extra[RANKS];
    for (uint32_t r = 0; r < RANKS; r++) {
        work[r] = r < RANKS / 2 ? 10 : 0;
        extra[r] = r < RANKS / 2 ? 0 : 10;
    }
    ck_assert_uint_eq(judge(work, extra, RANKS)->ncauses, 0);
    program_finish(&p, &v);
    program_fill(extra + RANKS / 2, RANKS / 2, 20); /* only what takes longer is one */
    const struct sca_report *longer = judge(work, extra, RANKS);
    ck_assert_uint_eq(longer->ncauses, 1);
    ck_assert_uint_eq(longer->causes[0].vertex, p.extra);
    program_finish(&p, &v);
    program_fill(work, RANKS, 10); /* beside what all do, the same is one */
    const struct sca_report *report = judge(work, extra, RANKS);
    ck_assert_uint_eq(report->ncauses, 1);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_uint_eq(report->causes[0].nranks, RANKS / 2);
    ck_assert_uint_eq(report->causes[0].ranks[0], RANKS / 2);
    program_finish(&p, &v);
}
END_TEST

/* Two defects on two ranks: ten seconds more of the one and four of the other. Mending the first
 * saves six seconds of each rank, and only then does the other save what is left of ten. The first
 * step has none of the former, so 0.04 s of the latter come on top. */
START_TEST(the_one_that_saves_most_is_first)
{
    double work[RANKS], extra[RANKS];
    program_fill(work, RANKS, 10);
    program_fill(extra, RANKS, 5);
    work[2] = 14;
    extra[5] = 15;
    const struct sca_report *report = judge(work, extra, RANKS);
    ck_assert_uint_eq(report->ncauses, 2);
    ck_assert_uint_eq(report->causes[0].vertex, p.extra);
    ck_assert_uint_eq(report->causes[1].vertex, p.work);
    ck_assert_uint_eq(report->causes[0].ranks[0], 5);
    ck_assert_uint_eq(report->causes[1].ranks[0], 2);
    ck_assert_double_eq_tol(report->causes[0].gain_core_s + report->causes[1].gain_core_s,
                            10.04 * RANKS, 0.01);
    program_finish(&p, &v);
}
END_TEST

START_TEST(one_rank_and_no_work_have_none)
{
    static const double none[RANKS];
    ck_assert_uint_eq(judge((double[]){10}, (double[]){5}, 1)->ncauses, 0);
    program_finish(&p, &v);
    ck_assert_uint_eq(judge(none, none, RANKS)->ncauses, 0);
    program_finish(&p, &v);
}
END_TEST

SCA_SUITE("causes", short_runs_must_save_more_than_chance, it_must_save_its_share,
          work_of_two_groups_is_no_cause, the_one_that_saves_most_is_first,
          one_rank_and_no_work_have_none)
