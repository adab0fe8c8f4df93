/* The k-th instances of all ranks side by side, and what a rank differs by in them. */
#include "trace/instance_matrix.h"
#include "trace/instances.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 3, STEPS = 4, A = 1, B = 2, SITES = 3 };

/* A, B, A, A; the last rank has only the first two of them. */
static const uint32_t sites[] = {0, A, B, A, A};
static double intervals[RANKS][STEPS] = {{9, 1, 2, 5}, {9, 2, 4, 6}, {9, 6, 0, 0}};
static struct sca_event_sequence sequences[RANKS];
static struct sca_trace trace;

static void make(struct sca_workspace *space)
{
    *space = test_room();
    for (uint32_t r = 0; r < RANKS; r++)
        sequences[r] = (struct sca_event_sequence){
            .nevents = r + 1 == RANKS ? 2 : STEPS, .sites = sites, .interval = intervals[r]};
    trace = (struct sca_trace){.nranks = RANKS, .sequences = sequences, .weight = 1};
    sca_replay_trace_number(space, &trace);
}

START_TEST(rows_have_the_instances_of_one_interval)
{
    struct sca_workspace space;
    struct sca_rows rows;
    make(&space);
    sca_instance_matrix_rows(&space, &trace, A, B, &rows);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert(rows.alike);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_uint_eq(rows.event[r], trace.first[r] + 1);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(who_has_none_has_no_step)
{
    struct sca_workspace space;
    struct sca_rows rows;
    make(&space);
    sca_instance_matrix_rows(&space, &trace, B, A, &rows);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert(rows.alike); /* those that have any have as many */
    ck_assert_uint_eq(rows.event[RANKS - 1], SCA_NO_EVENT);
    sca_instance_matrix_rows(&space, &trace, B, B, &rows);
    ck_assert_uint_eq(rows.count, 0);
    ck_assert(!rows.alike);
    sca_workspace_free(&space);
}
END_TEST

/* Rank 0 goes round once more than rank 1 in two, which is more than a tenth. */
START_TEST(ranks_with_fewer_instances_are_not_alike)
{
    static const uint32_t round[] = {A, A, A, A};
    struct sca_workspace space = test_room();
    struct sca_rows rows;
    struct sca_event_sequence two[] = {{.nevents = 3, .sites = round, .interval = intervals[0]},
                                       {.nevents = 2, .sites = round, .interval = intervals[1]}};
    struct sca_trace skewed = {.nranks = 2, .sequences = two, .weight = 1};
    sca_replay_trace_number(&space, &skewed);
    sca_instance_matrix_rows(&space, &skewed, A, A, &rows);
    ck_assert_uint_eq(rows.count, 3);
    ck_assert(!rows.alike);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(a_row_has_a_lower_median_and_a_mean)
{
    struct sca_workspace space;
    struct sca_rows rows;
    double work[RANKS], flat[2 * STEPS + 2] = {9, 1, 2, 5, 9, 2, 4, 6, 9, 6};
    make(&space);
    sca_instance_matrix_rows(&space, &trace, A, B, &rows);
    ck_assert_double_eq(sca_instance_matrix_median(&rows, 0, flat, work), 2);
    ck_assert_double_eq(sca_instance_matrix_mean(&rows, 0, flat), 3);
    sca_instance_matrix_rows(&space, &trace, B, A, &rows); /* of two ranks, 2 s and 4 s */
    ck_assert_double_eq(sca_instance_matrix_median(&rows, 0, flat, work), 2);
    ck_assert_double_eq(sca_instance_matrix_mean(&rows, 0, flat), 3);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(a_step_deviates_from_the_middle_rank)
{
    struct sca_workspace space;
    make(&space);
    sca_instances_compare(&space, &trace, SITES);
    const float expected[RANKS][STEPS] = {{0, -1, 0, 0}, {0, 0, 2, 1}, {0, 4}};
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t i = 0; i < sequences[r].nevents; i++)
            ck_assert_float_eq(sequences[r].deviation[i], expected[r][i]);
    sca_workspace_free(&space);
}
END_TEST

/* Of eight, the third from below: half of them with more do not move it, nor does one that is slow
 * once. */
START_TEST(of_many_ranks_it_is_the_one_at_two_fifths)
{
    static const uint32_t one[] = {A, B};
    double seconds[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct sca_workspace space = test_room();
    struct sca_event_sequence eight[8];
    for (uint32_t r = 0; r < 8; r++)
        eight[r] = (struct sca_event_sequence){.nevents = 1, .sites = one, .interval = &seconds[r]};
    struct sca_trace all = {.nranks = 8, .sequences = eight, .weight = 1};
    sca_replay_trace_number(&space, &all);
    sca_instances_compare(&space, &all, SITES);
    ck_assert_float_eq(eight[2].deviation[0], 0);
    ck_assert_float_eq(eight[7].deviation[0], 5);
    all.nranks = 7;
    sca_replay_trace_number(&space, &all);
    sca_instances_compare(&space, &all, SITES);
    ck_assert_float_eq(eight[3].deviation[0], 0);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("instance_matrix", rows_have_the_instances_of_one_interval, who_has_none_has_no_step,
          ranks_with_fewer_instances_are_not_alike, a_row_has_a_lower_median_and_a_mean,
          a_step_deviates_from_the_middle_rank, of_many_ranks_it_is_the_one_at_two_fifths)
