/* The program's view of signals and of alternate stacks is its own, and samples come all the same:
 * where it blocks all signals, handles all, runs on stacks that have no room. */
#include "sampled.h"
#include "check_main.h"
#include "signals/own_signal.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { FIBER_BYTES = 4096, PAGE = 4096, FEW = 20, DEEP_STATUS = 7 };

HOT(hot_one)
HOT(hot_two)

static uint64_t samples_of_one(void)
{
    return samples_between(__start_code_hot_one, __stop_code_hot_one);
}

static void *work_blocked(void *nothing)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    ck_assert_int_eq(sigismember(&now, SIGRTMAX), 1);
    hot_one(200 * MS);
    return nothing;
}

START_TEST(where_all_signals_are_blocked)
{
    pthread_t thread;
    sigset_t all, kept;
    open_run_at(HZ, "", true);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    ck_assert_int_eq(pthread_create(&thread, NULL, work_blocked, NULL), 0);
    hot_two(200 * MS);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    sca_sampler_stop();
    ck_assert_uint_gt(samples_of_one(), FEW);
    ck_assert_uint_gt(samples_between(__start_code_hot_two, __stop_code_hot_two), FEW);
}
END_TEST

static volatile sig_atomic_t told;

static void tell(int number)
{
    told = number;
}

START_TEST(the_program_handles_every_signal)
{
    struct sigaction own = {.sa_handler = tell}, old, had[65];
    for (int i = 1; i <= SIGRTMAX; i++)
        sigaction(i, NULL, &had[i]);
    open_run_at(HZ, "", true);
    for (int i = 1; i <= SIGRTMAX; i++)
        if (!sigaction(i, &own, &old) && i != SIGIO)
            ck_assert_ptr_eq(old.sa_handler, had[i].sa_handler);
    hot_one(200 * MS);
    sca_sampler_stop();
    ck_assert_int_eq(told, 0);
    ck_assert_uint_gt(samples_of_one(), FEW);
}
END_TEST

static void *change_user(void *nothing)
{
    ck_assert_int_eq(setuid(getuid()), 0);
    return nothing;
}

/* By the same signal the C library has all threads change the user. */
START_TEST(what_the_c_library_sends_it_gets)
{
    pthread_t thread;
    open_run_at(HZ, "", true);
    for (int i = 0; i < FEW; i++) {
        ck_assert_int_eq(pthread_create(&thread, NULL, change_user, NULL), 0);
        hot_one(20 * MS);
        pthread_join(thread, NULL);
    }
    sca_sampler_stop();
    ck_assert_uint_gt(samples_of_one(), FEW);
}
END_TEST

static void *work(void *nothing)
{
    hot_one(200 * MS);
    return nothing;
}

START_TEST(on_the_smallest_stack)
{
    pthread_attr_t small;
    pthread_t thread;
    open_run_at(HZ, "", true);
    pthread_attr_init(&small);
    ck_assert_int_eq(pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN), 0);
    ck_assert_int_eq(pthread_create(&thread, &small, work, NULL), 0);
    pthread_join(thread, NULL);
    sca_sampler_stop();
    ck_assert_uint_gt(samples_of_one(), FEW);
}
END_TEST

static ucontext_t home, fiber;

static void work_in_fiber(void)
{
    hot_one(200 * MS);
    swapcontext(&fiber, &home);
}

static void run_fiber(void)
{
    char *stack =
        mmap(NULL, PAGE + FIBER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(stack, MAP_FAILED);
    mprotect(stack, PAGE, PROT_NONE);
    getcontext(&fiber);
    fiber.uc_stack = (stack_t){.ss_sp = stack + PAGE, .ss_size = FIBER_BYTES};
    fiber.uc_link = NULL;
    makecontext(&fiber, work_in_fiber, 0);
    swapcontext(&home, &fiber);
    munmap(stack, PAGE + FIBER_BYTES);
}

START_TEST(in_a_fiber)
{
    open_run_at(HZ, "", true);
    run_fiber();
    sca_sampler_stop();
    ck_assert_uint_gt(samples_of_one(), FEW);
}
END_TEST

static char alternate[1 << 16];

static bool has_none(void)
{
    stack_t now;
    return !sigaltstack(NULL, &now) && now.ss_flags == SS_DISABLE && !now.ss_sp && !now.ss_size;
}

static bool has_own(void)
{
    stack_t now;
    return !sigaltstack(NULL, &now) && !now.ss_flags && now.ss_sp == alternate &&
           now.ss_size == sizeof alternate;
}

START_TEST(the_programs_alternate_stack)
{
    const stack_t own = {.ss_sp = alternate, .ss_size = sizeof alternate};
    const stack_t none = {.ss_flags = SS_DISABLE}, wrong = {.ss_sp = alternate, .ss_size = 1};
    stack_t before;
    open_run_at(HZ, "", true);
    ck_assert(has_none());
    ck_assert_int_eq(sigaltstack(&own, &before), 0);
    ck_assert(before.ss_flags == SS_DISABLE && !before.ss_sp);
    ck_assert(has_own());
    hot_one(100 * MS);
    ck_assert(has_own());
    ck_assert_int_eq(sigaltstack(&none, &before), 0);
    ck_assert_ptr_eq(before.ss_sp, alternate);
    ck_assert(has_none());
    run_fiber();
    ck_assert(has_none());
    ck_assert_int_eq(sigaltstack(&wrong, NULL), -1);
    ck_assert_int_eq(errno, ENOMEM);
    sca_sampler_stop();
    ck_assert(has_none());
    ck_assert_uint_gt(samples_of_one(), FEW);
}
END_TEST

static void end_deep(int number, siginfo_t *info, void *ucontext)
{
    char here;
    (void)number, (void)info, (void)ucontext;
    _exit(&here >= alternate && &here < alternate + sizeof alternate ? DEEP_STATUS : 1);
}

static __attribute__((noinline)) double fall(double x)
{
    volatile char room[200] = {(char)x};
    for (int i = 0; i < 20000; i++)
        sink += room[0] + i * 0.5;
    return x < 0 ? x : fall(x + 1) + room[0];
}

/* To the guard page and beyond, while samples are taken. */
START_TEST(recursion_ends_in_the_programs_handler)
{
    pid_t child = fork();
    int status = -1;
    if (!child) {
        const stack_t own = {.ss_sp = alternate, .ss_size = sizeof alternate};
        struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
        action.sa_sigaction = end_deep;
        sigaltstack(&own, NULL);
        sigaction(SIGSEGV, &action, NULL);
        open_run_at(HZ, "", true);
        fall(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == DEEP_STATUS);
}
END_TEST

START_TEST(blocked_by_a_direct_call)
{
    uint64_t all = UINT64_MAX, kept;
    open_run_at(HZ, "", true);
    ck_assert(!sca_own_signal_is_blocked());
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &kept, sizeof all);
    ck_assert(sca_own_signal_is_blocked());
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &kept, NULL, sizeof kept);
    ck_assert(!sca_own_signal_is_lost());
    sca_sampler_stop();
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("own_signal");
    TCase *tests = tcase_create("samples");
    tcase_add_test(tests, where_all_signals_are_blocked);
    tcase_add_test(tests, the_program_handles_every_signal);
    tcase_add_test(tests, what_the_c_library_sends_it_gets);
    tcase_add_test(tests, on_the_smallest_stack);
    tcase_add_test(tests, in_a_fiber);
    tcase_add_test(tests, the_programs_alternate_stack);
    tcase_add_test(tests, recursion_ends_in_the_programs_handler);
    tcase_add_test(tests, blocked_by_a_direct_call);
    suite_add_tcase(suite, tests);
    return suite;
}
