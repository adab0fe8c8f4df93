/* Which ranks may be those of the same cores. */
#include "stats/core_sets.h"
#include "measured.h"
#include "check_main.h"

static bool may_be_of(const uint32_t *ranks, uint32_t n, uint32_t nranks, uint32_t ncores)
{
    struct sca_workspace space = test_room();
    bool found = sca_core_sets_may_be(&space, ranks, n, nranks, ncores);
    sca_workspace_free(&space);
    return found;
}

static bool may_be(const uint32_t *ranks, uint32_t n, uint32_t nranks)
{
    return may_be_of(ranks, n, nranks, 0);
}

START_TEST(every_second_rank_may_have_one_core)
{
    ck_assert(may_be((uint32_t[]){1, 3, 5, 7}, 4, 8));
    ck_assert(may_be((uint32_t[]){1, 3, 5}, 3, 8)); /* one was missed */
    ck_assert(may_be((uint32_t[]){0, 3, 6}, 3, 9));
}
END_TEST

START_TEST(ranks_that_follow_each_other_may_have_one_core)
{
    ck_assert(may_be((uint32_t[]){4, 5}, 2, 8));
    ck_assert(may_be((uint32_t[]){4, 5, 6, 7}, 4, 8));
}
END_TEST

/* One rank is not all that a core holds; nor are two that lie elsewhere. */
START_TEST(other_ranks_have_more_to_do)
{
    ck_assert(!may_be((uint32_t[]){5}, 1, 8));
    ck_assert(!may_be((uint32_t[]){1, 6}, 2, 8));
    ck_assert(!may_be((uint32_t[]){0, 7}, 2, 8));
    ck_assert(!may_be((uint32_t[]){1}, 1, 2));
}
END_TEST

/* Ten ranks on four cores are two or three to a core. */
START_TEST(cores_have_all_of_their_ranks_whichever_these_are)
{
    ck_assert(sca_core_sets_may_be_so_many(4, 8, 2));
    ck_assert(!sca_core_sets_may_be_so_many(3, 8, 2));
    ck_assert(!sca_core_sets_may_be_so_many(5, 8, 2));
    ck_assert(!sca_core_sets_may_be_so_many(1, 10, 4));
    ck_assert(sca_core_sets_may_be_so_many(3, 10, 4));
    ck_assert(sca_core_sets_may_be_so_many(5, 10, 4));
    ck_assert(sca_core_sets_may_be_so_many(3, 8, 0)); /* nobody knows */
}
END_TEST

/* Of two cores each has four of eight ranks. */
START_TEST(how_many_cores_there_are_tells_how_many_ranks_each_has)
{
    ck_assert(may_be((uint32_t[]){2, 6}, 2, 8));
    ck_assert(!may_be_of((uint32_t[]){2, 6}, 2, 8, 2));
    ck_assert(may_be_of((uint32_t[]){2, 6}, 2, 8, 4));
    ck_assert(may_be_of((uint32_t[]){1, 3, 5, 7}, 4, 8, 2));
    ck_assert(!may_be_of((uint32_t[]){1, 3, 5, 7}, 4, 8, 1));
    ck_assert(may_be_of((uint32_t[]){5}, 1, 8, 5)); /* two cores have one rank each */
}
END_TEST

SCA_SUITE("core sets", every_second_rank_may_have_one_core,
          ranks_that_follow_each_other_may_have_one_core, other_ranks_have_more_to_do,
          how_many_cores_there_are_tells_how_many_ranks_each_has,
          cores_have_all_of_their_ranks_whichever_these_are)
