/* Which vertex is named: the deepest that has it, the loop around what is spread over it. */
#include "findings/finding.h"
#include "findings/named_place.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

#include <string.h>

static struct program p;
static struct measured d;
static double weight[64], inclusive[64];
static bool flagged[64];
static uint32_t out[64];

static void open_program(void)
{
    p = program_new();
    program_run(&p, 2, (double[]){1, 1}, (double[]){1, 1});
    d = measured_open(p.model);
}

static void close_program(void)
{
    measured_close(&d);
}

static void set(uint32_t v, double w, double all)
{
    flagged[v] = true;
    weight[v] = w;
    inclusive[v] = all;
}

static bool always(void *context, uint32_t a, uint32_t b)
{
    return context || a || b;
}

static bool never(void *context, uint32_t a, uint32_t b)
{
    return context && a && b;
}

static uint32_t carriers(bool (*alike)(void *, uint32_t, uint32_t))
{
    return sca_named_place_carriers(&d.space, d.ppg, d.ends, flagged, weight, inclusive, alike,
                                    NULL, out);
}

START_TEST(nothing_flagged_carries_nothing)
{
    ck_assert_uint_eq(carriers(always), 0);
}
END_TEST

START_TEST(a_part_that_has_nearly_all_is_it)
{
    set(p.step, 1, 4);
    set(p.extra, 0.81, 1);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.extra);
}
END_TEST

/* From half on, what is left over is less than what was found. */
START_TEST(a_part_that_has_less_than_half_is_not)
{
    set(p.step, 1, 4);
    set(p.extra, 0.51, 1);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.extra);
    set(p.extra, 0.49, 1);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.step);
}
END_TEST

START_TEST(what_is_spread_over_a_loop_alike_is_the_loops)
{
    set(p.step, 1, 2);
    set(p.work, 0.5, 1);
    set(p.extra, 0.45, 0.9);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.step);
}
END_TEST

START_TEST(parts_of_other_ranks_stand_for_themselves)
{
    set(p.step, 1, 2);
    set(p.work, 0.5, 1);
    set(p.extra, 0.45, 0.9);
    ck_assert_uint_eq(carriers(never), 2);
    ck_assert_uint_eq(out[0], p.work);
    ck_assert_uint_eq(out[1], p.extra);
}
END_TEST

/* 1.5 of the 2 seconds are less than four fifths. */
START_TEST(a_loop_that_does_more_beside_them_is_not_it)
{
    set(p.step, 1, 2);
    set(p.work, 0.5, 0.8);
    set(p.extra, 0.45, 0.7);
    ck_assert_uint_eq(carriers(always), 2);
}
END_TEST

/* Of a nest that does not communicate the innermost with all of it. */
START_TEST(of_a_nest_the_inner_one_needs_nearly_all)
{
    set(p.extra, 1, 1);
    set(p.body, 0.79, 0.79);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.extra);
    set(p.body, 0.81, 0.81);
    ck_assert_uint_eq(carriers(always), 1);
    ck_assert_uint_eq(out[0], p.body);
}
END_TEST

START_TEST(code_is_named_by_a_loop_that_does_not_communicate)
{
    ck_assert(sca_named_place_is_nest(d.ppg, d.ends, p.extra));
    ck_assert(!sca_named_place_is_nest(d.ppg, d.ends, p.step));
    ck_assert(!sca_named_place_is_nest(d.ppg, d.ends, p.branch));
    ck_assert(sca_named_place_calls_mpi(d.ppg, d.ends, p.step) &&
              sca_named_place_calls_mpi(d.ppg, d.ends, p.sum));
    ck_assert(!sca_named_place_calls_mpi(d.ppg, d.ends, p.branch));
    ck_assert_uint_eq(sca_named_place_of(d.ppg, d.ends, p.body), p.extra);
    ck_assert_uint_eq(sca_named_place_of(d.ppg, d.ends, p.branch), p.branch);
    ck_assert_uint_eq(sca_named_place_of(d.ppg, d.ends, p.work), p.work);
}
END_TEST

/* A loop that asks for its rank in each round communicates with nobody. */
START_TEST(what_mpi_answers_by_itself_is_no_communication)
{
    struct model *model = model_new();
    uint32_t asks = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    model_vertex(model, asks, SCA_MPI, "MPI_Comm_rank", "main", 11);
    uint32_t meets = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    model_vertex(model, meets, SCA_MPI, "MPI_Barrier", "main", 21);
    const struct sca_ppg *ppg = model_ppg(model);
    uint32_t ends[5];
    sca_ppg_ends(ppg, ends);
    ck_assert(!sca_named_place_calls_mpi(ppg, ends, asks));
    ck_assert(sca_named_place_is_nest(ppg, ends, asks));
    ck_assert(sca_named_place_calls_mpi(ppg, ends, meets));
    ck_assert(!sca_named_place_is_nest(ppg, ends, meets));
    model_free(model);
}
END_TEST

START_TEST(categories_have_their_names_in_reports)
{
    ck_assert_str_eq(sca_finding_category_name(SCA_CAUSE_IMBALANCE), "imbalance");
    ck_assert_str_eq(sca_finding_category_name(SCA_CAUSE_SERIAL), "serial");
    ck_assert_str_eq(sca_finding_category_name(SCA_CAUSE_NONSCALABLE), "nonscalable");
    ck_assert_str_eq(sca_finding_category_name(SCA_CAUSE_COMMUNICATION), "communication");
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {nothing_flagged_carries_nothing,
                                  a_part_that_has_nearly_all_is_it,
                                  a_part_that_has_less_than_half_is_not,
                                  what_is_spread_over_a_loop_alike_is_the_loops,
                                  parts_of_other_ranks_stand_for_themselves,
                                  a_loop_that_does_more_beside_them_is_not_it,
                                  of_a_nest_the_inner_one_needs_nearly_all,
                                  code_is_named_by_a_loop_that_does_not_communicate,
                                  what_mpi_answers_by_itself_is_no_communication,
                                  categories_have_their_names_in_reports};
    Suite *suite = suite_create("finding");
    TCase *tcase = tcase_create("finding");
    tcase_add_checked_fixture(tcase, open_program, close_program);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
