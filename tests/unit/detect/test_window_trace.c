/* Whether recorded windows stand for a run, and what scenes they make. */
#include "trace/window_trace.h"
#include "measured.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 2, WINDOWS = 4 };

static struct script *s;
static struct sca_workspace space, ops;
static struct sca_team team = {.size = 1};
static struct sca_traces traces;
static struct sca_window windows[RANKS][WINDOWS];
static uint32_t work, shown, hidden;
static uint32_t standing = WINDOWS; /* so many, the first ones; the others stand for nothing */

/* Each rank has one scripted window, which begins after the call it ends with. */
static void begin(void)
{
    s = script_new(RANKS);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    shown = script_site(s, "MPI_Barrier", 20);
    hidden = script_site(s, "MPI_Comm_dup", 21);
    for (uint32_t r = 0; r < RANKS; r++)
        script_collective(s, r, 1, shown, SCA_ALL_TO_ALL, -1, 0);
}

/* Copies of that window, of these iterations. */
static bool play(const uint64_t (*iterations)[WINDOWS], uint32_t n, uint64_t class_total)
{
    struct sca_ppg_run *run = &model_ppg(s->model)->runs[s->run];
    struct sca_profile *profile = (struct sca_profile *)run->profile;
    for (uint32_t r = 0; r < RANKS; r++) {
        for (uint32_t w = 0; w < n; w++) {
            windows[r][w] = s->windows[r];
            windows[r][w].iteration = iterations[r][w];
            windows[r][w].class_total = w < standing ? class_total : 0;
        }
        profile->ranks[r].nwindows = n;
        profile->ranks[r].windows = windows[r];
    }
    space = ops = test_room();
    traces = (struct sca_traces){.team = &team, .space = space};
    return sca_window_trace_play(&space, &ops, run, &traces);
}

static void end(void)
{
    sca_replay_trace_free(&traces);
    sca_workspace_free(&space);
    sca_workspace_free(&ops);
    model_free(s->model);
    free(s);
}

static void check_went(uint32_t rank, uint32_t interval, double seconds, double tolerance)
{
    ck_assert_double_eq_tol(traces.traces[0].sequences[rank].interval[interval], seconds,
                            tolerance);
}

static void went(uint32_t previous, uint32_t site, uint64_t count, double seconds)
{
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(s->model, s->run, r, previous, site, count, work, seconds);
}

/* The call comes so often, each time a second after the one before it. */
static void begin_alike(uint64_t count)
{
    begin();
    went(shown, shown, count, (double)count);
}

/* The same of each rank for itself. */
static void begin_apart(uint64_t count, double first, double second)
{
    begin();
    model_work(s->model, s->run, 0, shown, shown, count, work, first);
    model_work(s->model, s->run, 1, shown, shown, count, work, second);
}

static const uint64_t one[RANKS][WINDOWS] = {{5}, {5}};

START_TEST(a_window_is_a_scene_that_stands_for_all_alike)
{
    begin_alike(7);
    ck_assert(play(one, 1, 7));
    ck_assert(traces.recorded);
    ck_assert_uint_eq(traces.count, 1);
    ck_assert_uint_eq(traces.shown, 1);
    ck_assert_double_eq_tol(traces.traces[0].weight, 7, 1e-4);
    for (uint32_t r = 0; r < RANKS; r++) {
        const struct sca_event_sequence *of = &traces.traces[0].sequences[r];
        ck_assert_uint_eq(of->nevents, 1);
        ck_assert_uint_eq(of->sites[0], shown);
        ck_assert_uint_eq(of->sites[1], shown);
        ck_assert_double_eq_tol(of->interval[0], 1, 1e-9);
    }
    end();
}
END_TEST

/* It is kept with others for the long iteration that they hold together. */
START_TEST(what_stands_for_nothing_is_no_scene)
{
    static const uint64_t three[RANKS][WINDOWS] = {{5, 6, 7}, {5, 6, 7}};
    begin_alike(7);
    standing = 1;
    ck_assert(play(three, 3, 7));
    ck_assert_uint_eq(traces.count, 1);
    ck_assert_uint_eq(traces.shown, 1);
    ck_assert_double_eq_tol(traces.traces[0].weight, 7, 1e-4);
    end();
}
END_TEST

START_TEST(windows_that_stand_for_nothing_alone_are_none)
{
    begin_alike(7);
    standing = 0;
    ck_assert(!play(one, 1, 7));
    end();
}
END_TEST

/* Twenty seconds before a call are such as a window shows: of 25 they are 0.8. */
START_TEST(most_of_the_computation_must_be_shown)
{
    for (int more = 0; more < 2; more++) {
        begin_alike(20);
        went(hidden, shown, 1, more ? 5.1 : 4.9);
        ck_assert(play(one, 1, 20) == !more);
        if (more)
            ck_assert(!traces.recorded && traces.count == 0);
        end();
    }
}
END_TEST

/* Two ranks that exchange messages, and meet so often where no window shows it. Each call is
 * followed by the other, or as often by itself. */
static bool play_exchange(bool by_itself, uint64_t meet)
{
    s = script_new(RANKS);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
    uint32_t unseen = script_site(s, "MPI_Barrier", 22);
    for (uint32_t r = 0; r < RANKS; r++) {
        int32_t other = r ? 0 : 1;
        model_collective(s->model, s->run, r, unseen, -1, meet);
        script_send(s, r, 1, out, other, 0);
        script_receive(s, r, 1, in, other, 0);
        for (uint32_t from = 0; from < 2; from++)
            for (uint32_t to = 0; to < 2; to++)
                if (by_itself || from != to)
                    model_work(s->model, s->run, r, from ? in : out, to ? in : out,
                               by_itself ? 10 : 20, work, by_itself ? 10 : 20);
    }
    return play(one, 1, 20);
}

START_TEST(windows_tell_the_order_where_totals_do_not)
{
    ck_assert(!play_exchange(false, 1));
    end();
    ck_assert(!play_exchange(true, 2));
    end();
    ck_assert(play_exchange(true, 1));
    ck_assert(traces.recorded);
    ck_assert_uint_eq(traces.traces[0].windows.nparts, 20);
    ck_assert_double_eq_tol(traces.traces[0].weight, 1, 1e-6);
    end();
}
END_TEST

/* However much lies before calls that no window leads to: it is walked beside them, by totals. */
START_TEST(what_no_window_leads_to_is_walked)
{
    begin_alike(20);
    went(0, shown, 1, 0);
    model_work(s->model, s->run, 0, shown, hidden, 1, work, 10);
    model_work(s->model, s->run, 1, shown, hidden, 1, work, 30);
    ck_assert(play(one, 1, 20));
    ck_assert_uint_eq(traces.count, 2);
    ck_assert_uint_eq(traces.shown, 1);
    ck_assert_double_eq(traces.traces[1].weight, 1);
    for (uint32_t r = 0; r < RANKS; r++) {
        const struct sca_event_sequence *of = &traces.traces[1].sequences[r];
        ck_assert_uint_eq(of->nevents, 3); /* to the call before, the call, the end */
        ck_assert_uint_eq(of->sites[1], shown);
        ck_assert_uint_eq(of->sites[2], hidden);
        ck_assert_double_eq(of->interval[0], 0);
        ck_assert_double_eq_tol(of->interval[1], r ? 30 : 10, 1e-9);
    }
    end();
}
END_TEST

START_TEST(only_what_all_ranks_kept)
{
    static const uint64_t partly[RANKS][WINDOWS] = {{5, 6, 7}, {7, 5, 8}};
    static const uint64_t apart[RANKS][WINDOWS] = {{5, 6}, {7, 8}};
    begin_alike(8);
    ck_assert(play(partly, 3, 8));
    ck_assert_uint_eq(traces.count, 2);
    for (uint32_t i = 0; i < 2; i++) /* both are of one class */
        ck_assert_double_eq_tol(traces.traces[i].weight, 4, 1e-4);
    end();
    begin_alike(8);
    ck_assert(!play(apart, 2, 8));
    end();
    begin_alike(8);
    ck_assert(!play(one, 0, 8));
    end();
}
END_TEST

/* Of equal iterations one may be of several steps: then they are not the same. */
START_TEST(windows_of_unlike_length_are_not_the_same)
{
    begin();
    s->windows[1].iterations = 2;
    went(shown, shown, 7, 7);
    ck_assert(!play(one, 1, 7));
    end();
}
END_TEST

/* A call that windows leave out comes back: a quarter of the time is before it. */
START_TEST(local_calls_are_put_back)
{
    begin();
    went(shown, hidden, 7, 1.75);
    went(hidden, shown, 7, 5.25);
    ck_assert(play(one, 1, 7));
    const struct sca_event_sequence *of = &traces.traces[0].sequences[1];
    ck_assert_uint_eq(of->nevents, 2);
    ck_assert_uint_eq(of->sites[1], hidden);
    ck_assert_uint_eq(of->sites[2], shown);
    check_went(1, 0, 0.25, 1e-9);
    check_went(1, 1, 0.75, 1e-9);
    ck_assert_uint_eq(of->ops[0].event, 1);
    end();
}
END_TEST

/* The run's first window begins after MPI_Init, whatever it ends with. */
START_TEST(the_first_window_begins_with_the_run)
{
    static const uint64_t start[RANKS][WINDOWS] = {{0}, {0}};
    begin();
    went(0, shown, 1, 1);
    went(shown, shown, 6, 6);
    ck_assert(play(start, 1, 7));
    ck_assert_uint_eq(traces.traces[0].sequences[0].sites[0], 0);
    end();
}
END_TEST

/* All of the run's instances take rank 1 a fifth longer than the one that the window has; which
 * stands for more of them than there were, as it had to for rank 1. */
START_TEST(instances_add_up_to_what_each_rank_takes_in_the_run)
{
    begin_apart(7, 7, 8.4);
    ck_assert(play(one, 1, 7));
    double weight = traces.traces[0].weight;
    ck_assert_double_gt(weight, 7);
    check_went(0, 0, 7 / weight, 1e-6);
    check_went(1, 0, 8.4 / weight, 1e-6);
    end();
}
END_TEST

/* What is shown of both is alike, and all that is shown adds up to what all ranks take. */
START_TEST(what_windows_show_is_kept_beside_what_adds_up)
{
    begin_apart(7, 7, 8.4);
    ck_assert(play(one, 1, 7));
    const struct sca_trace *trace = &traces.traces[0];
    double *all = sca_replay_trace_shown(&space, trace);
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_double_eq_tol(all[r], 7.7 / trace->weight, 1e-6);
        ck_assert_double_eq(sca_shown_of(&trace->sequences[r], 0), all[r]);
    }
    end();
}
END_TEST

/* A window that stands for itself holds what was measured, whatever the run has elsewhere. */
START_TEST(what_was_recorded_in_full_stays)
{
    begin_apart(1, 1.2, 1);
    ck_assert(play(one, 1, 1));
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq(traces.traces[0].sequences[r].interval[0], 1);
    end();
}
END_TEST

/* How often a call that windows leave out was made in them is not known: polls may have been many.
 */
START_TEST(before_calls_that_windows_leave_out_nothing_is_changed)
{
    begin();
    went(shown, hidden, 70, 1.4);
    went(hidden, shown, 7, 5.6);
    ck_assert(play(one, 1, 7));
    check_went(1, 0, 0.024, 1e-3);
    check_went(1, 1, 0.8, 1e-3); /* a seventh of 5.6 */
    end();
}
END_TEST

static void check_length(uint32_t rank, uint32_t nevents, uint32_t call)
{
    const struct sca_event_sequence *of = &traces.traces[0].sequences[rank];
    ck_assert_uint_eq(of->nevents, nevents);
    ck_assert_uint_eq(of->nops, 1);
    ck_assert_uint_eq(of->ops[0].event, call);
    ck_assert_uint_eq(of->sites[nevents], shown);
}

/* Once a rank comes to the call from another one, in a step that was not kept: the twenty steps
 * that the window stands for take that long in all, and it stands for as many as ever. */
START_TEST(what_no_window_shows_is_put_before_the_call_it_leads_to)
{
    begin_alike(20);
    model_work(s->model, s->run, 1, hidden, shown, 1, work, 2);
    ck_assert(play(one, 1, 20));
    ck_assert_double_eq_tol(traces.traces[0].weight, 20, 1e-4);
    check_length(0, 1, 0);
    check_length(1, 3, 2);
    check_went(1, 0, 1, 1e-9);
    check_went(1, 1, 0, 1e-9);
    check_went(1, 2, 0.1, 1e-4);
    ck_assert_uint_eq(traces.traces[0].sequences[1].sites[2], hidden);
    end();
}
END_TEST

/* Less than a run takes longer by chance, or before a call that no window comes to. */
START_TEST(what_has_no_place_in_a_window_is_left_out)
{
    begin_alike(20);
    model_work(s->model, s->run, 0, hidden, shown, 1, work, 0.004);
    model_work(s->model, s->run, 1, shown, hidden, 1, work, 2);
    ck_assert(play(one, 1, 20));
    check_length(0, 1, 0);
    check_length(1, 1, 0);
    end();
}
END_TEST

SCA_SUITE("window trace", a_window_is_a_scene_that_stands_for_all_alike,
          what_stands_for_nothing_is_no_scene, windows_that_stand_for_nothing_alone_are_none,
          most_of_the_computation_must_be_shown, what_no_window_leads_to_is_walked,
          windows_tell_the_order_where_totals_do_not, only_what_all_ranks_kept,
          windows_of_unlike_length_are_not_the_same, local_calls_are_put_back,
          the_first_window_begins_with_the_run, instances_add_up_to_what_each_rank_takes_in_the_run,
          what_windows_show_is_kept_beside_what_adds_up, what_was_recorded_in_full_stays,
          before_calls_that_windows_leave_out_nothing_is_changed,
          what_no_window_shows_is_put_before_the_call_it_leads_to,
          what_has_no_place_in_a_window_is_left_out)
