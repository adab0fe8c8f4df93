/* Windows that follow each other in one scene. */
#include "trace/instances.h"
#include "replay/links.h"
#include "trace/window_sequence.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, WINDOWS = 3, STEPS = 2, SITE = 1, NSITES = 2 };

static jmp_buf out_of_memory;
static struct sca_room room = {.out_of_memory = &out_of_memory};
static struct sca_gaps gaps;
static struct sca_scene windows[WINDOWS];
static struct sca_track tracks[WINDOWS][RANKS];
static uint32_t sites[STEPS + 1];
static double gap[WINDOWS][RANKS][STEPS];
static struct sca_scene_op ops[WINDOWS][RANKS][2 * STEPS];

/* In each step every rank sends to the next one, and receives. */
static void add_ops(uint32_t w, uint32_t r)
{
    for (uint32_t k = 0; k < STEPS; k++) {
        struct sca_scene_op op = {.step = k, .number = 100 * w + k};
        op.kind = SCA_OP_SEND;
        op.peer = (int32_t)(r + 1) % RANKS;
        ops[w][r][2 * k] = op;
        op.kind = SCA_OP_RECV;
        op.peer = (int32_t)(r + RANKS - 1) % RANKS;
        ops[w][r][2 * k + 1] = op;
    }
}

/* `slow` says which rank takes longer in a step of a window. */
static void fill(const double *weights, bool (*slow)(uint32_t window, uint32_t step, uint32_t rank))
{
    for (uint32_t i = 0; i <= STEPS; i++)
        sites[i] = SITE;
    for (uint32_t w = 0; w < WINDOWS; w++) {
        for (uint32_t r = 0; r < RANKS; r++) {
            for (uint32_t k = 0; k < STEPS; k++)
                gap[w][r][k] = slow(w, k, r) ? 4 : 1;
            add_ops(w, r);
            tracks[w][r] = (struct sca_track){.nsteps = STEPS,
                                              .sites = sites,
                                              .gap = gap[w][r],
                                              .ops = ops[w][r],
                                              .nops = 2 * STEPS};
        }
        windows[w] = (struct sca_scene){.nranks = RANKS, .tracks = tracks[w], .weight = weights[w]};
        sca_scene_number(&room, &windows[w]);
        sca_instances_compare(&room, &windows[w], NSITES);
    }
}

static bool wanders(uint32_t window, uint32_t step, uint32_t rank)
{
    return (window * STEPS + step) % RANKS == rank;
}

static bool always_the_same(uint32_t window, uint32_t step, uint32_t rank)
{
    (void)window;
    (void)step;
    return rank == 1;
}

static const double weights[WINDOWS] = {1, 40.2, 9.8};

START_TEST(what_moves_from_rank_to_rank_needs_it)
{
    fill(weights, wanders);
    ck_assert(sca_sequence_is_needed(&room, windows, WINDOWS, &gaps));
    fill(weights, always_the_same);
    ck_assert(!sca_sequence_is_needed(&room, windows, WINDOWS, &gaps));
}
END_TEST

START_TEST(each_comes_as_often_as_it_stands_for)
{
    struct sca_window_sequence s;
    uint32_t times[WINDOWS] = {0}, longest = 0, since = 0;
    fill(weights, wanders);
    ck_assert(sca_sequence_plan(&room, windows, WINDOWS, &s));
    ck_assert_uint_eq(s.count, 51);
    ck_assert_uint_eq(s.order[0], 0);
    for (uint32_t t = 0; t < s.count; t++) {
        times[s.order[t]]++;
        since = s.order[t] == 2 ? 0 : since + 1;
        longest = since > longest ? since : longest;
    }
    ck_assert_uint_eq(times[0], 1);
    ck_assert_uint_eq(times[1], 40);
    ck_assert_uint_eq(times[2], 10);
    ck_assert_uint_le(longest, 6);
    ck_assert_double_eq_tol(s.weight * s.count, 51, 1e-9);
}
END_TEST

/* What happened once stands for itself where the sequence is much shorter than the run. */
START_TEST(a_long_run_is_shortened)
{
    static const double many[WINDOWS] = {1, 4e6, 1e6};
    struct sca_window_sequence s;
    fill(many, wanders);
    ck_assert(sca_sequence_plan(&room, windows, WINDOWS, &s));
    ck_assert_uint_le(s.count, 300000 / (RANKS * STEPS) + 1);
    ck_assert(!s.in[0] && s.in[1] && s.in[2]);
    ck_assert_double_eq_tol(s.weight * s.count, 5e6, 1);
}
END_TEST

START_TEST(few_windows_are_no_sequence)
{
    static const double once[WINDOWS] = {1, 1, 1};
    struct sca_window_sequence s;
    fill(once, wanders);
    ck_assert(!sca_sequence_plan(&room, windows, WINDOWS, &s));
}
END_TEST

/* Every receive finds the send of its own round, though windows come again. */
START_TEST(messages_stay_in_their_round)
{
    struct sca_window_sequence s;
    struct sca_scene scene;
    fill(weights, wanders);
    ck_assert(sca_sequence_plan(&room, windows, WINDOWS, &s));
    sca_sequence_play(&room, &room, windows, &s, &scene);
    ck_assert_uint_eq(scene.nsteps, 51 * STEPS * RANKS);
    const struct sca_replay_links *links = sca_links_build(&room, &scene);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t k = 0; k < scene.tracks[r].nsteps; k++) {
            uint32_t step = scene.first[r] + k, before = (r + RANKS - 1) % RANKS;
            ck_assert_uint_eq(links->first_input[step + 1] - links->first_input[step], 1);
            ck_assert_uint_eq(links->input[links->first_input[step]], scene.first[before] + k);
        }
    for (uint32_t t = 0; t < s.count; t++)
        for (uint32_t k = 0; k < STEPS; k++)
            ck_assert_double_eq(scene.tracks[2].gap[STEPS * t + k], gap[s.order[t]][2][k]);
}
END_TEST

static void open_gaps(void)
{
    ck_assert_int_eq(sca_gaps_open_joined(&gaps, NSITES), 0);
}

static void close_gaps(void)
{
    sca_room_free(&room);
    sca_gaps_free(&gaps);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("sequence");
    TCase *tests = tcase_create("sequence");
    tcase_add_checked_fixture(tests, open_gaps, close_gaps);
    tcase_add_test(tests, what_moves_from_rank_to_rank_needs_it);
    tcase_add_test(tests, each_comes_as_often_as_it_stands_for);
    tcase_add_test(tests, a_long_run_is_shortened);
    tcase_add_test(tests, few_windows_are_no_sequence);
    tcase_add_test(tests, messages_stay_in_their_round);
    suite_add_tcase(suite, tests);
    return suite;
}
