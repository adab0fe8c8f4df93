/* Sampling without PAPI: a POSIX timer on each thread's CPU clock, with the
 * library's signal. */
#include "sampling/sampler_backend.h"
#include "sampling/sampler_rate.h"
#include "signals/own_signal.h"
#include "clock/clock.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int signal_number;
static uint64_t period_ns;
static const char mark; /* its address tells our timers' signals from others */

static _Thread_local timer_t timer __attribute__((tls_model("initial-exec")));
static _Thread_local uint64_t next_ns __attribute__((tls_model("initial-exec")));
static _Thread_local bool running __attribute__((tls_model("initial-exec")));

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* Sets the next sample on the thread's clock; returns how many were due by now. By the kernel's
 * own number of the timer: the C library's handle of another thread's is not at hand. */
static unsigned schedule(int id)
{
    uint64_t now_ns = sca_clock_cpu();
    unsigned due = 0;
    if (!next_ns)
        next_ns = now_ns;
    unsigned each = sca_sampler_rate_periods();
    for (; next_ns <= now_ns && due < 1000 * each; due += each)
        next_ns += each * sca_sampler_distance(period_ns);
    struct itimerspec at = {timespec_of(period_ns), timespec_of(next_ns)};
    syscall(SYS_timer_settime, id, TIMER_ABSTIME, &at, NULL);
    return due ? due : 1;
}

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    int kept = errno;
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark)
        sca_sampler_hit(ucontext, schedule(info->si_timerid), NULL);
    errno = kept;
}

/* A thread's CPU clock by its id, as the kernel numbers them. */
static clockid_t clock_of(int tid)
{
    return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static bool start_timer(clockid_t clock, int tid, timer_t *out)
{
    struct itimerspec every = {timespec_of(period_ns), timespec_of(period_ns)};
    if (!sca_sampler_signal_timer(clock, tid, signal_number, &mark, out))
        return false;
    if (!timer_settime(*out, 0, &every, NULL))
        return true;
    timer_delete(*out);
    return false;
}

static bool thread_start(void)
{
    running = start_timer(CLOCK_THREAD_CPUTIME_ID, (int)syscall(SYS_gettid), &timer);
    return running;
}

static void thread_stop(void)
{
    if (running)
        timer_delete(timer);
    running = false;
}

static bool prepare(unsigned frequency)
{
    period_ns = 1000000000u / frequency;
    if (!signal_number)
        signal_number = sca_own_signal_take(on_signal);
    return signal_number != 0;
}

bool sca_sampler_timer_adopt(int tid, void **handle, unsigned frequency)
{
    return prepare(frequency) && start_timer(clock_of(tid), tid, (timer_t *)handle);
}

void sca_sampler_timer_drop(void *handle)
{
    timer_delete((timer_t)handle);
}

static const char *start(struct sca_sampling *sampling)
{
    for (unsigned i = 0; i < sampling->nmetrics; i++)
        sampling->metric[i].counted = false;
    if (!prepare(sampling->frequency))
        return "no signal is available";
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_timer = {.name = "timer",
                                              .start = start,
                                              .thread_start = thread_start,
                                              .thread_stop = thread_stop,
                                              .follows_rate = true,
                                              .sees_kernel = true};
