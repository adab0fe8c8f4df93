/*
 * A PAPI library over a processor that there is not: COUNTERS counters, events that go on at known
 * rates with the thread's CPU time. It refuses what PAPI refuses: more hardware events than
 * counters, overflow of a multiplexed set, a second running set, a set without a component.
 *
 * A program that exports `planted_events` (fake_papi.h) drives the events itself, and has a counter
 * for each; then overflows come by a timer on the thread's CPU clock, of which every event goes.
 */
#include "fake_papi.h"

#include <dlfcn.h>
#include <papi.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { COUNTERS = 2, MOST = 8, SETS = 16, HARDWARE = 100, NS = 1000000000 };

static const struct {
    const char *name;
    int code;
} events[] = {{"perf::TASK-CLOCK", 1},
              {"PAPI_TOT_CYC", HARDWARE + FAKE_CYCLES},
              {"PAPI_TOT_INS", HARDWARE + FAKE_INSTRUCTIONS},
              {"PAPI_L1_DCM", HARDWARE + FAKE_MISSES},
              {"PAPI_L2_TCM", HARDWARE + FAKE_L2_MISSES},
              {"PAPI_FP_OPS", HARDWARE + FAKE_FLOPS}};

static struct {
    int used, n, event[MOST], component, multiplexed, running, overflows;
    PAPI_overflow_handler_t handler;
    long long started_ns, threshold_ns;
    timer_t timer;
} sets[SETS];

static int multiplex_ready;
static unsigned reads;
static volatile long long *planted; /* the program's; NULL: it has none */

static long long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int PAPI_library_init(int version)
{
    planted = dlsym(RTLD_DEFAULT, "planted_events");
    return version;
}

void PAPI_shutdown(void)
{
}

int PAPI_thread_init(unsigned long (*id)(void))
{
    (void)id;
    return PAPI_OK;
}

int PAPI_register_thread(void)
{
    return PAPI_OK;
}

int PAPI_unregister_thread(void)
{
    return PAPI_OK;
}

const PAPI_hw_info_t *PAPI_get_hardware_info(void)
{
    return NULL;
}

int PAPI_get_component_index(const char *name)
{
    (void)name;
    return 0;
}

/* It says that it is too old, as a real one does that has none of the events. */
const PAPI_component_info_t *PAPI_get_component_info(int index)
{
    static const PAPI_component_info_t old = {.disabled = PAPI_ENOSUPP,
                                              .disabled_reason = "no default PMU found"};
    return index == 0 ? &old : NULL;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        if (!strcmp(name, events[i].name)) {
            *code = events[i].code;
            return PAPI_OK;
        }
    return PAPI_ENOEVNT;
}

int PAPI_create_eventset(int *set)
{
    for (int i = 0; i < SETS; i++)
        if (!sets[i].used) {
            memset(&sets[i], 0, sizeof sets[i]);
            sets[i].used = 1;
            *set = i;
            return PAPI_OK;
        }
    return PAPI_ENOMEM;
}

int PAPI_assign_eventset_component(int set, int component)
{
    sets[set].component = component + 1;
    return PAPI_OK;
}

int PAPI_multiplex_init(void)
{
    multiplex_ready = 1;
    return PAPI_OK;
}

int PAPI_set_multiplex(int set)
{
    if (!multiplex_ready || !sets[set].component)
        return PAPI_EINVAL;
    sets[set].multiplexed = 1;
    return PAPI_OK;
}

int PAPI_add_event(int set, int code)
{
    int hardware = code > HARDWARE;
    for (int i = 0; i < sets[set].n; i++)
        hardware += sets[set].event[i] > HARDWARE;
    int counters = planted ? MOST : COUNTERS;
    if (sets[set].n == MOST || (hardware > counters && code > HARDWARE && !sets[set].multiplexed))
        return PAPI_ECNFLCT;
    sets[set].event[sets[set].n++] = code;
    return PAPI_OK;
}

int PAPI_overflow(int set, int code, int threshold, int flags, PAPI_overflow_handler_t handler)
{
    (void)code;
    (void)flags;
    if (sets[set].multiplexed)
        return PAPI_EINVAL;
    sets[set].overflows = 1;
    sets[set].handler = handler;
    sets[set].threshold_ns = threshold;
    return PAPI_OK;
}

static void on_timer(int number, siginfo_t *info, void *ucontext)
{
    int set = info->si_value.sival_int;
    (void)number;
    if (sets[set].running)
        sets[set].handler(set, NULL, 1, ucontext);
}

static void start_timer(int set)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX - 1};
    long long ns = sets[set].threshold_ns;
    struct itimerspec at = {{ns / NS, ns % NS}, {ns / NS, ns % NS}};
    action.sa_sigaction = on_timer;
    sigaction(SIGRTMAX - 1, &action, NULL);
    event.sigev_value.sival_int = set;
    event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
    if (!timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &sets[set].timer))
        timer_settime(sets[set].timer, 0, &at, NULL);
}

int PAPI_start(int set)
{
    for (int i = 0; i < SETS; i++)
        if (sets[i].used && sets[i].running)
            return PAPI_EISRUN;
    sets[set].running = 1;
    sets[set].started_ns = cpu_ns();
    if (planted && sets[set].overflows)
        start_timer(set);
    return PAPI_OK;
}

int PAPI_stop(int set, long long *values)
{
    (void)values;
    if (sets[set].timer)
        timer_delete(sets[set].timer);
    sets[set].timer = 0;
    sets[set].running = 0;
    return PAPI_OK;
}

/* Estimates err to and fro, by a thousandth. */
int PAPI_read(int set, long long *values)
{
    if (!sets[set].running)
        return PAPI_ENOTRUN;
    long long ns = cpu_ns() - sets[set].started_ns;
    if (sets[set].multiplexed && ++reads % 2)
        ns -= ns / 1000;
    for (int i = 0; i < sets[set].n; i++) {
        int code = sets[set].event[i];
        values[i] = code <= HARDWARE ? ns
                    : planted        ? planted[code - HARDWARE]
                                     : ns * (code - HARDWARE);
    }
    return PAPI_OK;
}

int PAPI_cleanup_eventset(int set)
{
    sets[set].n = 0;
    return PAPI_OK;
}

int PAPI_destroy_eventset(int *set)
{
    sets[*set].used = 0;
    *set = PAPI_NULL;
    return PAPI_OK;
}

char *PAPI_strerror(int code)
{
    static char text[] = "the fake refuses";
    (void)code;
    return text;
}

void fake_papi_overflow(void *ucontext)
{
    for (int i = 0; i < SETS; i++)
        if (sets[i].used && sets[i].running && sets[i].overflows)
            sets[i].handler(i, NULL, 1, ucontext);
}
