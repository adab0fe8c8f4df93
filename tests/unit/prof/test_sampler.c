/* Samples land where the work is, on every thread, by PAPI and by timers. */
#include "sampled.h"
#include "sampling/sampler_rate.h"
#include "check_main.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static bool steady = true;

HOT(hot_one)
HOT(hot_two)

static void open_run(unsigned frequency, const char *events)
{
    open_run_at(frequency, events, steady);
}

static uint64_t metric_sum(int metric)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        sum += samples[i].metric[metric];
    return sum;
}

/* The rest falls on who asks the clock: the kernel takes the longer for that, the busier it is. */
static void most(uint64_t part, uint64_t whole)
{
    ck_assert_uint_gt(whole, 0);
    ck_assert_msg(part * 4 >= whole * 3, "%lu of %lu samples", (long)part, (long)whole);
}

/* PAPI is the program's own, and the kernel's clock finds no descriptor. */
static void open_run_by_timer(unsigned frequency, const char *events)
{
    struct rlimit limit, none;
    ck_assert_ptr_nonnull(dlopen(PAPI_LIBRARY, RTLD_NOW));
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = (struct rlimit){0, limit.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
    open_run(frequency, events);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Works until the last of so many samples has just been taken, and with it all that were due:
 * timers are looked at by the kernel's ticks, which on a core that others use come when they may.
 * Returns what all samples should stand for, of a thread that began to work at that time of its
 * clock. */
static uint64_t periods_due(void (*hot)(uint64_t), unsigned samples, uint64_t begin_ns)
{
    const struct sca_part_header *header = sca_arena_header();
    while (samples) {
        uint64_t before = header->samples;
        hot(MS);
        samples -= header->samples != before;
    }
    return (sca_clock_cpu() - begin_ns) / header->sample_period_ns;
}

static void land_in_the_loop(const char *backend)
{
    const struct sca_part_header *header = sca_arena_header();
    uint64_t begin_ns = sca_clock_cpu();
    hot_one(400 * MS);
    uint64_t due = periods_due(hot_one, 60, begin_ns);
    sca_sampler_stop();
    ck_assert_ptr_nonnull(strstr(meta("sampling"), backend));
    about(header->samples, due);
    most(samples_between(__start_code_hot_one, __stop_code_hot_one), header->samples);
    ck_assert_str_eq(meta("callpaths.truncated"), "0");
}

START_TEST(by_papi)
{
    open_run(HZ, "");
    ck_assert_msg(!strncmp(meta("sampling"), "PAPI_TOT_CYC", 12) ||
                      !strncmp(meta("sampling"), "perf::TASK-CLOCK", 16),
                  "%s", meta("sampling"));
    land_in_the_loop("");
}
END_TEST

START_TEST(by_timer)
{
    open_run_by_timer(HZ, "");
    ck_assert_int_eq(strncmp(meta("sampling"), "timer;", 6), 0);
    land_in_the_loop("perf::TASK-CLOCK: EMFILE");
}
END_TEST

static void work_until_rare(void (*hot)(uint64_t), unsigned periods)
{
    while (sca_sampler_rate_periods() < periods)
        hot(MS);
}

/* Of two loops the second is seen by fewer samples for its time, which stand for more: for `most`
 * periods at most, on the mean. */
static void become_rarer(uint64_t most)
{
    uint64_t begin_ns = sca_clock_cpu();
    work_until_rare(hot_one, 4);
    uint64_t of_one = periods_due(hot_one, 1, begin_ns);
    work_until_rare(hot_two, 8);
    uint64_t due = periods_due(hot_two, 1, begin_ns);
    sca_sampler_stop();
    uint64_t all = sca_arena_header()->samples,
             squares = strtoull(meta("sampling.squares"), NULL, 10);
    ck_assert_str_eq(meta("sampling.periods"), "8");
    ck_assert_msg(squares > 2 * all && squares / all < most, "%lu of %lu", (long)squares,
                  (long)all);
    about(all, due);
    about(samples_between(__start_code_hot_one, __stop_code_hot_one), of_one);
    about(samples_between(__start_code_hot_two, __stop_code_hot_two), due - of_one);
}

START_TEST(rarer_as_they_add_up)
{
    steady = false;
    open_run(HZ, "");
    if (strncmp(meta("sampling"), "PAPI_TOT_CYC", 12))
        become_rarer(16);
}
END_TEST

START_TEST(rarer_as_they_add_up_by_timer)
{
    steady = false;
    open_run_by_timer(HZ, "");
    become_rarer(UINT64_MAX); /* all that is due between two ticks is one sample */
}
END_TEST

START_TEST(switched_off)
{
    open_run(0, "");
    hot_one(50 * MS);
    sca_sampler_stop();
    ck_assert_uint_eq(sca_arena_header()->samples, 0);
    ck_assert_uint_eq(sca_arena_header()->sample_period_ns, 0);
}
END_TEST

static void *run_two(void *how)
{
    hot_two(200 * MS);
    if (how)
        pthread_exit(how);
    return how;
}

static void sample_threads(void)
{
    pthread_t thread[4];
    for (long i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run_two, (void *)(i % 2)), 0);
    hot_one(200 * MS);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    sca_sampler_stop();
    uint64_t per_thread = 200 * 1000 / (sca_arena_header()->sample_period_ns / 1000);
    about(samples_between(__start_code_hot_one, __stop_code_hot_one), per_thread);
    about(samples_between(__start_code_hot_two, __stop_code_hot_two), 4 * per_thread);
    ck_assert_str_eq(meta("callpaths.truncated"), "0");
}

static int run_two_c11(void *unused)
{
    run_two(unused);
    return 7;
}

START_TEST(threads_of_c11)
{
    thrd_t thread;
    int result = 0;
    open_run(HZ, "");
    ck_assert_int_eq(thrd_create(&thread, run_two_c11, NULL), thrd_success);
    ck_assert_int_eq(thrd_join(thread, &result), thrd_success);
    ck_assert_int_eq(result, 7);
    sca_sampler_stop();
    uint64_t samples = 200 * 1000 / (sca_arena_header()->sample_period_ns / 1000);
    about(samples_between(__start_code_hot_two, __stop_code_hot_two), samples);
}
END_TEST

START_TEST(every_thread_by_papi)
{
    open_run(HZ, "");
    sample_threads();
}
END_TEST

START_TEST(every_thread_by_timer)
{
    open_run_by_timer(HZ, "");
    sample_threads();
}
END_TEST

static volatile int there, go;

static void *wait_and_run(void *unused)
{
    there = 1;
    while (!go)
        usleep(1000);
    return run_two(unused);
}

START_TEST(threads_that_were_there_before)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_and_run, NULL), 0);
    while (!there)
        usleep(1000);
    open_run(HZ, "");
    go = 1;
    pthread_join(thread, NULL);
    sca_sampler_stop();
    ck_assert_uint_gt(samples_between(__start_code_hot_two, __stop_code_hot_two), 20);
}
END_TEST

static void *do_nothing(void *argument)
{
    return argument;
}

START_TEST(many_short_threads)
{
    open_run(HZ, "");
    for (int i = 0; i < 3000; i++) {
        pthread_t thread;
        ck_assert_int_eq(pthread_create(&thread, NULL, do_nothing, NULL), 0);
        pthread_join(thread, NULL);
    }
    sca_sampler_stop();
}
END_TEST

START_TEST(inside_mpi)
{
    open_run(HZ, "");
    const uint32_t key[] = {7, 0};
    uint32_t site = sca_arena_find(SCA_T_SITES, key, 2);
    sca_thread.previous = site;
    sca_thread.in_mpi = 1;
    hot_one(100 * MS);
    sca_thread.in_mpi = 0;
    sca_sampler_stop();
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    ck_assert_uint_gt(sca_arena_header()->samples_in_mpi, 50);
    most(sca_arena_header()->samples_in_mpi, sca_arena_header()->samples);
    ck_assert_uint_eq(samples[0].node, 7);
    ck_assert_uint_eq(samples[0].previous, site);
    ck_assert_uint_eq(samples[0].in_mpi, 1);
}
END_TEST

static void *run_one(void *unused)
{
    hot_one(100 * MS);
    return unused;
}

START_TEST(helpers_work_in_the_gaps_of_the_thread_that_calls_mpi)
{
    pthread_t thread;
    open_run(HZ, "");
    const uint32_t key[] = {7, 0};
    sca_thread.previous = sca_arena_find(SCA_T_SITES, key, 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_one, NULL), 0);
    pthread_join(thread, NULL);
    sca_sampler_stop();
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    ck_assert_uint_gt(sca_arena_count(SCA_T_SAMPLES), 0);
    uint64_t helper = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++) {
        ck_assert_uint_eq(samples[i].previous, sca_thread.previous);
        ck_assert_uint_le(samples[i].thread, 1);
        helper += samples[i].thread * samples[i].count;
    }
    ck_assert_uint_gt(helper, 50);
}
END_TEST

START_TEST(inside_the_tool)
{
    open_run(HZ, "");
    sca_thread.in_tool = 1;
    hot_one(100 * MS);
    sca_thread.in_tool = 0;
    sca_sampler_stop();
    ck_assert_uint_gt(sca_arena_header()->samples_dropped, 50);
    ck_assert_uint_eq(samples_between(__start_code_hot_one, __stop_code_hot_one), 0);
}
END_TEST

START_TEST(metrics)
{
    open_run(HZ, "perf::PAGE-FAULTS, NO_SUCH_EVENT perf::TASK-CLOCK");
    if (strstr(meta("sampling"), "; PAPI: ")) { /* it is older than the processor */
        ck_assert_str_eq(meta("metrics"), "");
        ck_assert_str_eq(meta("metrics.absent"),
                         "perf::PAGE-FAULTS,NO_SUCH_EVENT,perf::TASK-CLOCK");
        return;
    }
    ck_assert_str_eq(meta("metrics"), "perf::PAGE-FAULTS,perf::TASK-CLOCK");
    ck_assert_str_eq(meta("metrics.absent"), "NO_SUCH_EVENT");
    ck_assert_uint_eq(sca_arena_header()->nmetrics, 2);
    for (int i = 0; i < 10; i++) {
        char *memory =
            mmap(NULL, 100 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int page = 0; page < 100; page++)
            memory[page * 4096] = 1;
        hot_one(20 * MS);
        munmap(memory, 100 * 4096);
    }
    sca_sampler_stop();
    ck_assert_uint_ge(metric_sum(0), 1000);
    ck_assert_uint_le(metric_sum(0), 1500);
    about(metric_sum(1), 200 * MS);
}
END_TEST

START_TEST(metrics_a_timer_cannot_count)
{
    open_run_by_timer(HZ, "perf::PAGE-FAULTS");
    sca_sampler_stop();
    ck_assert_str_eq(meta("metrics"), "");
    ck_assert_str_eq(meta("metrics.absent"), "perf::PAGE-FAULTS");
}
END_TEST

START_TEST(system_calls_are_not_interrupted)
{
    open_run(5000, "");
    for (int i = 0; i < 20; i++) {
        hot_one(5 * MS);
        ck_assert_int_eq(poll(NULL, 0, 5), 0);
    }
    sca_sampler_stop();
}
END_TEST

static volatile int alarms;

static void on_alarm(int signal)
{
    (void)signal;
    alarms++;
}

START_TEST(the_program_keeps_its_own_profiling_signal)
{
    const struct itimerval every = {{0, 10000}, {0, 10000}};
    signal(SIGPROF, on_alarm);
    setitimer(ITIMER_PROF, &every, NULL);
    open_run(HZ, "");
    while (alarms < 10 || sca_arena_header()->samples < 100)
        hot_one(10 * MS);
    sca_sampler_stop();
    most(samples_between(__start_code_hot_one, __stop_code_hot_one), sca_arena_header()->samples);
}
END_TEST

static void run_true(void)
{
    execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done", NULL);
    _exit(9);
}

static int status_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

START_TEST(an_exec_leaves_nothing_behind)
{
    pid_t child = fork();
    if (!child) {
        open_run(HZ, "perf::PAGE-FAULTS");
        run_true();
    }
    ck_assert_int_eq(status_of(child), 0);
}
END_TEST

START_TEST(a_forked_child_is_not_sampled)
{
    open_run(HZ, "");
    pid_t child = fork();
    if (!child) {
        uint64_t before = sca_arena_header()->samples;
        pthread_t thread;
        pthread_create(&thread, NULL, run_two, NULL);
        pthread_join(thread, NULL);
        hot_one(50 * MS);
        _exit(sca_arena_header()->samples != before);
    }
    ck_assert_int_eq(status_of(child), 0);
    sca_sampler_stop();
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sampler");
    TCase *tests = tcase_create("samples");
    tcase_add_test(tests, by_papi);
    tcase_add_test(tests, by_timer);
    tcase_add_test(tests, rarer_as_they_add_up);
    tcase_add_test(tests, rarer_as_they_add_up_by_timer);
    tcase_add_test(tests, switched_off);
    tcase_add_test(tests, threads_of_c11);
    tcase_add_test(tests, every_thread_by_papi);
    tcase_add_test(tests, every_thread_by_timer);
    tcase_add_test(tests, threads_that_were_there_before);
    tcase_add_test(tests, many_short_threads);
    tcase_add_test(tests, inside_mpi);
    tcase_add_test(tests, helpers_work_in_the_gaps_of_the_thread_that_calls_mpi);
    tcase_add_test(tests, inside_the_tool);
    tcase_add_test(tests, metrics);
    tcase_add_test(tests, metrics_a_timer_cannot_count);
    tcase_add_test(tests, system_calls_are_not_interrupted);
    tcase_add_test(tests, the_program_keeps_its_own_profiling_signal);
    tcase_add_test(tests, an_exec_leaves_nothing_behind);
    tcase_add_test(tests, a_forked_child_is_not_sampled);
    suite_add_tcase(suite, tests);
    return suite;
}
