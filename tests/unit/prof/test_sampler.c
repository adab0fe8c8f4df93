/* Samples land where the work is, on every thread, by PAPI and by timers. */
#include "arena.h"
#include "callpath.h"
#include "clock.h"
#include "guard.h"
#include "idle.h"
#include "sampler.h"
#include "settings.h"

#include <check.h>
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

enum { HZ = 1000, SELDOM_HZ = 200, MS = 1000000 };

static volatile double sink;
static bool steady = true;

/* Each in a section of its own: the linker gives its bounds. */
#define HOT(name)                                                                                  \
    extern const char __start_code_##name[], __stop_code_##name[];                                 \
    static __attribute__((noinline, section("code_" #name))) void name(uint64_t cpu_ns)            \
    {                                                                                              \
        uint64_t end = sca_clock_cpu() + cpu_ns;                                                   \
        do                                                                                         \
            for (int i = 0; i < 200000; i++)                                                       \
                sink += i * 0.5;                                                                   \
        while (sca_clock_cpu() < end);                                                             \
    }
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

static void open_run(unsigned frequency, const char *events)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    ck_assert_int_eq(sca_callpath_init(), 0);
    sca_settings.frequency = frequency;
    sca_settings.budget = 100;
    sca_settings.steady = steady;
    sca_settings.events = events;
    sca_recording = true;
    sca_sampler_start();
}

static const char *meta(const char *key)
{
    const char *at = sca_arena_table(SCA_T_META);
    const char *end = at + sca_arena_count(SCA_T_META);
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (!strcmp(at, key))
            return value;
        at = value + strlen(value) + 1;
    }
    return "";
}

/* Samples whose innermost frame lies in [first, last). */
static uint64_t samples_between(const char *first, const char *last)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    const struct sca_part_module *modules = sca_arena_table(SCA_T_MODULES);
    uint64_t n = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++) {
        const struct sca_part_node *node = &nodes[samples[i].node];
        if (node->module == SCA_NONE)
            continue;
        uint64_t address = node->offset + modules[node->module].bias;
        if (address >= (uintptr_t)first && address < (uintptr_t)last)
            n += samples[i].count;
    }
    return n;
}

static uint64_t metric_sum(int metric)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        sum += samples[i].metric[metric];
    return sum;
}

/* What was expected, within what timers promise. */
static void about(uint64_t got, uint64_t expected)
{
    ck_assert_uint_ge(got * 10, expected * 7);
    ck_assert_uint_le(got * 10, expected * 13);
}

static void share(uint64_t part, uint64_t whole, unsigned percent)
{
    ck_assert_uint_gt(whole, 0);
    ck_assert_msg(part * 100 >= whole * percent, "%lu of %lu samples", (long)part, (long)whole);
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

static void land_in_the_loop(const char *backend)
{
    const struct sca_part_header *header = sca_arena_header();
    hot_one(400 * MS);
    sca_sampler_stop();
    ck_assert_ptr_nonnull(strstr(meta("sampling"), backend));
    about(header->samples, 400 * 1000 / (header->sample_period_ns / 1000));
    share(samples_between(__start_code_hot_one, __stop_code_hot_one), header->samples, 95);
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

/* Of two loops the second is seen by fewer samples for its time, which stand for more. */
static void become_rarer(void)
{
    hot_one(400 * MS);
    hot_two(600 * MS);
    sca_sampler_stop();
    uint64_t all = sca_arena_header()->samples,
             squares = strtoull(meta("sampling.squares"), NULL, 10);
    ck_assert_msg(atoi(meta("sampling.periods")) >= 2, "%s", meta("sampling.periods"));
    ck_assert_msg(squares > 2 * all && squares < 16 * all, "%lu of %lu", (long)squares, (long)all);
    about(all, 1000);
    about(samples_between(__start_code_hot_one, __stop_code_hot_one) * 10, 4 * all);
    about(samples_between(__start_code_hot_two, __stop_code_hot_two) * 10, 6 * all);
}

START_TEST(rarer_as_they_add_up)
{
    steady = false;
    open_run(HZ, "");
    if (strncmp(meta("sampling"), "PAPI_TOT_CYC", 12))
        become_rarer();
}
END_TEST

START_TEST(rarer_as_they_add_up_by_timer)
{
    steady = false;
    open_run_by_timer(HZ, "");
    become_rarer();
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

static volatile int go;

static void *wait_and_run(void *unused)
{
    while (!go)
        usleep(1000);
    return run_two(unused);
}

START_TEST(threads_that_were_there_before)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, wait_and_run, NULL), 0);
    usleep(20000);
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
    share(sca_arena_header()->samples_in_mpi, sca_arena_header()->samples, 98);
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
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        ck_assert_uint_eq(samples[i].previous, sca_thread.previous);
}
END_TEST

/* Yields as an MPI library that waits does. */
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

static struct worked work_and_wait(uint64_t cpu_ns)
{
    struct worked done = {0};
    while (done.all_ns < cpu_ns) {
        uint64_t begin = sca_clock_cpu();
        hot_one(MS / 2);
        done.one_ns += sca_clock_cpu() - begin;
        hot_two(3 * MS / 2);
        done.all_ns += sca_clock_cpu() - begin;
        wait_in_mpi(2);
        wait_in_mpi(20);
    }
    return done;
}

START_TEST(in_some_stretches_where_ranks_yield)
{
    sca_clock_set_crowded(true);
    open_run(SELDOM_HZ, ""); /* faster samples would change what they measure */
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return; /* counters of the hardware need no choice */
    uint64_t tool = sca_arena_header()->tool_ns;
    struct worked done = work_and_wait(1200 * MS);
    sca_sampler_stop();
    uint64_t one = samples_between(__start_code_hot_one, __stop_code_hot_one);
    uint64_t two = samples_between(__start_code_hot_two, __stop_code_hot_two);
    ck_assert_uint_gt(one + two, 60); /* in few stretches, many in each: expected are 240 */
    ck_assert_uint_lt(one + two, 900);
    ck_assert_double_eq_tol((double)one / (double)(one + two),
                            (double)done.one_ns / (double)done.all_ns, 0.12);
    ck_assert_uint_gt(sca_arena_header()->tool_ns, tool);
}
END_TEST

static void wait_after(uint32_t call)
{
    sca_thread.previous = call;
    wait_in_mpi(2);
}

/* A clock that is set for less than the kernel takes to set it must bring no more samples than
 * others. It did: 170 to 190 for 48. */
START_TEST(in_stretches_that_are_shorter_than_a_sample)
{
    enum { ROUNDS = 6000, BRIEF_NS = 8000, LONG_NS = 300000 };
    sca_clock_set_crowded(true);
    open_run(HZ, "");
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return;
    for (int i = 0; i < ROUNDS; i++) {
        wait_after(1);
        spin_one(BRIEF_NS);
        wait_after(2);
        spin_two(LONG_NS);
    }
    sca_sampler_stop();
    double one = (double)samples_between(__start_code_spin_one, __stop_code_spin_one);
    double two = (double)samples_between(__start_code_spin_two, __stop_code_spin_two);
    ck_assert_double_eq_tol(two, 1800, 360);
    ck_assert_double_gt(one, 48 / 4); /* by chance as many as that, or twice */
    ck_assert_double_lt(one, 48 * 2.4);
}
END_TEST

/* Short stretches, and then one that nobody could expect. */
START_TEST(in_a_stretch_longer_than_usual)
{
    sca_clock_set_crowded(true);
    open_run(SELDOM_HZ, "");
    if (strncmp(meta("sampling"), "perf::TASK-CLOCK", 16))
        return;
    for (int i = 0; i < 300; i++) {
        hot_one(MS / 10);
        wait_in_mpi(2);
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
    open_run(HZ, "");
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
    hot_one(300 * MS);
    sca_sampler_stop();
    ck_assert_int_ge(alarms, 10); /* of 30: others use the machine, too */
    share(samples_between(__start_code_hot_one, __stop_code_hot_one), sca_arena_header()->samples,
          98);
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

int main(void)
{
    Suite *suite = suite_create("sampler");
    TCase *tests = tcase_create("samples");
    tcase_set_timeout(tests, 60);
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
    tcase_add_test(tests, in_some_stretches_where_ranks_yield);
    tcase_add_test(tests, in_stretches_that_are_shorter_than_a_sample);
    tcase_add_test(tests, in_a_stretch_longer_than_usual);
    tcase_add_test(tests, not_while_it_waits);
    tcase_add_test(tests, inside_the_tool);
    tcase_add_test(tests, metrics);
    tcase_add_test(tests, metrics_a_timer_cannot_count);
    tcase_add_test(tests, system_calls_are_not_interrupted);
    tcase_add_test(tests, the_program_keeps_its_own_profiling_signal);
    tcase_add_test(tests, an_exec_leaves_nothing_behind);
    tcase_add_test(tests, a_forked_child_is_not_sampled);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
