#include "sampling/perf_standby.h"
#include "sampling/perf_clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { STACK = 256 << 10 };  /* the usual megabytes would all be taken if memory is locked */
#define NEVER_NS 1000000000u /* the clock does not even run */

static struct {
    bool joinable;
    pthread_t thread;
    struct sca_perf_clock clock;
} standby = {.clock.descriptor = SCA_NO_CLOCK};

static void *open_clock(void *nothing)
{
    sca_perf_clock_open(&standby.clock, NEVER_NS, SIGIO);
    return nothing;
}

/* The program's signals are for the program's threads. */
void sca_perf_standby_begin(void)
{
    sigset_t all, kept;
    pthread_attr_t small;
    sigfillset(&all);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    standby.joinable = !pthread_create(&standby.thread, &small, open_clock, NULL);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    pthread_attr_destroy(&small);
}

void sca_perf_standby_join(void)
{
    if (standby.joinable)
        pthread_join(standby.thread, NULL);
    standby.joinable = false;
}

void sca_perf_standby_end(void)
{
    sca_perf_standby_join();
    sca_perf_clock_close(&standby.clock);
}
