#include "clock/clock.h"
#include "sampling/sampler_backend.h"

#include <pthread.h>
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

uint64_t sca_sampler_signal_cost_ns(void)
{
    uint64_t least = UINT64_MAX;
    struct sca_signal_trial trial;
    int number = sca_sampler_signal_try(ignore, &trial);
    for (int i = 0; number && i < TRIES; i++) {
        uint64_t begin = sca_clock_now();
        syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
        uint64_t took = sca_clock_now() - begin;
        least = took < least ? took : least;
    }
    if (number)
        sca_sampler_signal_tried(&trial);
    return number ? least : 0;
}

int sca_sampler_signal_try(void (*handler)(int, siginfo_t *, void *),
                           struct sca_signal_trial *trial)
{
    sigset_t mine;
    trial->number = sca_sampler_signal_take(handler);
    if (!trial->number)
        return 0;
    sigemptyset(&mine);
    sigaddset(&mine, trial->number);
    pthread_sigmask(SIG_UNBLOCK, &mine, &trial->blocked);
    return trial->number;
}

/* To ignore a signal drops those that are pending: as usual again, they would end the program. */
void sca_sampler_signal_tried(const struct sca_signal_trial *trial)
{
    signal(trial->number, SIG_IGN);
    signal(trial->number, SIG_DFL);
    pthread_sigmask(SIG_SETMASK, &trial->blocked, NULL);
}

/* SA_RESTART, and no alternate stack: the walk starts where the application was. */
int sca_sampler_signal_take(void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction old, mine = {.sa_flags = SA_SIGINFO | SA_RESTART};
    mine.sa_sigaction = handler;
    sigfillset(&mine.sa_mask);
    for (int number = SIGRTMAX - 1; number > SIGRTMIN + 3; number--) {
        if (sigaction(number, NULL, &old) || old.sa_handler != SIG_DFL)
            continue;
        if (!sigaction(number, &mine, NULL))
            return number;
    }
    return 0;
}

bool sca_sampler_signal_timer(clockid_t clock, int tid, int number, const void *mark, timer_t *out)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number};
    event.sigev_notify_thread_id = tid;
    event.sigev_value.sival_ptr = (void *)mark;
    return !timer_create(clock, &event, out);
}
