#include "sampling/perf_standby.h"
#include "sampling/perf_clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define NEVER_NS 1000000000u /* the clock does not even run */

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

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

/* Made and joined by the same library as the program's threads, whichever comes first: a sanitizer
 * aborts programs that join a thread it has not seen made. In this library the name would mean its
 * own function (spawn.c). */
static bool make_thread(void)
{
    create_function *create = NULL;
    *(void **)&create = dlsym(RTLD_DEFAULT, "pthread_create");
    return create && !create(&standby.thread, NULL, open_clock, NULL);
}

/* The program's signals are for the program's threads. */
void sca_perf_standby_begin(void)
{
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    standby.joinable = make_thread();
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
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
