#include "clock/clock.h"
#include "sampling/sampler_backend.h"
#include "signals/own_signal.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { TRIES = 5 };

static void ignore(int number, siginfo_t *info, void *ucontext)
{
    (void)number;
    (void)info;
    (void)ucontext;
}

/* Not as tgkill() sends it, which is how the C library does. */
static void send_to_this_thread(int number)
{
    siginfo_t info = {.si_signo = number, .si_code = SI_QUEUE};
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, &info);
}

uint64_t sca_sampler_signal_cost_ns(void)
{
    uint64_t least = UINT64_MAX;
    int number = sca_own_signal_take(ignore);
    for (int i = 0; number && i < TRIES; i++) {
        uint64_t begin = sca_clock_now();
        send_to_this_thread(number);
        uint64_t took = sca_clock_now() - begin;
        least = took < least ? took : least;
    }
    sca_own_signal_leave(ignore);
    return number ? least : 0;
}

bool sca_sampler_signal_timer(clockid_t clock, int tid, int number, const void *mark, timer_t *out)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
    event.sigev_notify_thread_id = tid;
    event.sigev_value.sival_ptr = (void *)mark;
    return !timer_create(clock, &event, out);
}
