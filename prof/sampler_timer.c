/* Sampling without PAPI: a POSIX timer on each thread's CPU clock, with a real-time signal that
 * nobody had a handler for. */
#include "sampler_backend.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int signal_number;
static struct timespec period;
static const char mark; /* its address tells our timers' signals from others */

static _Thread_local timer_t timer __attribute__((tls_model("initial-exec")));
static _Thread_local bool running __attribute__((tls_model("initial-exec")));

static void on_signal(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark)
        sca_sampler_hit(ucontext, 1 + (unsigned)info->si_overrun, NULL);
}

/* SA_RESTART, and no alternate stack: the walk starts where the application was. */
static bool take_signal(void)
{
    struct sigaction old, mine = {.sa_flags = SA_SIGINFO | SA_RESTART};
    mine.sa_sigaction = on_signal;
    sigfillset(&mine.sa_mask);
    for (int number = SIGRTMAX - 1; number > SIGRTMIN + 3; number--) {
        if (sigaction(number, NULL, &old) || old.sa_handler != SIG_DFL)
            continue;
        if (sigaction(number, &mine, NULL))
            continue;
        signal_number = number;
        return true;
    }
    return false;
}

/* A thread's CPU clock by its id, as the kernel numbers them. */
static clockid_t clock_of(int tid)
{
    return (clockid_t)(~(unsigned)tid << 3 | 6);
}

static bool start_timer(clockid_t clock, int tid, timer_t *out)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signal_number};
    struct itimerspec every = {.it_interval = period, .it_value = period};
    event.sigev_notify_thread_id = tid;
    event.sigev_value.sival_ptr = (void *)&mark;
    if (timer_create(clock, &event, out))
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
    period = (struct timespec){.tv_sec = frequency == 1,
                               .tv_nsec = (long)(1000000000u / frequency % 1000000000u)};
    return signal_number || take_signal();
}

bool sca_timer_adopt(int tid, void **handle, unsigned frequency)
{
    return prepare(frequency) && start_timer(clock_of(tid), tid, (timer_t *)handle);
}

void sca_timer_drop(void *handle)
{
    timer_delete((timer_t)handle);
}

static const char *start(struct sca_sampling *sampling)
{
    for (unsigned i = 0; i < sampling->nmetrics; i++)
        sampling->metric[i].counted = false;
    if (!prepare(sampling->frequency))
        return "no free real-time signal";
    return thread_start() ? NULL : strerrorname_np(errno);
}

const struct sca_backend sca_backend_timer = {
    .name = "timer", .start = start, .thread_start = thread_start, .thread_stop = thread_stop};
