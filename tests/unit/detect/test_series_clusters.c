/* Iterations with the same calls and similar times share a cluster, and clusters give the series
 * back. */
#include "check_main.h"
#include "series/clusters.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 512 };

static const uint32_t plain = 0x243f6a88, round_of_solver = 0x9e3779b9, checkpoint = 0xb7e15162,
                      picture = 0x5bd1e995;

static struct sca_series_point points[MOST];
static struct sca_workspace space;
static struct sca_series_clusters clusters;
static unsigned short dice[3];

static double noise(double width)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += erand48(dice) - 0.5;
    return 1 + width * sum;
}

/* Of iteration i, from 1 on. */
typedef double (*times)(uint32_t i);
typedef uint32_t (*kinds)(uint32_t i);

static void make(times takes, kinds kind, uint32_t n, double width)
{
    dice[0] = dice[1] = dice[2] = 1;
    for (uint32_t i = 0; i < n; i++) {
        double s = 1e-3 * takes(i + 1) * noise(width);
        points[i] = (struct sca_series_point){
            .number = i + 1, .iterations = 1, .kind = kind(i + 1), .span = s};
        points[i].own = (struct sca_series_spread){s, s, s, s};
    }
    sca_series_clusters_find(&space, points, n, &clusters);
}

static double alike(uint32_t i)
{
    return i ? 1 : 1;
}

static double every_16th(uint32_t i)
{
    return i % 16 ? 1 : 3;
}

static double grows(uint32_t i)
{
    return 1 + i / 20.;
}

static uint32_t other_calls_in_80th(uint32_t i)
{
    return i % 80 ? 1 : 2;
}

START_TEST(similar_iterations_share_a_cluster)
{
    make(every_16th, other_calls_in_80th, 320, 0.1);
    ck_assert_uint_le(clusters.n, 8);
    ck_assert_uint_ge(clusters.cluster[0].iterations, 250);
    ck_assert_int_eq(clusters.of[15], clusters.of[31]);
    ck_assert_int_ne(clusters.of[15], clusters.of[14]);
    ck_assert_int_ne(clusters.of[79], clusters.of[15]);
    ck_assert_double_le(clusters.error, 0.1);
    double sum = 0;
    for (uint32_t k = 0; k < clusters.n; k++)
        sum += (double)clusters.cluster[k].iterations;
    ck_assert_double_eq_tol(sum, 320, 1e-9);
}
END_TEST

static uint32_t plain_calls(uint32_t i)
{
    return i ? plain : plain;
}

static uint32_t often;

static double recurs(uint32_t i)
{
    return i % often ? 1 : 2;
}

/* However often they recur, iterations twice as long are no scatter of the others. */
START_TEST(what_recurs_often_has_a_cluster_of_its_own)
{
    for (often = 2; often <= 8; often++) {
        make(recurs, plain_calls, 320, 0.1);
        ck_assert_int_ne(clusters.of[often - 1], clusters.of[often - 2]);
        ck_assert_int_eq(clusters.of[often - 1], clusters.of[2 * often - 1]);
        ck_assert_double_le(clusters.error, 0.1);
    }
}
END_TEST

/* Four of each. */
static uint32_t hundred_kinds(uint32_t i)
{
    return i % 100 * i % 100 * plain + (i % 100) * (i % 100) * (i % 100) * round_of_solver;
}

START_TEST(clusters_are_at_most_64)
{
    make(alike, hundred_kinds, 400, 0.1);
    ck_assert_uint_eq(clusters.n, SCA_MOST_CLUSTERS);
}
END_TEST

static uint32_t same_calls(uint32_t i)
{
    return i ? plain : plain;
}

static uint32_t solves_longer(uint32_t i)
{
    return plain + (10 + i / 2) * round_of_solver;
}

static uint32_t solves_longer_and_longer(uint32_t i)
{
    return plain + (10 + i * i / 7) * round_of_solver;
}

/* More rounds of a solver are the same calls, more often: as if the work itself grew. */
START_TEST(how_often_calls_come_round_is_no_kind)
{
    for (uint32_t n = 80; n <= 320; n *= 2) {
        make(grows, same_calls, n, 0.02);
        uint32_t wanted = clusters.n;
        ck_assert_uint_le(wanted, 20);
        make(grows, solves_longer, n, 0.02);
        ck_assert_uint_eq(clusters.n, wanted);
        ck_assert_double_le(clusters.error, 0.05);
        make(grows, solves_longer_and_longer, n, 0.02);
        ck_assert_uint_eq(clusters.n, wanted);
    }
}
END_TEST

/* Messages are looked for a thousand times, or ten thousand times. */
static uint32_t polls(uint32_t i)
{
    return plain + (uint32_t)(1000 + i * 7919u % 10007) * round_of_solver;
}

START_TEST(numbers_of_polls_are_no_kinds)
{
    make(alike, polls, 60, 0.02);
    ck_assert_uint_eq(clusters.n, 1);
    make(every_16th, polls, 400, 0.02);
    ck_assert_uint_eq(clusters.n, 2);
}
END_TEST

static uint32_t writes_two_things(uint32_t i)
{
    return plain + (i % 16 ? 0 : checkpoint) + (i % 10 ? 0 : picture);
}

START_TEST(other_calls_are_other_kinds)
{
    make(alike, writes_two_things, 400, 0.02);
    ck_assert_uint_eq(clusters.n, 4);
}
END_TEST

SCA_SUITE("series_clusters", similar_iterations_share_a_cluster,
          what_recurs_often_has_a_cluster_of_its_own, clusters_are_at_most_64,
          how_often_calls_come_round_is_no_kind, numbers_of_polls_are_no_kinds,
          other_calls_are_other_kinds)
