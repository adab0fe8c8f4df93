/* How fast the ranks' cores are, told by what they compute beside what is judged. */
#include "measure/core_speed.h"
#include "measure/interval_bounds.h"
#include "measured.h"
#include "check_main.h"
#include "base/degrees.h"

enum { RANKS = 8, PHASES = 3, STEPS = 100 };

static struct model *model;
static struct measured d;
static uint32_t work[PHASES], call[PHASES], beside, run, sites[PHASES];
static double factor[RANKS];

/* Phase k: seconds of its loop on each rank, between two calls of its own. */
static void begin(void)
{
    model = model_new();
    for (uint32_t k = 0; k < PHASES; k++) {
        work[k] = model_vertex(model, 0, SCA_LOOP, "", "main", 10 * k + 10);
        call[k] = model_vertex(model, 0, SCA_MPI, "MPI_Allreduce", "main", 10 * k + 15);
    }
    beside = model_vertex(model, 0, SCA_LOOP, "", "main", 50);
    run = model_run(model, RANKS);
    for (uint32_t k = 0; k < PHASES; k++)
        sites[k] = model_site(model, run, call[k]);
}

static void put(uint32_t k, uint32_t vertex, const double *seconds)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, run, r, sites[(k + PHASES - 1) % PHASES], sites[k], STEPS, vertex,
                   seconds[r]);
}

/* The first loop is judged, with all its intervals; `at_place`: only the loop. */
static void tell(bool at_place)
{
    d = measured_open(model);
    const struct sca_within place = {d.ends, &work[0], 1, 0};
    struct sca_interval_bounds bounds = {call[PHASES - 1], SCA_NONE};
    bool *on = sca_interval_bounds_mark(&d.space, &d.m[0], &bounds);
    sca_core_speed_tell(&d.space, &d.m[0], on, at_place ? &place : NULL, factor);
    measured_close(&d);
}

static const double even[RANKS] = {2, 2, 2, 2, 2, 2, 2, 2},
                    slow[RANKS] = {2, 2.4, 2, 2, 2, 2, 2, 2},
                    half[RANKS] = {2.4, 2.4, 2, 2, 2.4, 2, 2, 2.4};

/* What all other code says, and however much is judged. */
START_TEST(a_core_is_as_slow_as_in_all_other_code)
{
    begin();
    put(0, work[0], (double[RANKS]){9, 2, 2, 2, 2, 2, 2, 2});
    put(1, work[1], slow);
    put(2, work[2], slow);
    tell(false);
    ck_assert_double_eq_tol(factor[1], 1.2, 0.02);
    ck_assert_double_eq_tol(factor[0], 1, 0.01);
    ck_assert_double_eq_tol(factor[7], 1, 0.01);
}
END_TEST

/* Cores of two kinds, on which half of the ranks are: each differs from the others by 1.2. */
START_TEST(cores_of_two_kinds_are_told)
{
    begin();
    put(0, work[0], even);
    put(1, work[1], half);
    put(2, work[2], half);
    tell(false);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(factor[r] / factor[2], half[r] / 2, 0.02);
}
END_TEST

/* Of two phases that contradict each other, the one in which all ranks agree is believed. */
START_TEST(what_is_uneven_itself_tells_little)
{
    begin();
    put(0, work[0], even);
    put(1, work[1], even);
    put(2, work[2], (double[RANKS]){3, 1.5, 2, 1.6, 2.9, 2, 2.3, 1.4});
    tell(false);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(factor[r], 1, 0.02);
}
END_TEST

START_TEST(it_stays_in_its_bounds)
{
    begin();
    put(0, work[0], even);
    put(1, work[1], (double[RANKS]){2.75, 1.2, 2, 2, 2, 2, 2, 2});
    tell(false);
    ck_assert_double_gt(factor[0], 1);
    ck_assert_double_le(factor[0], SCA_MOST_CORE_SPEED);
    ck_assert_double_lt(factor[1], 1);
    ck_assert_double_ge(factor[1], 1 / SCA_MOST_CORE_SPEED);
}
END_TEST

/* Half of the ranks have twice as much of the only other phase: that is work, and says nothing of
 * their cores. */
START_TEST(what_no_core_makes_is_no_witness)
{
    begin();
    put(0, work[0], (double[RANKS]){2, 6, 2, 6, 2, 6, 2, 6});
    put(1, work[1], (double[RANKS]){2, 2, 2, 2, 3.9, 3.9, 3.9, 3.9});
    tell(false);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(factor[r], r < 4 ? 1 : 0, 0.01);
}
END_TEST

/* A tenth of what a rank does must be elsewhere, and what a rank does twice as long is other work.
 */
START_TEST(too_little_elsewhere_tells_nothing)
{
    begin();
    put(0, work[0], (double[RANKS]){20, 20, 20, 20, 20, 20, 20, 20});
    put(1, work[1], (double[RANKS]){1, 1, 1, 1, 1, 1, 1, 1});
    tell(false);
    ck_assert_double_eq(factor[0], 0);
    begin();
    put(0, work[0], even);
    put(1, work[1], (double[RANKS]){2, 2, 2, 5, 2, 2, 2, 2});
    tell(false);
    ck_assert_double_eq(factor[3], 0);
    ck_assert_double_eq_tol(factor[2], 1, 0.01);
}
END_TEST

/* Samples tell it apart from the place; with twenty of them at least. */
START_TEST(what_lies_beside_the_place_tells_too)
{
    for (uint32_t few = 0; few < 2; few++) {
        begin();
        put(0, work[0], even);
        put(0, beside, slow);
        model_rare(model, run, SCA_NONE, few ? 9 : 1000);
        tell(true);
        ck_assert(few ? factor[1] == 0 : factor[1] > 1.15 && factor[1] < 1.21);
    }
}
END_TEST

SCA_SUITE("core_speed", a_core_is_as_slow_as_in_all_other_code, cores_of_two_kinds_are_told,
          what_is_uneven_itself_tells_little, it_stays_in_its_bounds,
          what_no_core_makes_is_no_witness, too_little_elsewhere_tells_nothing,
          what_lies_beside_the_place_tells_too)
