/* Whose samples divide a rank's time in an interval. */
#include "apportion/rank_samples.h"
#include "check_main.h"

enum { SITES = 2, HERE = 2, THERE, MOST = 8 };

static struct sca_intervals numbers;
static struct sca_part_sample list[MOST];
static uint32_t node_vertex[] = {0, 1, HERE, THERE};
static struct sca_rank rank;
static struct sca_rank_samples samples;

static void sample(uint32_t node, uint16_t thread, uint64_t count)
{
    list[rank.nsamples++] = (struct sca_part_sample){
        .node = node, .previous = 1, .next = 1, .thread = thread, .count = count};
}

static void helped(double seconds)
{
    list[rank.nsamples++] = (struct sca_part_sample){.previous = 1,
                                                     .next = 1,
                                                     .in_mpi = SCA_SAMPLE_HELPED,
                                                     .count = 1,
                                                     .length_ns = (uint64_t)(seconds * 1e9)};
}

static void begin(void)
{
    rank = (struct sca_rank){.sample = list, .sample_period_ns = 10000000, .sample_worth = 1};
    samples = (struct sca_rank_samples){0};
    ck_assert_int_eq(sca_intervals_open_joined(&numbers, SITES), 0);
}

/* The part of the interval's time that a vertex gets. */
static double part_at(uint32_t vertex, double seconds)
{
    const double per_interval[SITES] = {0, seconds};
    double all = 0, here = 0;
    ck_assert_int_eq(sca_rank_samples_take(&samples, &numbers, &rank, node_vertex, per_interval),
                     0);
    for (size_t i = 0; i < samples.nown; i++) {
        all += samples.own[i].count;
        here += samples.own[i].vertex == vertex ? samples.own[i].count : 0;
    }
    return all > 0 ? here / all : 0;
}

static void end(void)
{
    sca_rank_samples_free(&samples);
    sca_intervals_free(&numbers);
}

START_TEST(what_runs_beside_makes_nothing_longer)
{
    begin();
    sample(HERE, 0, 100);
    sample(THERE, 1, 100);
    helped(0); /* it says that it waited for nobody */
    ck_assert_double_eq_tol(part_at(HERE, 1), 1, 1e-9);
    end();
}
END_TEST

START_TEST(a_wait_is_divided_by_those_who_were_waited_for)
{
    begin();
    sample(HERE, 0, 55); /* half a second, by its samples 0.55 */
    sample(THERE, 1, 90);
    helped(0.5);
    ck_assert_double_eq_tol(part_at(THERE, 1), 0.5, 1e-9);
    end();
}
END_TEST

START_TEST(the_busiest_thread_is_waited_for)
{
    begin();
    sample(HERE, 0, 50);
    sample(HERE, 1, 20);
    sample(THERE, 2, 100);
    helped(0.5);
    ck_assert_double_eq_tol(part_at(THERE, 1), 0.5, 1e-9);
    ck_assert_double_eq_tol(samples.own[0].beside, 0, 1e-9);
    end();
}
END_TEST

START_TEST(threads_in_turn_are_waited_for_together)
{
    begin();
    sample(HERE, 1, 30);
    sample(THERE, 2, 30);
    helped(0.6);
    ck_assert_double_eq_tol(part_at(THERE, 0.6), 0.5, 1e-9);
    end();
}
END_TEST

START_TEST(older_runs_leave_what_the_first_threads_samples_do_not_cover)
{
    begin();
    sample(HERE, 0, 50);
    sample(THERE, 1, 100);
    ck_assert_double_eq_tol(part_at(THERE, 1), 0.5, 1e-9);
    end();
}
END_TEST

SCA_SUITE("rank_samples", what_runs_beside_makes_nothing_longer,
          a_wait_is_divided_by_those_who_were_waited_for, the_busiest_thread_is_waited_for,
          threads_in_turn_are_waited_for_together,
          older_runs_leave_what_the_first_threads_samples_do_not_cover)
