#include "sampling/perf_standby.h"
#include "base/own_thread.h"
#include "sampling/perf_clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

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

void sca_perf_standby_begin(void)
{
    standby.joinable = sca_own_thread_begin(&standby.thread, open_clock);
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
