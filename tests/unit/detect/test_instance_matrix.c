/* The k-th instances of all ranks side by side, and what a rank differs by in them. */
#include "trace/instance_matrix.h"
#include "trace/instances.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 3, STEPS = 4, A = 1, B = 2, SITES = 3 };

/* A, B, A, A; the last rank has only the first two of them. */
static const uint32_t sites[] = {0, A, B, A, A};
static double gaps[RANKS][STEPS] = {{9, 1, 2, 5}, {9, 2, 4, 6}, {9, 6, 0, 0}};
static struct sca_track tracks[RANKS];
static struct sca_scene scene;

static void make(struct sca_room *room)
{
    *room = test_room();
    for (uint32_t r = 0; r < RANKS; r++)
        tracks[r] = (struct sca_track){
            .nsteps = r + 1 == RANKS ? 2 : STEPS, .sites = sites, .gap = gaps[r]};
    scene = (struct sca_scene){.nranks = RANKS, .tracks = tracks, .weight = 1};
    sca_scene_number(room, &scene);
}

START_TEST(rows_have_the_instances_of_one_interval)
{
    struct sca_room room;
    struct sca_rows rows;
    make(&room);
    sca_rows_list(&room, &scene, A, B, &rows);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert(rows.alike);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_uint_eq(rows.step[r], scene.first[r] + 1);
    sca_room_free(&room);
}
END_TEST

START_TEST(who_has_none_has_no_step)
{
    struct sca_room room;
    struct sca_rows rows;
    make(&room);
    sca_rows_list(&room, &scene, B, A, &rows);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert(rows.alike); /* those that have any have as many */
    ck_assert_uint_eq(rows.step[RANKS - 1], SCA_NO_STEP);
    sca_rows_list(&room, &scene, B, B, &rows);
    ck_assert_uint_eq(rows.count, 0);
    ck_assert(!rows.alike);
    sca_room_free(&room);
}
END_TEST

/* Rank 0 goes round once more than rank 1 in two, which is more than a tenth. */
START_TEST(ranks_with_fewer_instances_are_not_alike)
{
    static const uint32_t round[] = {A, A, A, A};
    struct sca_room room = test_room();
    struct sca_rows rows;
    struct sca_track two[] = {{.nsteps = 3, .sites = round, .gap = gaps[0]},
                              {.nsteps = 2, .sites = round, .gap = gaps[1]}};
    struct sca_scene uneven = {.nranks = 2, .tracks = two, .weight = 1};
    sca_scene_number(&room, &uneven);
    sca_rows_list(&room, &uneven, A, A, &rows);
    ck_assert_uint_eq(rows.count, 3);
    ck_assert(!rows.alike);
    sca_room_free(&room);
}
END_TEST

START_TEST(a_row_has_a_lower_median_and_a_mean)
{
    struct sca_room room;
    struct sca_rows rows;
    double work[RANKS], flat[2 * STEPS + 2] = {9, 1, 2, 5, 9, 2, 4, 6, 9, 6};
    make(&room);
    sca_rows_list(&room, &scene, A, B, &rows);
    ck_assert_double_eq(sca_row_median(&rows, 0, flat, work), 2);
    ck_assert_double_eq(sca_row_mean(&rows, 0, flat), 3);
    sca_rows_list(&room, &scene, B, A, &rows); /* of two ranks, 2 s and 4 s */
    ck_assert_double_eq(sca_row_median(&rows, 0, flat, work), 2);
    ck_assert_double_eq(sca_row_mean(&rows, 0, flat), 3);
    sca_room_free(&room);
}
END_TEST

START_TEST(a_step_deviates_from_the_middle_rank)
{
    struct sca_room room;
    make(&room);
    sca_instances_compare(&room, &scene, SITES);
    const float expected[RANKS][STEPS] = {{0, -1, 0, 0}, {0, 0, 2, 1}, {0, 4}};
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < tracks[r].nsteps; i++)
            ck_assert_float_eq(tracks[r].deviation[i], expected[r][i]);
    sca_room_free(&room);
}
END_TEST

/* Of eight, the third from below: half of them with more do not move it, nor does one that is slow
 * once. */
START_TEST(of_many_ranks_it_is_the_one_at_two_fifths)
{
    static const uint32_t one[] = {A, B};
    double seconds[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct sca_room room = test_room();
    struct sca_track eight[8];
    for (uint32_t r = 0; r < 8; r++)
        eight[r] = (struct sca_track){.nsteps = 1, .sites = one, .gap = &seconds[r]};
    struct sca_scene all = {.nranks = 8, .tracks = eight, .weight = 1};
    sca_scene_number(&room, &all);
    sca_instances_compare(&room, &all, SITES);
    ck_assert_float_eq(eight[2].deviation[0], 0);
    ck_assert_float_eq(eight[7].deviation[0], 5);
    all.nranks = 7;
    sca_scene_number(&room, &all);
    sca_instances_compare(&room, &all, SITES);
    ck_assert_float_eq(eight[3].deviation[0], 0);
    sca_room_free(&room);
}
END_TEST

SCA_SUITE("instance_matrix", rows_have_the_instances_of_one_interval, who_has_none_has_no_step,
          ranks_with_fewer_instances_are_not_alike, a_row_has_a_lower_median_and_a_mean,
          a_step_deviates_from_the_middle_rank, of_many_ranks_it_is_the_one_at_two_fifths)
