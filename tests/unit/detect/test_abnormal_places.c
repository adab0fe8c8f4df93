/* A place whose samples are too few: exact times say that a rank takes too long, samples where. */
#include "imbalance/abnormal_places.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3 };

static struct program p;
static struct measured d;

/* Of two loops between the same calls the slow rank has that much more than the others' one second
 * and five; so many samples a second. */
static void measure(double work, double extra, double hz)
{
    double more[RANKS], rest[RANKS];
    program_fill(more, RANKS, 1);
    program_fill(rest, RANKS, 5);
    more[SLOW] += work;
    rest[SLOW] += extra;
    p = program_new();
    program_run(&p, RANKS, more, rest);
    model_rare(p.model, 0, SCA_NONE, hz);
    d = measured_open(p.model);
}

static bool is_proven(uint32_t vertex, struct sca_abnormal *out)
{
    const struct sca_abnormal_limits limits = {1, 0, INFINITY};
    return sca_abnormal_places_judge(&d.space, &d.m[0], d.ends, &vertex, 1, &limits, out);
}

START_TEST(exact_times_prove_what_few_samples_cannot)
{
    struct sca_abnormal a;
    measure(2, 0, 1);
    ck_assert(!sca_abnormal_judge(&d.space, &d.m[0], d.ends, &p.work, 1, 1, &a));
    ck_assert(is_proven(p.work, &a));
    ck_assert_double_eq_tol(a.around, 2, 0.05);
    ck_assert_uint_eq(a.nranks, 1);
    ck_assert_uint_eq(a.ranks[0], SLOW);
    ck_assert_double_eq_tol(a.excess, 2, 1e-6);
    ck_assert_double_eq_tol(a.ratio, 3, 1e-6);
    ck_assert(!is_proven(p.extra, &a));
    measured_close(&d);
}
END_TEST

START_TEST(many_samples_prove_it_themselves)
{
    struct sca_abnormal a;
    measure(2, 0, 100);
    ck_assert(is_proven(p.work, &a));
    ck_assert_double_eq(a.around, 0);
    measured_close(&d);
}
END_TEST

/* Both loops have half of it: the loop around them is all that is known. */
START_TEST(what_is_spread_over_two_places_is_at_neither)
{
    struct sca_abnormal a;
    measure(1, 1, 1);
    ck_assert(!is_proven(p.work, &a));
    ck_assert(!is_proven(p.extra, &a));
    ck_assert(is_proven(p.step, &a));
    ck_assert_double_eq_tol(a.excess, 2, 1e-6);
    measured_close(&d);
}
END_TEST

static const struct sca_abnormal *at_work(double least)
{
    struct sca_abnormals known;
    const struct sca_abnormal_limits limits = {1, least, INFINITY};
    sca_abnormal_find(&d.space, &d.m[0], d.ends, &limits, &known);
    return sca_abnormal_places(&d.space, &d.m[0], d.ends, &known)[p.work];
}

/* All would wait 16 core-seconds. */
START_TEST(places_that_are_worth_it_are_listed)
{
    measure(2, 0, 1);
    const struct sca_abnormal *a = at_work(15);
    ck_assert_ptr_nonnull(a);
    ck_assert_double_eq_tol(sca_abnormal_places_excess(&d.space, &d.m[0], a, p.work), 2, 1e-6);
    ck_assert_ptr_null(at_work(17));
    measured_close(&d);
}
END_TEST

SCA_SUITE("abnormal_places", exact_times_prove_what_few_samples_cannot,
          many_samples_prove_it_themselves, what_is_spread_over_two_places_is_at_neither,
          places_that_are_worth_it_are_listed)
