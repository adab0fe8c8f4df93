/* What the threads of a parallel region take, as the runtime's entries tell it. */
#include "threads/team.h"
#include "busy.h"
#include "recording.h"
#include "sampling/threads.h"
#include "threads/phase.h"

#include <pthread.h>

enum { MS = 1000000 };

static struct sca_team_region *fork_team(void)
{
    struct sca_team_region *region =
        sca_team_fork(__builtin_return_address(0), __builtin_dwarf_cfa(), NULL);
    ck_assert_ptr_nonnull(region);
    return region;
}

static uint64_t second_ns; /* what its work took */

static void *second_thread(void *region)
{
    sca_team_begin(region);
    second_ns = work(20 * MS);
    sca_team_end();
    return NULL;
}

static void *idle_thread(void *region)
{
    sca_team_begin(region);
    sca_team_end();
    return NULL;
}

static void run_beside(void *(*function)(void *), void *region)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, region), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

static uint64_t booked_ns(enum sca_part_sample_kind kind)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    uint64_t ns = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        ns += samples[i].in_mpi == kind ? samples[i].length_ns : 0;
    return ns;
}

/* A thread spins until its turn comes, but the one before it was done long ago. */
START_TEST(spinning_for_a_turn_that_is_over_is_no_wait)
{
    start_recording();
    struct sca_team_region *region = fork_team();
    uint32_t thread;
    sca_team_begin(region);
    work(20 * MS);
    (void)sca_team_turn_come(sca_team_turn_begin(), 0, &thread);
    sca_team_turn_over(0);
    uint64_t began_ns = sca_team_turn_begin();
    work(20 * MS);
    ck_assert_uint_lt(sca_team_turn_come(began_ns, 0, &thread), 5 * MS);
    sca_team_end();
    sca_team_join(region);
}
END_TEST

static uint64_t before_turn_ns; /* what that work took */

static void *thread_with_turn(void *region)
{
    sca_team_begin(region);
    before_turn_ns = work(20 * MS);
    sca_team_turn_over(7);
    work(20 * MS);
    sca_team_end();
    return NULL;
}

/* Of a loop whose iterations wait for others, each for its own. */
START_TEST(a_thread_waits_for_the_turn_that_it_needs)
{
    start_recording();
    struct sca_team_region *region = fork_team();
    uint32_t thread;
    run_beside(thread_with_turn, region);
    sca_team_begin(region);
    uint64_t own_ns = work(5 * MS);
    ck_assert_uint_eq(sca_team_turn_come(sca_team_turn_begin(), 8, &thread), 0);
    uint64_t ns = sca_team_turn_come(sca_team_turn_begin(), 7, &thread);
    ck_assert_uint_ge(ns + own_ns + 5 * MS, before_turn_ns);
    ck_assert_uint_lt(ns, before_turn_ns);
    ck_assert_uint_ne(thread, sca_threads_number());
    sca_team_end();
    sca_team_join(region);
}
END_TEST

START_TEST(a_thread_waits_for_the_team_that_it_forks_inside)
{
    start_recording();
    struct sca_team_region *region = fork_team(), *inside;
    run_beside(idle_thread, region); /* a team has more than one */
    sca_team_begin(region);
    uint64_t first_ns = work(5 * MS);
    inside = fork_team();
    sca_team_begin(inside);
    work(2 * MS);
    sca_team_end();
    run_beside(second_thread, inside);
    sca_team_join(inside);
    sca_team_end();
    sca_team_join(region);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_REGION), 25 * MS);
    ck_assert_uint_lt(booked_ns(SCA_SAMPLE_REGION), first_ns + second_ns + 5 * MS);
}
END_TEST

static uint64_t most_ns; /* of the threads of the region inside */

static void fork_uneven(struct sca_team_region *region, bool pieces)
{
    struct sca_team_region *inside;
    run_beside(idle_thread, region);
    sca_team_begin(region);
    inside = fork_team();
    sca_team_begin(inside);
    if (pieces)
        sca_team_next_piece(true);
    work(2 * MS);
    sca_team_end();
    run_beside(second_thread, inside);
    most_ns = second_ns;
    sca_team_join(inside);
    sca_team_end();
    sca_team_join(region);
}

/* 2 ms by one thread, 20 by the other: 9 less if both had 11. */
START_TEST(threads_of_a_region_inside_are_uneven)
{
    start_recording();
    fork_uneven(fork_team(), false);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_REGION), 20 * MS);
    ck_assert_uint_le(booked_ns(SCA_SAMPLE_INNER_REGION), most_ns + 5 * MS);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_UNEVEN), 5 * MS);
    ck_assert_uint_le(booked_ns(SCA_SAMPLE_INNER_UNEVEN), booked_ns(SCA_SAMPLE_INNER_REGION) / 2);
}
END_TEST

/* Who has taken a piece is chance. */
START_TEST(pieces_of_a_region_inside_are_nobody_s)
{
    start_recording();
    fork_uneven(fork_team(), true);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_REGION), 20 * MS);
    ck_assert_uint_eq(booked_ns(SCA_SAMPLE_INNER_UNEVEN), 0);
}
END_TEST

/* A region that is two levels inside is not followed; its threads' part of the one around it is. */
static void *thread_with_team(void *region)
{
    sca_team_begin(region);
    struct sca_team_region *deeper =
        sca_team_fork(__builtin_return_address(0), __builtin_dwarf_cfa(), NULL);
    ck_assert_ptr_null(deeper);
    sca_team_begin(deeper);
    second_ns = work(20 * MS);
    sca_team_end();
    sca_team_join(deeper);
    sca_team_end();
    return NULL;
}

START_TEST(a_region_in_a_region_inside_is_part_of_it)
{
    start_recording();
    struct sca_team_region *region = fork_team(), *inside;
    run_beside(idle_thread, region);
    sca_team_begin(region);
    inside = fork_team();
    run_beside(thread_with_team, inside);
    thread_with_team(inside);
    sca_team_join(inside);
    sca_team_end();
    sca_team_join(region);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_REGION), 20 * MS);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_REGION), 20 * MS);
}
END_TEST

/* First 2 ms, and 20 behind the barrier; the other one likewise the other way round. */
static void work_around_barrier(bool late, uint64_t *first_ns, uint64_t *then_ns)
{
    *first_ns = work(late ? 2 * MS : 20 * MS);
    bool waits = sca_team_arrive();
    ck_assert(waits);
    work(20 * MS); /* spins there */
    sca_team_depart();
    *then_ns = work(late ? 20 * MS : 2 * MS);
}

static uint64_t first_ns, then_ns; /* of the second thread */

static void *second_around_barrier(void *region)
{
    sca_team_begin(region);
    work_around_barrier(false, &first_ns, &then_ns);
    sca_team_end();
    return NULL;
}

START_TEST(a_region_inside_has_barriers_of_its_own)
{
    uint64_t own_first_ns, own_then_ns;
    start_recording();
    struct sca_team_region *region = fork_team(), *inside;
    run_beside(idle_thread, region);
    sca_team_begin(region);
    inside = fork_team();
    run_beside(second_around_barrier, inside);
    sca_team_begin(inside);
    work_around_barrier(true, &own_first_ns, &own_then_ns);
    sca_team_end();
    sca_team_join(inside);
    sca_team_end();
    sca_team_join(region);
    uint64_t longest_ns = first_ns + own_then_ns;
    uint64_t even_ns = (longest_ns + own_first_ns + then_ns) / 2;
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_REGION) + MS, longest_ns);
    ck_assert_uint_le(booked_ns(SCA_SAMPLE_INNER_REGION), longest_ns + 5 * MS);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_INNER_UNEVEN) + 5 * MS, longest_ns - even_ns);
    ck_assert_uint_le(booked_ns(SCA_SAMPLE_INNER_UNEVEN), longest_ns - even_ns + 5 * MS);
}
END_TEST

static uint64_t call_mpi(uint32_t site)
{
    struct sca_interval before;
    sca_interval_close(sca_clock_now(), &before);
    work(5 * MS);
    sca_interval_open(site, sca_clock_now());
    return sca_interval_own(&before);
}

static void pass_barrier(void)
{
    if (sca_team_arrive())
        sca_team_depart();
}

START_TEST(each_interval_has_its_part_of_a_region)
{
    start_recording();
    sca_clock_set_crowded(true);
    struct sca_team_region *region = fork_team();
    run_beside(idle_thread, region);
    sca_team_begin(region);
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t took_ns = work(20 * MS);
        pass_barrier();
        uint64_t own_ns = call_mpi(0);
        ck_assert_uint_ge(own_ns, 20 * MS);
        ck_assert_uint_lt(own_ns, took_ns + 5 * MS);
        pass_barrier();
    }
    sca_team_end();
    sca_team_join(region);
    ck_assert_uint_lt(call_mpi(0), 5 * MS);
    sca_clock_set_crowded(false);
}
END_TEST

static uint64_t told_ns, worked_ns; /* of a thread's interval; what it did itself in it */

static void wait_at_barrier(void)
{
    bool waits = sca_team_arrive();
    work(20 * MS);
    if (waits)
        sca_team_depart();
}

/* It spins at a barrier, for its turn, and until the next region. */
static void *calling_thread(void *region)
{
    struct sca_interval interval;
    uint32_t thread;
    sca_interval_open(0, sca_clock_now());
    sca_team_begin(region);
    worked_ns = work(5 * MS);
    wait_at_barrier();
    worked_ns += work(5 * MS);
    uint64_t began_ns = sca_team_turn_begin();
    work(20 * MS);
    (void)sca_team_turn_come(began_ns, 7, &thread);
    sca_team_end();
    work(20 * MS);
    sca_team_begin(NULL);
    worked_ns += work(5 * MS);
    sca_interval_close(sca_clock_now(), &interval);
    sca_team_end();
    told_ns = sca_interval_own(&interval);
    return NULL;
}

static void ck_told(void)
{
    ck_assert_uint_ge(told_ns, worked_ns - MS);
    ck_assert_uint_le(told_ns, worked_ns + 5 * MS);
}

static void check_calling_thread(bool crowded)
{
    start_recording();
    sca_clock_set_crowded(crowded);
    struct sca_team_region *region = fork_team();
    run_beside(calling_thread, region);
    ck_told();
    sca_team_begin(region);
    sca_team_end();
    sca_team_join(region);
    sca_clock_set_crowded(false);
}

START_TEST(what_a_thread_waits_for_its_team_is_not_of_its_interval)
{
    check_calling_thread(false);
}
END_TEST

START_TEST(nor_where_cores_are_shared)
{
    check_calling_thread(true);
}
END_TEST

/* A barrier of a region inside, a task that it runs as it waits for the next region. */
static void *calling_thread_inside(void *region)
{
    struct sca_interval interval;
    sca_interval_open(0, sca_clock_now());
    sca_team_begin(region);
    worked_ns = work(5 * MS);
    wait_at_barrier();
    worked_ns += work(5 * MS);
    sca_team_end();
    work(20 * MS);
    enum sca_team_state before = sca_team_turn_to(SCA_TEAM_PIECE);
    worked_ns += work(5 * MS);
    (void)sca_team_turn_to(before);
    sca_interval_close(sca_clock_now(), &interval);
    told_ns = sca_interval_own(&interval);
    return NULL;
}

START_TEST(nor_what_it_waits_for_a_team_inside)
{
    start_recording();
    struct sca_team_region *region = fork_team();
    sca_team_begin(region);
    run_beside(calling_thread_inside, fork_team());
    ck_told();
}
END_TEST

/* ---- tasks that depend on others ---- */

static const char row;
static struct sca_team_region *region_of_tasks;

static void run_task(uint32_t task)
{
    (void)sca_team_set_task(task);
    (void)sca_team_turn_to(SCA_TEAM_PIECE);
    work(10 * MS);
    (void)sca_team_set_task(0);
    (void)sca_team_turn_to(SCA_TEAM_WAITS);
}

static void *second_task(void *task)
{
    sca_team_begin(region_of_tasks);
    run_task(*(uint32_t *)task);
    sca_team_end();
    return NULL;
}

/* Each of two threads has one, of 10 ms: with a core for each, too, the second task begins when the
 * first is done. */
static void do_tasks(bool depends)
{
    uint32_t tasks[2] = {0};
    start_recording();
    region_of_tasks = fork_team();
    sca_team_begin(region_of_tasks);
    const struct sca_depend on = {&row, SCA_DEPEND_OUT};
    for (int i = 0; i < 2 && depends; i++) {
        tasks[i] = sca_team_make_task(&on, 1, __builtin_return_address(0), __builtin_dwarf_cfa(),
                                      (const void *)second_task);
        ck_assert_uint_ne(tasks[i], 0);
    }
    run_task(tasks[0]);
    run_beside(second_task, &tasks[1]);
    sca_team_end();
    sca_team_join(region_of_tasks);
}

START_TEST(tasks_that_depend_on_each_other_take_their_sum)
{
    do_tasks(true);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_REGION), 20 * MS);
    ck_assert_uint_ge(booked_ns(SCA_SAMPLE_CHAIN), 8 * MS);
    ck_assert_uint_lt(booked_ns(SCA_SAMPLE_UNEVEN), 2 * MS);
}
END_TEST

/* Behind a barrier tasks have the same numbers as before it. */
START_TEST(a_task_that_is_made_behind_a_barrier_is_none_before_it)
{
    const struct sca_depend on = {&row, SCA_DEPEND_OUT};
    start_recording();
    struct sca_team_region *region = fork_team();
    sca_team_begin(region);
    uint32_t before = sca_team_make_task(&on, 1, __builtin_return_address(0), __builtin_dwarf_cfa(),
                                         (const void *)run_task);
    ck_assert(sca_team_arrive());
    sca_team_depart();
    uint32_t behind = sca_team_make_task(&on, 1, __builtin_return_address(0), __builtin_dwarf_cfa(),
                                         (const void *)run_task);
    ck_assert_uint_ne(behind, before);
    run_task(before);
    sca_team_end();
    ck_assert_uint_eq(sca_phases[1].pieces.n, 1);
    ck_assert_uint_eq(sca_phases[1].pieces.task[0], 0);
    sca_team_join(region);
}
END_TEST

START_TEST(tasks_that_do_not_are_done_at_once)
{
    do_tasks(false);
    ck_assert_uint_eq(booked_ns(SCA_SAMPLE_CHAIN), 0);
}
END_TEST

SCA_SUITE("team", a_task_that_is_made_behind_a_barrier_is_none_before_it,
          tasks_that_depend_on_each_other_take_their_sum, tasks_that_do_not_are_done_at_once,
          what_a_thread_waits_for_its_team_is_not_of_its_interval, nor_where_cores_are_shared,
          nor_what_it_waits_for_a_team_inside, a_region_inside_has_barriers_of_its_own,
          threads_of_a_region_inside_are_uneven, pieces_of_a_region_inside_are_nobody_s,
          a_region_in_a_region_inside_is_part_of_it, spinning_for_a_turn_that_is_over_is_no_wait,
          a_thread_waits_for_the_team_that_it_forks_inside, each_interval_has_its_part_of_a_region,
          a_thread_waits_for_the_turn_that_it_needs)
