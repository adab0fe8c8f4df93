/* Seconds that several findings take from a rank, interval by interval. */
#include "price/cuts.h"
#include "measured.h"
#include "check_main.h"

enum { LOOP = 1, INSIDE, BESIDE, VERTICES, INTERVALS = 3 };

static const uint32_t ends[VERTICES] = {VERTICES, BESIDE, BESIDE, VERTICES};
static uint32_t loop = LOOP, inside = INSIDE, beside = BESIDE, ranks[] = {1, 3};
static const uint32_t first[] = {0, 2, 3}; /* rank 1 has two cuts, rank 3 one */

static struct sca_finding at(uint32_t *vertex, const struct sca_cut *cuts)
{
    return (struct sca_finding){.vertex = *vertex,
                                .nvertices = 1,
                                .vertices = vertex,
                                .nranks = 2,
                                .ranks = ranks,
                                .transform = {.cuts = cuts, .first_cut = first}};
}

/* By interval, from a rank. */
static double taken[INTERVALS];

static void take(const struct sca_finding *a, const struct sca_finding *b, uint32_t rank)
{
    const struct sca_finding *both[] = {a, b};
    struct sca_workspace space = test_room();
    for (int i = 0; i < INTERVALS; i++)
        taken[i] = 0;
    sca_cuts_add(&space, ends, both, 2, rank, taken);
    sca_workspace_free(&space);
}

static const struct sca_cut early[] = {{0, 1}, {1, 2}, {2, 4}}, late[] = {{1, 3}, {2, 5}, {2, 6}};

START_TEST(places_side_by_side_add_up)
{
    struct sca_finding a = at(&loop, early), b = at(&beside, late);
    take(&a, &b, 1);
    ck_assert_double_eq(taken[0], 1);
    ck_assert_double_eq(taken[1], 2 + 3);
    ck_assert_double_eq(taken[2], 5);
    take(&a, &b, 3);
    ck_assert_double_eq(taken[1], 0);
    ck_assert_double_eq(taken[2], 4 + 6);
}
END_TEST

START_TEST(of_places_inside_each_other_the_greater_counts)
{
    struct sca_finding a = at(&loop, early), b = at(&inside, late), same = a;
    take(&a, &b, 1);
    ck_assert_double_eq(taken[0], 1);
    ck_assert_double_eq(taken[1], 3);
    ck_assert_double_eq(taken[2], 5);
    take(&a, &same, 1); /* as much is taken once */
    ck_assert_double_eq(taken[0], 1);
    ck_assert_double_eq(taken[1], 2);
}
END_TEST

START_TEST(other_ranks_and_factors_take_nothing)
{
    struct sca_finding a = at(&loop, early), by_factor = at(&beside, NULL);
    take(&a, &by_factor, 0);
    ck_assert_double_eq(taken[0] + taken[1] + taken[2], 0);
    take(&a, &by_factor, 2);
    ck_assert_double_eq(taken[0] + taken[1] + taken[2], 0);
    take(&by_factor, &a, 3);
    ck_assert_double_eq(taken[2], 4);
    ck_assert(sca_finding_cuts(&a) && !sca_finding_cuts(&by_factor));
}
END_TEST

SCA_SUITE("cuts", places_side_by_side_add_up, of_places_inside_each_other_the_greater_counts,
          other_ranks_and_factors_take_nothing)
