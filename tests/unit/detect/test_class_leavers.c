/* Ranks that leave their class over time, in a series made by hand: five ranks, forty points. */
#include "activity/class_leavers.h"
#include "check_main.h"

enum { RANKS = 5, POINTS = 40, FACTOR = 2, LEAVES = 26 };

static float own[RANKS * POINTS];
static struct sca_series_point points[POINTS * FACTOR];
static uint32_t ranks[RANKS], of[RANKS], members[2], first[2];
static struct sca_series_section section;
static struct sca_series series;
static struct sca_rank_shapes shapes;
static jmp_buf out_of_memory;

/* Each point of the loop is ten iterations and one second. */
static void begin(void)
{
    for (uint32_t i = 0; i < POINTS * FACTOR; i++)
        points[i] = (struct sca_series_point){
            .number = 10 * (i + (uint64_t)1), .iterations = 10, .end = i + 1.0};
    for (uint32_t r = 0; r < RANKS; r++) {
        ranks[r] = r;
        of[r] = 0;
        for (uint32_t p = 0; p < POINTS; p++)
            own[r * POINTS + p] = (float)(1 + 0.01 * ((r + p) % 3));
    }
    members[0] = RANKS;
    section = (struct sca_series_section){
        .npoints = POINTS * FACTOR, .nrank_points = POINTS, .factor = FACTOR};
    series = (struct sca_series){.nsections = 1,
                                 .npoints = POINTS * FACTOR,
                                 .nrank_points = POINTS,
                                 .sections = &section,
                                 .points = points,
                                 .nranks = RANKS,
                                 .ranks = ranks,
                                 .own = own};
    shapes = (struct sca_rank_shapes){.n = 1, .of = of, .members = members, .first = first};
}

static struct sca_class_leavers find(struct sca_workspace *space, bool shared)
{
    struct sca_class_leavers leavers;
    *space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    sca_class_leavers_find(space, &series, &shapes, shared, &leavers);
    return leavers;
}

static void slow_down(uint32_t rank, uint32_t from, uint32_t to, float times)
{
    for (uint32_t p = from; p < to; p++)
        own[rank * POINTS + p] *= times;
}

START_TEST(nobody_leaves_who_varies_as_all_do)
{
    struct sca_workspace space;
    begin();
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_slows_down_is_named_with_the_iteration)
{
    struct sca_workspace space;
    begin();
    slow_down(3, LEAVES, POINTS, 1.5F);
    struct sca_class_leavers leavers = find(&space, false);
    ck_assert_uint_eq(leavers.n, 1);
    ck_assert_uint_eq(leavers.of[0].rank, 3);
    ck_assert_uint_eq(leavers.of[0].iteration, 10 * LEAVES * FACTOR + 1);
    ck_assert_double_eq_tol(leavers.of[0].at_s, LEAVES * FACTOR, 1e-9);
    ck_assert_double_eq_tol(leavers.of[0].before, 1, 0.02);
    ck_assert_double_eq_tol(leavers.of[0].after, 1.5, 0.03);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(where_ranks_share_cores_a_third_is_no_reason)
{
    struct sca_workspace space;
    begin();
    slow_down(3, LEAVES, POINTS, 1.33F);
    ck_assert_uint_eq(find(&space, false).n, 1);
    sca_workspace_free(&space);
    ck_assert_uint_eq(find(&space, true).n, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_was_slow_from_the_beginning_has_not_left)
{
    struct sca_workspace space;
    begin();
    slow_down(1, 0, POINTS, 2);
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_becomes_slower_all_along_has_not_left)
{
    struct sca_workspace space;
    begin();
    for (uint32_t p = 0; p < POINTS; p++)
        slow_down(1, p, p + 1, 1 + 5.0F * (float)(p * p) / (POINTS * POINTS));
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_comes_back_to_the_others_has_not_left)
{
    struct sca_workspace space;
    begin();
    slow_down(1, 0, LEAVES, 2);
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(two_ranks_are_no_class)
{
    struct sca_workspace space;
    begin();
    slow_down(3, LEAVES, POINTS, 2);
    of[3] = of[4] = 1;
    members[0] = 3;
    members[1] = 2;
    shapes.n = 2;
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
    series.nranks = 0;
    ck_assert_uint_eq(find(&space, false).n, 0);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("class_leavers", nobody_leaves_who_varies_as_all_do,
          who_slows_down_is_named_with_the_iteration, where_ranks_share_cores_a_third_is_no_reason,
          who_was_slow_from_the_beginning_has_not_left, who_becomes_slower_all_along_has_not_left,
          who_comes_back_to_the_others_has_not_left, two_ranks_are_no_class)
