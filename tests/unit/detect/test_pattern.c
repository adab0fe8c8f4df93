/* Ranks of two runs that correspond, of any sizes. */
#include "stats/rank_pattern.h"
#include "check_main.h"

#include <math.h>
#include <stdbool.h>

enum { FEW = 4, MORE = 8, MANY = 64 };

typedef double shape(uint32_t rank, uint32_t ranks);

static double every_other(uint32_t rank, uint32_t ranks)
{
    return ranks && rank % 2 ? 3 : 2;
}

static double slope(uint32_t rank, uint32_t ranks)
{
    return 1 + (double)rank / (ranks - 1);
}

static double upper_half(uint32_t rank, uint32_t ranks)
{
    return rank >= ranks / 2 ? 3 : 2;
}

static double last_two(uint32_t rank, uint32_t ranks)
{
    return rank + 2 >= ranks ? 3 : 2;
}

/* MurmurHash's finalizer. */
static double of_no_kind(uint32_t rank, uint32_t ranks)
{
    uint32_t x = rank * 131 + ranks;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return 2 + ((x ^ x >> 16) % 1000) * 1e-3;
}

/* What is left of the differences, relative to them. */
static double left(shape *of, uint32_t ranks, uint32_t others)
{
    double a[MANY], b[MANY], mean = 0, deviation = 0;
    for (uint32_t r = 0; r < ranks; r++)
        mean += (a[r] = of(r, ranks)) / ranks;
    for (uint32_t r = 0; r < others; r++)
        b[r] = of(r, others);
    for (uint32_t r = 0; r < ranks; r++)
        deviation += fabs(a[r] / mean - 1) / ranks;
    return sca_rank_pattern_left(a, ranks, b, others) / deviation;
}

START_TEST(shapes_come_again_on_other_numbers_of_ranks)
{
    const uint32_t sizes[][2] = {{MORE, FEW}, {MANY, MORE}, {MORE, MANY}, {12, 6}, {MORE, MORE}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ck_assert_double_lt(left(every_other, sizes[i][0], sizes[i][1]), 0.01);
        ck_assert_double_lt(left(slope, sizes[i][0], sizes[i][1]), 0.01);
        ck_assert_double_lt(left(upper_half, sizes[i][0], sizes[i][1]), 0.01);
    }
    ck_assert_double_lt(left(last_two, MORE, MORE), 0.01);
}
END_TEST

START_TEST(chance_does_not)
{
    ck_assert_double_gt(left(of_no_kind, MORE, FEW), 0.5);
    ck_assert_double_gt(left(of_no_kind, MANY, MORE), 0.5);
    ck_assert_double_gt(left(of_no_kind, MANY, 32), 0.5);
}
END_TEST

START_TEST(few_ranks_say_nothing)
{
    const double a[MORE] = {1, 2, 1, 2, 1, 2, 1, 2}, none[MORE] = {0};
    ck_assert(isinf(sca_rank_pattern_left(a, MORE, a, 3)));
    ck_assert(isinf(sca_rank_pattern_left(a, 2, a, MORE)));
    ck_assert(isinf(sca_rank_pattern_left(a, MORE, none, MORE)));
    ck_assert(isinf(sca_rank_pattern_left(none, MORE, a, MORE)));
}
END_TEST

SCA_SUITE("pattern", shapes_come_again_on_other_numbers_of_ranks, chance_does_not,
          few_ranks_say_nothing)
