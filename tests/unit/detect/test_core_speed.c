/* How slow a rank's core is, told by what it computes elsewhere. */
#include "measure/core_speed.h"
#include "measured.h"
#include "check_main.h"

#include <stdlib.h>

START_TEST(half_of_the_weight_is_the_middle)
{
    struct sca_weighted list[] = {{3, 1}, {1, 1}, {2, 4}};
    ck_assert_double_eq(sca_weighted_quantile(list, 3, 6, 0.5), 2);
    struct sca_weighted light[] = {{1, 1}, {2, 1}};
    ck_assert_double_eq(sca_weighted_quantile(light, 2, 2, 0.5),
                        1); /* the lower one of two alike */
    struct sca_weighted heavy[] = {{5, 10}, {1, 1}, {2, 1}};
    ck_assert_double_eq(sca_weighted_quantile(heavy, 3, 12, 0.5), 5);
}
END_TEST

START_TEST(of_nothing_it_is_one)
{
    struct sca_weighted none[1];
    ck_assert_double_eq(sca_weighted_quantile(none, 0, 0, 0.5), 1);
}
END_TEST

/* Four ranks with a loop that is judged and another; rank 1 takes `slow` times as long for the
 * other, of which all else have `other` seconds. */
static double factor(double slow, double other, double hz)
{
    struct model *model = model_new();
    uint32_t judged = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    uint32_t beside = model_vertex(model, 0, SCA_LOOP, "", "main", 20);
    uint32_t sum = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 30);
    uint32_t run = model_run(model, 4), site = model_site(model, run, sum);
    for (uint32_t r = 0; r < 4; r++) {
        model_work(model, run, r, site, site, 10, judged, r == 1 ? 4 : 2);
        model_work(model, run, r, site, site, 10, beside, r == 1 ? slow * other : other);
    }
    model_rare(model, run, 1, hz);
    struct measured d = measured_open(model);
    struct sca_within place = {.ends = d.ends, .vertices = &judged, .nvertices = 1};
    struct sca_weighted *working = calloc(d.ppg->nvertices, sizeof *working);
    double found = sca_core_speed_factor(&d.m[run], 1, &place, working);
    free(working);
    measured_close(&d);
    return found;
}

START_TEST(a_core_is_as_slow_as_elsewhere)
{
    ck_assert_double_eq_tol(factor(1.2, 2, 1000), 1.2, 1e-6);
    ck_assert_double_eq_tol(factor(1, 2, 1000), 1, 1e-6);
}
END_TEST

/* A faster one counts as a usual one, and none is slower than cores are. */
START_TEST(it_stays_in_its_bounds)
{
    ck_assert_double_eq(factor(0.5, 2, 1000), 1);
    ck_assert_double_eq(factor(3, 2, 1000), SCA_MOST_CORE_SPEED);
}
END_TEST

/* A tenth of its work must be elsewhere: 0.4 s of 4.4 s is less. */
START_TEST(too_little_elsewhere_tells_nothing)
{
    ck_assert_double_eq(factor(1, 0.4, 1000), 0);
    ck_assert_double_gt(factor(1, 0.5, 1000), 0);
}
END_TEST

/* In two seconds, 18 samples and 20. */
START_TEST(too_few_samples_tell_nothing)
{
    ck_assert_double_eq(factor(1, 2, 9), 0);
    ck_assert_double_gt(factor(1, 2, 10), 0);
}
END_TEST

START_TEST(a_quarter_of_the_weight_is_the_quartile)
{
    struct sca_weighted list[] = {{3, 2}, {1, 1}, {2, 1}};
    ck_assert_double_eq(sca_weighted_quantile(list, 3, 4, 0.25), 1);
    ck_assert_double_eq(sca_weighted_quantile(list, 3, 4, 0.3), 2);
    ck_assert_double_eq(sca_weighted_quantile(list, 3, 4, 0.75), 3);
}
END_TEST

SCA_SUITE("core_speed", a_quarter_of_the_weight_is_the_quartile, half_of_the_weight_is_the_middle,
          of_nothing_it_is_one, a_core_is_as_slow_as_elsewhere, it_stays_in_its_bounds,
          too_little_elsewhere_tells_nothing, too_few_samples_tell_nothing)
