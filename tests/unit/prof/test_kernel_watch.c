/* Time in the kernel is sampled where the program faulted or called, and no call learns of it. */
#include "sampled.h"
#include "check_main.h"
#include "sampling/kernel_watch.h"
#include "sampling/sampler_rate.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 1024, SETS = 500, PIECE = 1 << 20, SOME = 100 };

static char *fresh;

HOT(hot)

extern const char __start_code_touch[], __stop_code_touch[];
static __attribute__((noinline, section("code_touch"))) void touch(void)
{
    for (int page = 0; page < PAGES; page++)
        ((volatile char *)fresh)[(size_t)page * PAGE] = 1;
}

/* In small pages, each a fault. */
static void fault(uint64_t cpu_ns)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    for (uint64_t end = sca_clock_cpu() + cpu_ns; sca_clock_cpu() < end;) {
        fresh = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
        ck_assert_ptr_ne(fresh, MAP_FAILED);
        madvise(fresh, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
        touch();
        munmap(fresh, (size_t)PAGES * PAGE);
    }
}

static void call(uint64_t cpu_ns)
{
    static char bytes[PAGE];
    int zero = open("/dev/zero", O_RDONLY);
    for (uint64_t end = sca_clock_cpu() + cpu_ns; sca_clock_cpu() < end;)
        for (int i = 0; i < 1000; i++)
            ck_assert_int_eq(read(zero, bytes, sizeof bytes), sizeof bytes);
    close(zero);
}

static double system_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
}

static uint64_t all_samples(void)
{
    return sca_arena_header()->samples;
}

/* Works so long and then until a sample has just been taken, with all that were due. Returns how
 * many those of this work should be. */
static uint64_t work_until_sampled(void (*work)(uint64_t), uint64_t cpu_ns)
{
    uint64_t begin_ns = sca_clock_cpu();
    work(cpu_ns);
    for (uint64_t before = all_samples(); all_samples() == before;)
        work(MS);
    return (sca_clock_cpu() - begin_ns) / MS;
}

/* Most of the time is the kernel's; the loop behind it has no more than its own. */
START_TEST(page_faults)
{
    open_run_at(HZ, "", true);
    uint64_t due = work_until_sampled(fault, 400 * MS), before = all_samples();
    uint64_t due_hot = work_until_sampled(hot, 400 * MS);
    sca_sampler_stop();
    ck_assert_str_eq(meta("sampling.kernel"), "ticks");
    about(before, due);
    about(samples_between(__start_code_hot, __stop_code_hot), due_hot);
    ck_assert_uint_gt(samples_between(__start_code_touch, __stop_code_touch), before / 4);
}
END_TEST

START_TEST(system_calls)
{
    open_run_at(HZ, "", true);
    uint64_t due = work_until_sampled(call, 400 * MS), before = all_samples();
    uint64_t due_hot = work_until_sampled(hot, 400 * MS);
    sca_sampler_stop();
    about(before, due);
    about(samples_between(__start_code_hot, __stop_code_hot), due_hot);
}
END_TEST

/* Each stands for as much more. */
START_TEST(rarer_as_they_add_up)
{
    open_run_at(HZ, "", false);
    uint64_t due = 0;
    while (sca_sampler_rate_periods() < 4)
        due += work_until_sampled(fault, 100 * MS);
    sca_sampler_stop();
    ck_assert_str_eq(meta("sampling.periods"), "4");
    about(all_samples(), due);
}
END_TEST

static uint64_t due_beside;

static void *fault_beside(void *nothing)
{
    sca_sampler_thread_start();
    due_beside = work_until_sampled(fault, 300 * MS);
    sca_sampler_thread_stop();
    return nothing;
}

START_TEST(of_each_thread)
{
    pthread_t thread;
    open_run_at(HZ, "", true);
    ck_assert_int_eq(pthread_create(&thread, NULL, fault_beside, NULL), 0);
    pthread_join(thread, NULL);
    sca_sampler_stop();
    about(all_samples(), due_beside);
}
END_TEST

/* Whoever blocks all signals by direct system calls is told of where it lets them through. Better
 * of nothing. */
START_TEST(not_where_signals_are_let_through)
{
    uint64_t all = UINT64_MAX, kept;
    open_run_at(HZ, "", true);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &kept, sizeof all);
    fault(200 * MS);
    hot(200 * MS);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &kept, NULL, sizeof kept);
    uint64_t let_through = all_samples();
    sca_sampler_stop();
    ck_assert_uint_lt(let_through, 40);
}
END_TEST

static void *drain(void *from)
{
    static char bytes[PIECE / 16];
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (read(*(int *)from, bytes, sizeof bytes) > 0)
        ;
    return NULL;
}

/* Calls that return EINTR or less than all, whatever SA_RESTART says. */
static void call_all_kinds(const int *ends, double system)
{
    static struct pollfd set[SETS];
    static char bytes[PIECE];
    const struct timespec nap = {0, 20000};
    for (int i = 0; i < SETS; i++)
        set[i] = (struct pollfd){.fd = -1};
    for (int i = 0; system_seconds() < system || all_samples() <= SOME; i++) {
        ck_assert_int_eq(poll(set, SETS, i % 4 == 0), 0);
        ck_assert_int_eq(nanosleep(&nap, NULL), 0);
        ck_assert_int_eq(write(ends[1], bytes, PIECE), PIECE);
    }
}

START_TEST(no_call_is_interrupted)
{
    int ends[2];
    pthread_t thread;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, drain, &ends[0]), 0);
    open_run_at(HZ, "", true);
    call_all_kinds(ends, system_seconds() + 0.3);
    sca_sampler_stop();
    ck_assert_uint_gt(all_samples(), SOME);
    close(ends[1]);
    pthread_join(thread, NULL);
}
END_TEST

SCA_SUITE("kernel_watch", page_faults, system_calls, rarer_as_they_add_up, of_each_thread,
          not_where_signals_are_let_through, no_call_is_interrupted)
