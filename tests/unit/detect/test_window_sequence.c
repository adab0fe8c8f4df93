/* Windows that follow each other in one trace. */
#include "trace/instances.h"
#include "replay/links.h"
#include "trace/window_sequence.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4, WINDOWS = 3, STEPS = 2, SITE = 1, NSITES = 2 };

static jmp_buf out_of_memory;
static struct sca_workspace space = {.out_of_memory = &out_of_memory};
static struct sca_intervals intervals;
static struct sca_trace windows[WINDOWS];
static struct sca_event_sequence sequences[WINDOWS][RANKS];
static uint32_t sites[STEPS + 1];
static double interval[WINDOWS][RANKS][STEPS];
static struct sca_replay_trace_op ops[WINDOWS][RANKS][2 * STEPS];

/* In each step every rank sends to the next one, and receives. */
static void add_ops(uint32_t w, uint32_t r)
{
    for (uint32_t k = 0; k < STEPS; k++) {
        struct sca_replay_trace_op op = {.event = k, .number = 100 * w + k};
        op.kind = SCA_OP_SEND;
        op.peer = (int32_t)(r + 1) % RANKS;
        ops[w][r][2 * k] = op;
        op.kind = SCA_OP_RECV;
        op.peer = (int32_t)(r + RANKS - 1) % RANKS;
        ops[w][r][2 * k + 1] = op;
    }
}

/* `slow` says which rank takes longer in a step of a window. */
static void fill(const double *weights,
                 bool (*slow)(uint32_t window, uint32_t event, uint32_t rank))
{
    for (uint32_t i = 0; i <= STEPS; i++)
        sites[i] = SITE;
    for (uint32_t w = 0; w < WINDOWS; w++) {
        for (uint32_t r = 0; r < RANKS; r++) {
            for (uint32_t k = 0; k < STEPS; k++)
                interval[w][r][k] = slow(w, k, r) ? 4 : 1;
            add_ops(w, r);
            sequences[w][r] = (struct sca_event_sequence){.nevents = STEPS,
                                                          .sites = sites,
                                                          .interval = interval[w][r],
                                                          .ops = ops[w][r],
                                                          .nops = 2 * STEPS};
        }
        windows[w] =
            (struct sca_trace){.nranks = RANKS, .sequences = sequences[w], .weight = weights[w]};
        sca_replay_trace_number(&space, &windows[w]);
        sca_instances_compare(&space, &windows[w], NSITES);
    }
}

static bool rotates(uint32_t window, uint32_t event, uint32_t rank)
{
    return (window * STEPS + event) % RANKS == rank;
}

static bool always_the_same(uint32_t window, uint32_t event, uint32_t rank)
{
    (void)window;
    (void)event;
    return rank == 1;
}

static const double weights[WINDOWS] = {1, 40.2, 9.8};

START_TEST(what_moves_from_rank_to_rank_needs_it)
{
    fill(weights, rotates);
    ck_assert_double_ge(sca_window_sequence_moving(&space, windows, WINDOWS, &intervals), 0.1);
    fill(weights, always_the_same);
    ck_assert_double_lt(sca_window_sequence_moving(&space, windows, WINDOWS, &intervals), 0.1);
}
END_TEST

START_TEST(each_comes_as_often_as_it_stands_for)
{
    struct sca_window_sequence s;
    uint32_t times[WINDOWS] = {0};
    fill(weights, rotates);
    ck_assert(sca_window_sequence_plan(&space, windows, WINDOWS, &s));
    ck_assert_uint_eq(s.count, 51);
    ck_assert_uint_eq(s.order[0], 0);
    for (uint32_t t = 0; t < s.count; t++) {
        times[s.order[t]]++;
        ck_assert(!t || s.order[t] >= s.order[t - 1]); /* as they were recorded */
    }
    ck_assert_uint_eq(times[0], 1);
    ck_assert_uint_eq(times[1], 40);
    ck_assert_uint_eq(times[2], 10);
    ck_assert_double_eq_tol(s.weight * s.count, 51, 1e-9);
}
END_TEST

/* What happened once stands for itself where the sequence is much shorter than the run. */
START_TEST(a_long_run_is_shortened)
{
    static const double many[WINDOWS] = {1, 4e6, 1e6};
    struct sca_window_sequence s;
    fill(many, rotates);
    ck_assert(sca_window_sequence_plan(&space, windows, WINDOWS, &s));
    ck_assert_uint_le(s.count, 300000 / (RANKS * STEPS) + 1);
    ck_assert(!s.in[0] && s.in[1] && s.in[2]);
    ck_assert_double_eq_tol(s.weight * s.count, 5e6, 1);
}
END_TEST

/* A run that windows show whole. */
START_TEST(what_happened_once_comes_once)
{
    static const double single[WINDOWS] = {1, 1, 1};
    struct sca_window_sequence s;
    fill(single, rotates);
    ck_assert(sca_window_sequence_plan(&space, windows, WINDOWS, &s));
    ck_assert_uint_eq(s.count, WINDOWS);
    for (uint32_t t = 0; t < WINDOWS; t++)
        ck_assert_uint_eq(s.order[t], t);
    ck_assert_double_eq(s.weight, 1);
}
END_TEST

/* Of 4,000 windows of 50,000 events there is room for six. */
START_TEST(few_of_many_windows_are_no_sequence)
{
    static const double many[WINDOWS] = {1000, 2000, 1000};
    struct sca_window_sequence s;
    fill(many, rotates);
    for (uint32_t w = 0; w < WINDOWS; w++)
        windows[w].nevents = 50000;
    ck_assert(!sca_window_sequence_plan(&space, windows, WINDOWS, &s));
}
END_TEST

/* Every receive finds the send of its own round, though windows come again. */
START_TEST(messages_stay_in_their_round)
{
    struct sca_window_sequence s;
    struct sca_trace trace;
    fill(weights, rotates);
    ck_assert(sca_window_sequence_plan(&space, windows, WINDOWS, &s));
    sca_window_sequence_play(&space, &space, windows, &s, &trace);
    ck_assert_uint_eq(trace.nevents, 51 * STEPS * RANKS);
    ck_assert_uint_eq(trace.windows.count, WINDOWS);
    ck_assert_uint_eq(trace.windows.nparts, 51);
    const struct sca_replay_links *links = sca_links_build(&space, &trace);
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t k = 0; k < trace.sequences[r].nevents; k++) {
            uint32_t event = trace.first[r] + k, before = (r + RANKS - 1) % RANKS;
            ck_assert_uint_eq(links->first_input[event + 1] - links->first_input[event], 1);
            ck_assert_uint_eq(links->input[links->first_input[event]], trace.first[before] + k);
        }
    for (uint32_t t = 0; t < s.count; t++) {
        ck_assert_uint_eq(trace.windows.which[t], s.order[t]);
        ck_assert_uint_eq(trace.windows.begin[2 * (51 + 1) + t], t * STEPS);
        for (uint32_t k = 0; k < STEPS; k++)
            ck_assert_double_eq(trace.sequences[2].interval[STEPS * t + k],
                                interval[s.order[t]][2][k]);
    }
}
END_TEST

static void open_intervals(void)
{
    ck_assert_int_eq(sca_intervals_open_joined(&intervals, NSITES), 0);
}

static void close_intervals(void)
{
    sca_workspace_free(&space);
    sca_intervals_free(&intervals);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("sequence");
    TCase *tests = tcase_create("sequence");
    tcase_add_checked_fixture(tests, open_intervals, close_intervals);
    tcase_add_test(tests, what_moves_from_rank_to_rank_needs_it);
    tcase_add_test(tests, each_comes_as_often_as_it_stands_for);
    tcase_add_test(tests, a_long_run_is_shortened);
    tcase_add_test(tests, what_happened_once_comes_once);
    tcase_add_test(tests, few_of_many_windows_are_no_sequence);
    tcase_add_test(tests, messages_stay_in_their_round);
    suite_add_tcase(suite, tests);
    return suite;
}
