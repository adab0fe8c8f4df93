/* Where ranks share cores and yield, samples are taken in some segments between waits. A yield
 * gives a busy core's others a slice each, so the tests need few. */
#include "sampling/idle.h"
#include "sampled.h"
#include "check_main.h"

#include <sched.h>
#include <stdlib.h>

HOT(hot_one)
HOT(hot_two)

/* As long by the clock on the wall, but for what interrupts take: time that leaps is no work. */
#define SPIN(name)                                                                                 \
    extern const char __start_code_##name[], __stop_code_##name[];                                 \
    static __attribute__((noinline, section("code_" #name))) void name(uint64_t ns)                \
    {                                                                                              \
        uint64_t done = 0, last = sca_clock_now();                                                 \
        while (done < ns) {                                                                        \
            for (int i = 0; i < 200; i++)                                                          \
                sink += i * 0.5;                                                                   \
            uint64_t now = sca_clock_now();                                                        \
            done += now - last < 2000 ? now - last : 0;                                            \
            last = now;                                                                            \
        }                                                                                          \
    }
SPIN(spin_one)
SPIN(spin_two)

/* Yields as an MPI library that waits does: the first is what begins the wait. */
static void wait_in_mpi(int yields)
{
    sca_thread.in_mpi++;
    for (int i = 0; i < yields; i++)
        sched_yield();
    sca_thread.in_mpi--;
    if (sca_thread.waits)
        sca_idle_exit(0, false, 0);
}

/* CPU time in hot_one and in both, by the thread's clock. */
struct worked {
    uint64_t one_ns, all_ns;
};

/* Some waits are longer, and each follows another at once. */
static struct worked work_and_wait(uint64_t cpu_ns)
{
    struct worked done = {0};
    for (int i = 0; done.all_ns < cpu_ns; i++) {
        uint64_t begin = sca_clock_cpu();
        hot_one(MS / 2);
        done.one_ns += sca_clock_cpu() - begin;
        hot_two(3 * MS / 2);
        done.all_ns += sca_clock_cpu() - begin;
        wait_in_mpi(1);
        wait_in_mpi(i % 32 ? 1 : 20);
    }
    return done;
}

START_TEST(in_some_segments_where_ranks_yield)
{
    sca_clock_set_crowded(true);
    open_run_at(SELDOM_HZ, "", true); /* faster samples would change what they measure */
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return; /* counters of the hardware need no choice */
    uint64_t tool = sca_arena_header()->tool_ns;
    struct worked done = work_and_wait(600 * MS);
    sca_sampler_stop();
    uint64_t one = samples_between(__start_code_hot_one, __stop_code_hot_one);
    uint64_t two = samples_between(__start_code_hot_two, __stop_code_hot_two);
    ck_assert_uint_gt(one + two, 120 / 4); /* in few segments, many in each */
    ck_assert_uint_lt(one + two, 120 * 4);
    ck_assert_double_eq_tol((double)one / (double)(one + two),
                            (double)done.one_ns / (double)done.all_ns, 0.12);
    ck_assert_uint_gt(sca_arena_header()->tool_ns, tool);
}
END_TEST

/* As its first yield begins it and its end ends it, but nobody else gets the core. */
static void wait_without_yield(void)
{
    sca_thread.waits = true;
    sca_sampler_pause(true);
    sca_idle_exit(0, false, 0);
}

static void wait_after(uint32_t call, bool yields)
{
    sca_thread.previous = call;
    if (yields)
        wait_in_mpi(2);
    else
        wait_without_yield();
}

/* A clock that is set for less than the kernel takes to set it must bring no more samples than
 * others: else these are 127 to 190, not 48. */
START_TEST(in_segments_that_are_shorter_than_a_sample)
{
    enum { ROUNDS = 6000, BRIEF_NS = 8000, LONG_NS = 300000 };
    sca_clock_set_crowded(true);
    open_run_at(HZ, "", true);
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return;
    for (int i = 0; i < ROUNDS; i++) {
        wait_after(1, i % 64 == 0);
        spin_one(BRIEF_NS);
        wait_after(2, i % 64 == 0);
        spin_two(LONG_NS);
    }
    sca_sampler_stop();
    double one = (double)samples_between(__start_code_spin_one, __stop_code_spin_one);
    double two = (double)samples_between(__start_code_spin_two, __stop_code_spin_two);
    ck_assert_double_eq_tol(two, 1800, 360);
    ck_assert_double_gt(one, 48 / 4); /* by chance as many as that, or twice */
    ck_assert_double_lt(one, 48 * 2.1);
}
END_TEST

/* Short segments, and then one that nobody could expect. */
START_TEST(in_a_segment_longer_than_usual)
{
    sca_clock_set_crowded(true);
    open_run_at(SELDOM_HZ, "", true);
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return;
    for (int i = 0; i < 50; i++) {
        hot_one(MS / 10);
        wait_in_mpi(1);
    }
    hot_two(600 * MS);
    sca_sampler_stop();
    about(samples_between(__start_code_hot_two, __stop_code_hot_two), 120);
}
END_TEST

/* From its first yield on a waiting thread is not sampled, whatever it does. */
START_TEST(not_while_it_waits)
{
    sca_clock_set_crowded(true);
    open_run_at(HZ, "", true);
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return;
    sca_thread.in_mpi++;
    sched_yield();
    uint64_t before = sca_arena_header()->samples;
    hot_one(50 * MS);
    sched_yield();
    hot_one(50 * MS);
    ck_assert_uint_eq(sca_arena_header()->samples, before);
    sca_thread.in_mpi--;
    sca_idle_exit(0, false, 0);
    hot_two(100 * MS);
    sca_sampler_stop();
    ck_assert_uint_gt(samples_between(__start_code_hot_two, __stop_code_hot_two), 20);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sampler_yields");
    TCase *tests = tcase_create("stretches");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, in_some_segments_where_ranks_yield);
    tcase_add_test(tests, in_segments_that_are_shorter_than_a_sample);
    tcase_add_test(tests, in_a_segment_longer_than_usual);
    tcase_add_test(tests, not_while_it_waits);
    suite_add_tcase(suite, tests);
    return suite;
}
