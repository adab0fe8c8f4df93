/* Whether another run has what one shows: a comparison of the ranks that correspond with the rest.
 */
#include "confirm/replicate.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 8 };

static struct program p;
static struct measured d;

/* A run of `n` ranks with those seconds of the work; all have a little of the rest. */
static void measure(uint32_t n, const double *work)
{
    double extra[RANKS];
    program_fill(extra, RANKS, 0.01);
    p = program_new();
    program_run(&p, n, work, extra);
    d = measured_open(p.model);
}

/* Of two ranks of a run on eight. */
static struct sca_replicate ask(uint32_t first, uint32_t second)
{
    uint32_t ranks[] = {first, second};
    const struct sca_finding of = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 2, .ranks = ranks};
    struct sca_replicate found = {0};
    ck_assert(sca_replicate_ask(&d.space, &d.m[0], d.ends, &of, RANKS, &found));
    return found;
}

/* Half of four ranks: no median tells which of them are usual. */
START_TEST(ranks_that_are_known_are_compared_with_the_rest)
{
    measure(4, (double[]){12, 10, 10.02, 12.04});
    struct sca_replicate x = ask(0, 7);
    ck_assert_uint_eq(x.ranks[0], 0);
    ck_assert_uint_eq(x.ranks[1], 3);
    ck_assert_double_eq_tol(x.effect, 0.2, 0.01);
    ck_assert_double_eq_tol(x.excess, 4.02, 0.2);
    ck_assert_double_gt(x.effect, 3 * x.error);
    measured_close(&d);
}
END_TEST

START_TEST(other_ranks_are_another_thing)
{
    measure(4, (double[]){10, 12, 12, 10});
    struct sca_replicate x = ask(0, 7);
    ck_assert_double_lt(x.effect, 0);
    measured_close(&d);
}
END_TEST

/* Two groups of two that scatter by as much as they differ. */
START_TEST(what_scatters_says_little)
{
    measure(4, (double[]){13, 9, 13, 11});
    struct sca_replicate x = ask(0, 7);
    ck_assert_double_gt(x.effect, 0.1);
    ck_assert_double_lt(x.effect, 3 * x.error);
    measured_close(&d);
}
END_TEST

/* Ranks 4 and 5 of eight are at the same part of the way as rank 2 of four. */
START_TEST(of_the_manners_the_one_that_shows_most)
{
    measure(4, (double[]){10, 10, 13, 10});
    struct sca_replicate x = ask(4, 5);
    ck_assert_uint_eq(x.ranks[0], 2);
    ck_assert_double_eq_tol(x.effect, 0.3, 0.01);
    measured_close(&d);
}
END_TEST

START_TEST(all_ranks_say_nothing)
{
    measure(1, (double[]){10});
    const struct sca_finding of = {
        .nvertices = 1, .vertices = &p.work, .nranks = 1, .ranks = (uint32_t[]){0}};
    struct sca_replicate found;
    ck_assert(!sca_replicate_ask(&d.space, &d.m[0], d.ends, &of, RANKS, &found));
    measured_close(&d);
}
END_TEST

/* All of the work is late by 2 s, but samples see that in the other line. */
START_TEST(what_is_late_for_another_line_is_not_its_own)
{
    double work[RANKS], extra[RANKS];
    program_fill(work, RANKS, 10);
    program_fill(extra, RANKS, 2);
    extra[7] = 4;
    p = program_new();
    program_run(&p, RANKS, work, extra);
    d = measured_open(p.model);
    struct sca_replicate x = ask(7, 7);
    ck_assert_double_lt(fabs(x.effect), 2 * x.error);
    measured_close(&d);
}
END_TEST

START_TEST(where_others_have_none_it_is_told_by_their_own)
{
    measure(4, (double[]){8, 0, 0, 8});
    struct sca_replicate x = ask(0, 7);
    ck_assert_double_eq_tol(x.excess, 16, 0.5);
    ck_assert_double_eq(x.ratio, 0);
    ck_assert_double_gt(x.effect, 3 * x.error);
    measured_close(&d);
}
END_TEST

/* What they have more is a part of all that a rank computes: 8 s here as there, with 2 s of other
 * work, whether the others have none of it or next to none. */
START_TEST(next_to_none_is_like_none)
{
    for (int none = 0; none < 2; none++) {
        double little = none ? 0 : 0.2;
        measure(4, (double[]){8.2, little, little, 8.2});
        struct sca_replicate x = ask(0, 7);
        ck_assert_double_gt(x.effect, 3 * x.error);
        ck_assert_double_eq_tol(x.excess, 16, 0.5);
        ck_assert_double_eq_tol(x.ratio, none ? 0 : 41, 1);
        measured_close(&d);
    }
}
END_TEST

SCA_SUITE("replicate", ranks_that_are_known_are_compared_with_the_rest,
          other_ranks_are_another_thing, what_scatters_says_little,
          of_the_manners_the_one_that_shows_most, all_ranks_say_nothing,
          what_is_late_for_another_line_is_not_its_own,
          where_others_have_none_it_is_told_by_their_own, next_to_none_is_like_none)
