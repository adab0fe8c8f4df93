/* The way between two recorded calls through those that windows leave out. */
#include "trace/local_calls.h"
#include "measured.h"
#include "replay_script.h"
#include "check_main.h"

#include <stdlib.h>

static struct script *s;
static struct sca_workspace space;
static struct sca_detours detours;
static uint32_t work, from, to, x, y;

/* Windows have the first two calls only. */
static void begin(void)
{
    s = script_new(1);
    work = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    from = script_site(s, "MPI_Barrier", 20);
    to = script_site(s, "MPI_Allreduce", 21);
    x = script_site(s, "MPI_Comm_rank", 22);
    y = script_site(s, "MPI_Get_count", 23);
    script_call(s, 0, 1, from);
    script_call(s, 0, 1, to);
}

/* It went so often from one call to the next, in so many seconds altogether. */
static void went(uint32_t previous, uint32_t site, uint64_t count, double seconds)
{
    model_work(s->model, s->run, 0, previous, site, count, work, seconds);
}

static void open_rank(void)
{
    struct sca_profile *profile = (struct sca_profile *)model_ppg(s->model)->runs[s->run].profile;
    profile->ranks[0].nwindows = 1;
    profile->ranks[0].windows = &s->windows[0];
    space = test_room();
    sca_local_calls_open(&space, profile, &detours);
    sca_local_calls_of_rank(&detours, 0);
}

static void end(void)
{
    sca_local_calls_close(&detours);
    sca_workspace_free(&space);
    model_free(s->model);
    free(s);
}

/* Between `from` and `to`: the call on the way, SCA_NONE if there is none. */
static uint32_t passed(void)
{
    open_rank();
    const struct sca_local_calls_detour *d = sca_local_calls_detour(&detours, from, to);
    uint32_t by = d->nhops == 2 ? d->hops[0].site : SCA_NONE;
    ck_assert_uint_le(d->nhops, 2);
    ck_assert_uint_eq(d->hops[0].previous, from);
    ck_assert_uint_eq(d->hops[d->nhops - 1].site, to);
    end();
    return by;
}

START_TEST(windows_tell_what_is_left_out)
{
    begin();
    went(from, x, 10, 1);
    went(x, to, 10, 1);
    open_rank();
    ck_assert(!detours.left_out[from] && !detours.left_out[to]);
    ck_assert(detours.left_out[x] && detours.left_out[y]);
    ck_assert(detours.leads_away[from] && !detours.leads_away[to] && !detours.leads_away[x]);
    end();
}
END_TEST

/* A tenth of a second to the call, three tenths from there on. */
START_TEST(time_is_divided_as_the_intervals_took_it)
{
    begin();
    went(from, x, 10, 1);
    went(x, to, 20, 6);
    open_rank();
    const struct sca_local_calls_detour *d = sca_local_calls_detour(&detours, from, to);
    ck_assert_uint_eq(d->nhops, 2);
    ck_assert_uint_eq(d->hops[0].site, x);
    ck_assert_uint_eq(d->hops[1].previous, x);
    ck_assert_double_eq_tol(d->hops[0].part, 0.25, 1e-9);
    ck_assert_double_eq_tol(d->hops[1].part, 0.75, 1e-9);
    ck_assert_ptr_eq(sca_local_calls_detour(&detours, from, to), d); /* known by now */
    end();
}
END_TEST

START_TEST(without_any_time_the_last_one_has_all)
{
    begin();
    went(from, x, 10, 0);
    went(x, y, 10, 0);
    went(y, to, 10, 0);
    open_rank();
    const struct sca_local_calls_detour *d = sca_local_calls_detour(&detours, from, to);
    ck_assert_uint_eq(d->nhops, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_double_eq(d->hops[i].part, i == 2 ? 1 : 0);
    end();
}
END_TEST

/* The direct way has gone five times, the one by x ten times, or four. */
START_TEST(the_way_that_was_gone_most_often)
{
    for (int often = 0; often < 2; often++) {
        begin();
        went(from, to, 5, 1);
        went(from, x, often ? 10 : 4, 1);
        went(x, to, often ? 10 : 4, 1);
        ck_assert_uint_eq(passed(), often ? x : SCA_NONE);
    }
}
END_TEST

/* Ten times to x, but only three times on from there; by y five times all along. */
START_TEST(the_rarest_part_of_a_way_counts)
{
    for (int often = 0; often < 2; often++) {
        begin();
        went(from, x, 10, 1);
        went(x, to, often ? 6 : 3, 1);
        went(from, y, 5, 1);
        went(y, to, 5, 1);
        ck_assert_uint_eq(passed(), often ? x : y);
    }
}
END_TEST

/* Recorded calls are no way to others: a window would have them. */
START_TEST(what_nobody_knows_a_way_for_is_direct)
{
    begin();
    went(from, x, 10, 1);
    ck_assert_uint_eq(passed(), SCA_NONE);
    begin();
    went(from, x, 10, 1);
    went(x, from, 10, 1);
    went(from, to, 2, 1);
    ck_assert_uint_eq(passed(), SCA_NONE);
    begin();
    went(from, to, 10, 1);
    open_rank();
    const struct sca_local_calls_detour *d = sca_local_calls_detour(&detours, SCA_NONE, from);
    ck_assert_uint_eq(d->nhops, 1);
    ck_assert_uint_eq(d->hops[0].previous, SCA_NONE);
    ck_assert_uint_eq(d->hops[0].site, from);
    ck_assert_double_eq(d->hops[0].part, 1);
    end();
}
END_TEST

/* Left once more than come to; in a circle there is none. */
START_TEST(a_rank_starts_where_nothing_leads_to)
{
    for (int circle = 0; circle < 2; circle++) {
        begin();
        went(from, to, 10, 1);
        went(to, from, circle ? 10 : 9, 1);
        if (!circle)
            went(0, from, 1, 1);
        open_rank();
        ck_assert_uint_eq(detours.start, circle ? SCA_NONE : 0);
        end();
    }
}
END_TEST

SCA_SUITE("local calls", windows_tell_what_is_left_out, time_is_divided_as_the_intervals_took_it,
          without_any_time_the_last_one_has_all, the_way_that_was_gone_most_often,
          the_rarest_part_of_a_way_counts, what_nobody_knows_a_way_for_is_direct,
          a_rank_starts_where_nothing_leads_to)
