/* What ranks have too much at a place, interval by interval. */
#include "imbalance/interval_excess.h"
#include "measured.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 4, SAMPLES = 100 };

static struct script *s;
static struct measured d;
static uint32_t compute, extra, even, odd, ranks[] = {1, 3};

/* Odd ranks compute 1 s and 2 s too many between calls of their own, of which samples put `seen`
 * at the place; even ranks compute 1 s between others. `alike`: all between the same calls. */
static void begin(double seen, bool alike)
{
    s = script_new(RANKS);
    compute = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    extra = model_vertex(s->model, 0, SCA_LOOP, "", "main", 12);
    odd = script_site(s, "MPI_Send", 20);
    even = alike ? odd : script_site(s, "MPI_Recv", 30);
    for (uint32_t r = 0; r < RANKS; r++) {
        uint32_t site = r % 2 ? odd : even;
        model_work(s->model, s->run, r, site, site, SAMPLES, compute, r % 2 ? 3 - seen : 1);
        if (r % 2)
            model_work(s->model, s->run, r, site, site, SAMPLES, extra, seen);
    }
    d = measured_open(s->model);
}

static struct sca_interval_excess find(void)
{
    const struct sca_finding c = {
        .vertex = extra, .nvertices = 1, .vertices = &extra, .nranks = 2, .ranks = ranks};
    return sca_interval_excess_find(&d.space, &d.m[0], d.ends, &c);
}

static void finish(void)
{
    measured_close(&d);
    free(s);
}

static void check_cuts(const struct sca_interval_excess *excess)
{
    uint32_t number = sca_intervals_number(&d.m[0].run->intervals, odd, odd);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(excess->first_cut[i + 1], i + 1);
        ck_assert_uint_eq(excess->cuts[i].interval, number);
        ck_assert_double_eq_tol(excess->cuts[i].seconds, excess->seconds[i], 1e-9);
    }
}

/* Samples see 1.6 s of the 2 that exact times prove: nearer to the exact ones the better they are
 * told. */
START_TEST(exact_times_and_samples_together)
{
    for (int alike = 0; alike < 2; alike++) { /* ranks of other calls run the same code */
        begin(1.6, alike);
        struct sca_interval_excess excess = find();
        ck_assert_double_gt(excess.seconds[0], 1.6);
        ck_assert_double_lt(excess.seconds[0], 2);
        ck_assert_double_gt(excess.error[0], 0);
        ck_assert_double_lt(excess.error[0], 0.3);
        check_cuts(&excess);
        finish();
    }
}
END_TEST

START_TEST(no_more_than_exact_times_prove)
{
    begin(2.6, true); /* the place is instead of other work */
    struct sca_interval_excess excess = find();
    ck_assert_double_ge(excess.seconds[1], 2);
    ck_assert_double_lt(excess.seconds[1], 2.2);
    finish();
}
END_TEST

/* A tenth of what is too much is seen there: the rest is somebody else's. */
START_TEST(a_small_part_is_all_it_has)
{
    begin(0.2, true);
    struct sca_interval_excess excess = find();
    ck_assert_double_eq_tol(excess.seconds[0], 0.2, 1e-6);
    finish();
}
END_TEST

START_TEST(scaled_by_rank)
{
    struct sca_cut cuts[] = {{0, 1}, {1, 3}, {0, 5}};
    sca_interval_excess_scale(cuts, (uint32_t[]){0, 2}, 2);
    ck_assert_double_eq(cuts[0].seconds, 0.5);
    ck_assert_double_eq(cuts[1].seconds, 1.5);
    ck_assert_double_eq(cuts[2].seconds, 5);
    sca_interval_excess_scale(cuts, (uint32_t[]){2, 3}, -1);
    ck_assert_double_eq(cuts[2].seconds, 0);
}
END_TEST

SCA_SUITE("interval_excess", exact_times_and_samples_together, no_more_than_exact_times_prove,
          a_small_part_is_all_it_has, scaled_by_rank)
