/* What ranks take for a few instances in a row. */
#include "imbalance/instance_level.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4, STEPS = 8 };

/* What is lost where the ranks' medians differ by more than 1.4. */
static double loss(double (*seconds)(uint32_t rank, uint32_t step), uint32_t steps)
{
    struct script *s = script_new(RANKS);
    uint32_t work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t site = script_site(s, "MPI_Barrier", 20);
    struct played p;
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < steps; i++) {
            script_collective(s, r, seconds(r, i), site, SCA_ALL_TO_ALL, -1, i);
            model_work(s->model, s->run, r, site, site, steps, work, seconds(r, i));
        }
    script_play(s, &p);
    struct sca_long_instances of = sca_long_instances_open(&p.space, &p.traces, RANKS);
    double lost = sca_instance_level_loss(&of, site, site, 1.4);
    script_end(s, &p);
    return lost;
}

static double scattering(uint32_t rank, uint32_t step, double mean, double by)
{
    return mean * (1 + ((rank + step) % 2 ? by : -by));
}

static double steady(uint32_t rank, uint32_t step)
{
    return scattering(rank, step, rank == 1 ? 1.6 : 1, 0.005);
}

static double less(uint32_t rank, uint32_t step)
{
    return scattering(rank, step, rank == 1 ? 1.4 : 1, 0.005);
}

static double wild(uint32_t rank, uint32_t step)
{
    return scattering(rank, step, rank == 1 ? 1.6 : 1, 0.3);
}

static double in_turn(uint32_t rank, uint32_t step)
{
    return step % RANKS == rank ? 1.6 : 1;
}

START_TEST(what_stays_in_a_window_is_lost)
{
    ck_assert_double_eq_tol(loss(steady, STEPS), 0.6 * 0.995 * RANKS * STEPS, 1e-6);
}
END_TEST

START_TEST(what_is_less_than_the_ratio_is_not)
{
    ck_assert_double_eq(loss(less, STEPS), 0);
}
END_TEST

/* The same, and instances that differ by more than that. */
START_TEST(nor_what_scatters_as_much)
{
    ck_assert_double_eq(loss(wild, STEPS), 0);
}
END_TEST

START_TEST(nor_what_falls_on_each_once)
{
    ck_assert_double_eq(loss(in_turn, STEPS), 0);
}
END_TEST

/* The first three in a row belong together, as all seven that follow do. */
static double steady_from_four(uint32_t rank, uint32_t step)
{
    return step < 3 ? 1 + 0.001 * rank : steady(rank, step);
}

START_TEST(single_ones_of_another_kind_do_no_harm)
{
    ck_assert_double_eq_tol(loss(steady_from_four, STEPS), 0.6 * 0.995 * RANKS * 4, 0.02);
}
END_TEST

START_TEST(two_in_a_row_tell_it)
{
    ck_assert_double_gt(loss(steady, 2), 0.5 * RANKS * 2);
}
END_TEST

START_TEST(one_instance_says_nothing)
{
    ck_assert_double_eq(loss(steady, 1), 0);
}
END_TEST

SCA_SUITE("instance_level", what_stays_in_a_window_is_lost, what_is_less_than_the_ratio_is_not,
          nor_what_scatters_as_much, nor_what_falls_on_each_once,
          single_ones_of_another_kind_do_no_harm, two_in_a_row_tell_it, one_instance_says_nothing)
