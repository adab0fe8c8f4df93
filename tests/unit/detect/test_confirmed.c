/* Doubts about what cores may make, and the runs that settle them. */
#include "verdict_program.h"
#include "check_main.h"

/* More in the middle, and what else these ranks do takes longer, too, as if cores made it. */
static const double slow[] = {1, 1.02, 1.3, 1.35, 1.35, 1.3, 1.02, 1};
static const double hill[] = {4, 4.6, 5.4, 5.9, 5.9, 5.4, 4.6, 4};

/* Of a run on eight ranks that share cores, and one on four, if there is one. */
static uint32_t causes_with(const double *work4, const double *extra4)
{
    struct program p = program_new();
    struct sca_verdict verdict;
    if (work4)
        program_run(&p, 4, work4, extra4);
    uint32_t last = program_run(&p, 8, slow, hill);
    for (uint32_t i = 0; i <= last; i++)
        model_meta(p.model, i, "oversubscribed", "1");
    const struct sca_report *report = program_judge(&p, &verdict);
    uint32_t n = report->ncauses;
    if (n) {
        ck_assert_uint_eq(report->causes[0].vertex, p.extra);
        ck_assert_uint_eq(report->causes[0].nranks, 4);
    }
    program_finish(&p, &verdict);
    return n;
}

START_TEST(what_cores_explain_is_a_cause_where_cores_are_alike_in_another_run)
{
    ck_assert_uint_eq(causes_with(NULL, NULL), 0);
    ck_assert_uint_eq(causes_with((double[]){2, 2, 2, 2}, (double[]){8, 13, 13, 8}), 1);
}
END_TEST

START_TEST(a_run_that_has_nothing_of_it_settles_nothing)
{
    ck_assert_uint_eq(causes_with((double[]){2, 2, 2, 2}, (double[]){10, 10, 10, 10}), 0);
}
END_TEST

SCA_SUITE("settled", what_cores_explain_is_a_cause_where_cores_are_alike_in_another_run,
          a_run_that_has_nothing_of_it_settles_nothing)
