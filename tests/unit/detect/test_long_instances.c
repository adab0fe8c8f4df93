/* Which instances of an interval some rank takes long for. */
#include "imbalance/long_instances.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4, STEPS = 8 };

START_TEST(long_is_over_the_limit_however_short)
{
    ck_assert(sca_long_instances_is(1.51, 1, 1.5));
    ck_assert(!sca_long_instances_is(1.5, 1, 1.5));
    ck_assert(sca_long_instances_is(30e-6, 10e-6, 1.5));
    ck_assert(sca_long_instances_is(1, 0, 1.5));
}
END_TEST

/* Ranks 1 and 2 take 3 and 2 s instead of one in the first step, rank 1 3 s in the third. */
static double seconds_of(uint32_t rank, uint32_t step)
{
    if (rank == 1 && (step == 0 || step == 2))
        return 3;
    return rank == 2 && step == 0 ? 2 : 1;
}

static struct script *s;
static struct played p;
static struct sca_long_instances of;

static void count(double limit)
{
    s = script_new(RANKS);
    uint32_t work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < STEPS; i++) {
            script_collective(s, r, seconds_of(r, i), site, SCA_ALL_TO_ALL, -1, i);
            model_work(s->model, s->run, r, site, site, STEPS, work, seconds_of(r, i));
        }
    script_play(s, &p);
    of = sca_long_instances_open(&p.space, &p.traces, RANKS);
    sca_long_instances_count(&of, site, site, limit, NULL);
}

START_TEST(ranks_instances_and_what_they_cost)
{
    count(1.5);
    ck_assert_double_eq_tol(of.excess[1], 4, 1e-6);
    ck_assert_double_eq_tol(of.excess[2], 1, 1e-6);
    ck_assert_double_eq(of.times[1], 2);
    ck_assert_double_eq(of.times[3], 0);
    ck_assert_double_eq(of.sum.rows, STEPS);
    ck_assert_double_eq(of.sum.shown, STEPS);
    ck_assert_double_eq(of.sum.long_rows, 2);
    ck_assert_double_eq(of.sum.members, 2 * RANKS);
    ck_assert_double_eq(of.sum.long_members, 3);
    ck_assert_double_eq_tol(of.sum.loss, (2 + 2) * RANKS, 1e-6);
    ck_assert_double_eq_tol(of.sum.saved_equalised, (3 - 1) + (3 - 1), 1e-6);
    ck_assert_double_eq_tol(of.sum.saved_smoothed, (3 - 7.0 / RANKS) + (3 - 6.0 / RANKS), 1e-6);
    script_end(s, &p);
}
END_TEST

START_TEST(what_is_under_the_limit_is_not_long)
{
    count(4);
    ck_assert_double_eq(of.sum.long_rows, 0);
    ck_assert_double_eq(of.sum.loss, 0);
    script_end(s, &p);
}
END_TEST

SCA_SUITE("long_instances", long_is_over_the_limit_however_short,
          ranks_instances_and_what_they_cost, what_is_under_the_limit_is_not_long)
