/*
 * More metrics than counters: PAPI takes turns with them, in an event set that cannot overflow as
 * well. So samples come from a clock, and read the set. What was counted in a metric's turns is
 * scaled by PAPI to the whole time: an estimate, good where there are many turns, which may go
 * back a little between two readings (sampler.c waits until it has caught up).
 */
#include "sampling/papi_event.h"
#include "sampling/papi_library.h"
#include "sampling/papi_set.h"
#include "sampling/sampler_backend.h"

#include <string.h>

static int metric_event[SCA_MAX_METRICS];
static unsigned nmetrics;

static bool read_counters(uint64_t counters[SCA_MAX_METRICS])
{
    long long values[SCA_MAX_METRICS] = {0};
    int set = sca_papi_set();
    if (set == PAPI_NULL || sca_papi.read(set, values) != PAPI_OK)
        return false;
    for (unsigned i = 0; i < nmetrics; i++)
        counters[i] = values[i] > 0 ? (uint64_t)values[i] : 0;
    return true;
}

/* A set must know its component before it can be multiplexed: the processor's is the first. */
static int open_set(void)
{
    int status = sca_papi_set_open();
    if (status == PAPI_OK)
        status = sca_papi.assign_eventset_component(sca_papi_set(), 0);
    if (status == PAPI_OK)
        status = sca_papi.set_multiplex(sca_papi_set());
    return status;
}

static int fill_set(void)
{
    int status = PAPI_OK;
    for (unsigned i = 0; i < nmetrics && status == PAPI_OK; i++)
        status = sca_papi.add_event(sca_papi_set(), metric_event[i]);
    return status;
}

/* Which metrics can be counted at all: what does not go in is left out. */
static void try_metrics(struct sca_sampling *sampling)
{
    nmetrics = 0;
    for (unsigned i = 0; i < sampling->nmetrics; i++) {
        struct sca_metric *metric = &sampling->metric[i];
        int code;
        metric->counted = sca_papi_event_code(metric->name, &code) == PAPI_OK &&
                          sca_papi.add_event(sca_papi_set(), code) == PAPI_OK;
        if (metric->counted)
            metric_event[nmetrics++] = code;
    }
}

static int start_set(struct sca_sampling *sampling)
{
    int status = open_set();
    if (status == PAPI_OK && sampling)
        try_metrics(sampling);
    else if (status == PAPI_OK)
        status = fill_set();
    if (status == PAPI_OK)
        status = nmetrics ? sca_papi.start(sca_papi_set()) : PAPI_ENOEVNT;
    return sca_papi_set_keep(status, nmetrics);
}

/* A timer says of every metric that it does not count it. */
static const char *start_beside(const struct sca_backend *clock, struct sca_sampling *sampling)
{
    struct sca_sampling kept = *sampling;
    const char *why = clock->start(sampling);
    memcpy(sampling->metric, kept.metric, sizeof kept.metric);
    return why;
}

static const char *start(const struct sca_backend *clock, struct sca_sampling *sampling)
{
    const char *why = sca_papi_library_open();
    if (why)
        return why;
    int status = sca_papi.multiplex_init();
    if (status == PAPI_OK)
        status = start_set(sampling);
    if (status != PAPI_OK)
        return sca_papi.strerror(status);
    if ((why = start_beside(clock, sampling))) {
        sca_papi_set_stop();
        return why;
    }
    sampling->read_counters = read_counters;
    sampling->multiplexed = true;
    return NULL;
}

/* Without its counters a thread is still sampled. */
static bool thread_start(const struct sca_backend *clock)
{
    if (sca_papi.register_thread() == PAPI_OK)
        start_set(NULL);
    return clock->thread_start();
}

static void thread_stop(const struct sca_backend *clock)
{
    clock->thread_stop();
    sca_papi_set_stop();
    sca_papi.unregister_thread();
}

#define BY(name, clock)                                                                            \
    static const char *start_##name(struct sca_sampling *sampling)                                 \
    {                                                                                              \
        return start(&clock, sampling);                                                            \
    }                                                                                              \
    static bool thread_start_##name(void)                                                          \
    {                                                                                              \
        return thread_start(&clock);                                                               \
    }                                                                                              \
    static void thread_stop_##name(void)                                                           \
    {                                                                                              \
        thread_stop(&clock);                                                                       \
    }
BY(clock, sca_backend_kernel_clock)
BY(timer, sca_backend_timer)

const struct sca_backend sca_backend_multiplexed_clock = {
    .name = "perf::TASK-CLOCK, multiplexed counters",
    .start = start_clock,
    .thread_start = thread_start_clock,
    .thread_stop = thread_stop_clock,
    .follows_rate = true};

const struct sca_backend sca_backend_multiplexed_timer = {.name = "timer, multiplexed counters",
                                                          .start = start_timer,
                                                          .thread_start = thread_start_timer,
                                                          .thread_stop = thread_stop_timer,
                                                          .follows_rate = true,
                                                          .sees_kernel = true};
