/* Which ranks of two runs are the same ones: worked out by hand. */
#include "stats/rank_correspondence.h"
#include "check_main.h"

#include <stdbool.h>

static uint32_t count(const uint32_t *ranks, uint32_t n, uint32_t nranks, const uint32_t *others,
                      uint32_t nothers, uint32_t nranks_of_others)
{
    return sca_rank_correspondence_count(ranks, n, nranks, others, nothers, nranks_of_others);
}

static bool is_same(uint32_t rank, uint32_t nranks, uint32_t other, uint32_t nothers)
{
    return count(&rank, 1, nranks, &other, 1, nothers) == 1;
}

START_TEST(the_same_number_is_the_same_rank)
{
    ck_assert(is_same(3, 8, 3, 8));
    ck_assert(is_same(3, 8, 3, 16));
    ck_assert(!is_same(3, 8, 4, 8));
}
END_TEST

/* On as many ranks the number alone counts. */
START_TEST(as_many_from_the_end_in_runs_of_other_sizes)
{
    ck_assert(is_same(7, 8, 15, 16));
    ck_assert(is_same(6, 8, 14, 16));
    ck_assert(is_same(4, 8, 12, 16)); /* both are four from the end */
    ck_assert(!is_same(7, 8, 13, 16));
    ck_assert(!is_same(7, 8, 6, 8));
}
END_TEST

/* Rank 2 of 8 has six ranks from itself on, rank 10 of 16 as many: one is in the lower half. */
START_TEST(the_end_is_counted_from_in_the_upper_half_only)
{
    ck_assert(!is_same(2, 8, 10, 16));
}
END_TEST

START_TEST(the_same_part_of_the_bounds)
{
    ck_assert(is_same(4, 8, 8, 16));
    ck_assert(is_same(2, 8, 4, 16));
    ck_assert(is_same(5, 16, 2, 8)); /* 2.5, rounded down */
    ck_assert(!is_same(2, 8, 5, 16));
}
END_TEST

START_TEST(each_is_counted_once)
{
    const uint32_t ranks[] = {0, 4, 7}, others[] = {0, 8, 12, 15}, none[] = {3};
    ck_assert_uint_eq(count(ranks, 3, 8, others, 4, 16), 3);
    ck_assert_uint_eq(count(ranks, 3, 8, none, 1, 16), 0);
    ck_assert_uint_eq(count(ranks, 0, 8, others, 4, 16), 0);
    ck_assert_uint_eq(count(ranks, 3, 8, others, 0, 16), 0);
}
END_TEST

static uint32_t list(uint32_t a, uint32_t b, uint32_t nothers, enum sca_rank_manner manner,
                     uint32_t *out)
{
    return sca_rank_correspondence_list((uint32_t[]){a, b}, 2, 8, nothers, manner, out);
}

/* Of ranks 1 and 6 of eight, in a run of four. */
START_TEST(they_are_listed_in_each_manner)
{
    uint32_t out[2];
    ck_assert_uint_eq(list(1, 6, 4, SCA_SAME_NUMBER, out), 1); /* there is no sixth */
    ck_assert_uint_eq(out[0], 1);
    ck_assert_uint_eq(list(1, 6, 4, SCA_FROM_BOTH_ENDS, out), 2);
    ck_assert(out[0] == 1 && out[1] == 2);
    ck_assert_uint_eq(list(1, 6, 4, SCA_SAME_PART, out), 2);
    ck_assert(out[0] == 0 && out[1] == 3);
    ck_assert_uint_eq(list(4, 5, 4, SCA_SAME_PART, out), 1); /* each once */
    ck_assert_uint_eq(out[0], 2);
}
END_TEST

START_TEST(on_as_many_ranks_only_the_number_counts)
{
    uint32_t out[2];
    ck_assert_uint_eq(list(1, 6, 8, SCA_SAME_NUMBER, out), 2);
    ck_assert_uint_eq(list(1, 6, 8, SCA_FROM_BOTH_ENDS, out), 0);
    ck_assert_uint_eq(list(1, 6, 8, SCA_SAME_PART, out), 0);
}
END_TEST

SCA_SUITE("rank_correspondence", the_same_number_is_the_same_rank,
          as_many_from_the_end_in_runs_of_other_sizes,
          the_end_is_counted_from_in_the_upper_half_only, the_same_part_of_the_bounds,
          each_is_counted_once, they_are_listed_in_each_manner,
          on_as_many_ranks_only_the_number_counts)
