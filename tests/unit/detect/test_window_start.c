/* The call that came before a window's first. */
#include "trace/window_start.h"
#include "measured.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

static struct script *s;
static uint32_t work, first, last, before, local;

/* A window of two calls, of which the first comes after 1 s; windows have `before` as well. */
static void begin(void)
{
    s = script_new(1);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    first = script_site(s, "MPI_Irecv", 20);
    last = script_site(s, "MPI_Waitall", 21);
    before = script_site(s, "MPI_Barrier", 22);
    local = script_site(s, "MPI_Comm_rank", 23);
    script_call(s, 0, 1, first);
    script_call(s, 0, 0.1, before);
    script_call(s, 0, 0.1, last);
    s->windows[0].iteration = 4;
}

/* So often, in so many seconds altogether. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double seconds)
{
    model_work(s->model, s->run, 0, previous, site, count, work, seconds);
}

static uint32_t found(void)
{
    struct sca_workspace space = test_room();
    struct sca_detours detours;
    struct sca_profile *profile = (struct sca_profile *)model_ppg(s->model)->runs[s->run].profile;
    profile->ranks[0].nwindows = 1;
    profile->ranks[0].windows = &s->windows[0];
    sca_local_calls_open(&space, profile, &detours);
    sca_local_calls_of_rank(&detours, 0);
    uint32_t call = sca_window_start_call(&detours, &s->windows[0]);
    sca_local_calls_close(&detours);
    sca_workspace_free(&space);
    model_free(s->model);
    free(s);
    return call;
}

START_TEST(it_is_the_last_one_if_that_leads_there)
{
    begin();
    went(last, first, 10, 0.01);
    went(before, first, 10, 10);
    ck_assert_uint_eq(found(), last);
}
END_TEST

/* Ten thousand times from itself, and once, as long as the window says. */
START_TEST(else_the_one_after_which_it_takes_as_long)
{
    begin();
    went(first, first, 10000, 0.01);
    went(before, first, 1, 1.1);
    ck_assert_uint_eq(found(), before);
}
END_TEST

START_TEST(of_two_that_take_as_long_the_usual_one)
{
    begin();
    went(local, first, 1, 1);
    went(before, first, 100, 120);
    ck_assert_uint_eq(found(), before);
}
END_TEST

START_TEST(calls_that_windows_leave_out_are_passed)
{
    begin();
    went(before, local, 1, 0.1);
    went(local, first, 1, 1);
    ck_assert_uint_eq(found(), before);
}
END_TEST

START_TEST(where_nothing_leads_there_it_is_the_last_one)
{
    begin();
    went(first, last, 1, 1);
    ck_assert_uint_eq(found(), last);
}
END_TEST

SCA_SUITE("window_start", it_is_the_last_one_if_that_leads_there,
          else_the_one_after_which_it_takes_as_long, of_two_that_take_as_long_the_usual_one,
          calls_that_windows_leave_out_are_passed, where_nothing_leads_there_it_is_the_last_one)
