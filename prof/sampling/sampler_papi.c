/*
 * Sampling by PAPI overflow: one event set per thread, with the event that overflows first and the
 * chosen counters behind it. PAPI signals the thread itself (papi_signal.h).
 */
#include "sampling/papi_event.h"
#include "sampling/papi_library.h"
#include "sampling/papi_set.h"
#include "sampling/papi_signal.h"
#include "sampling/perf_clock.h"
#include "sampling/sampler_backend.h"

#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { USUAL_MHZ = 2000, EVENTS = 1 + SCA_MAX_METRICS };

/* The same on every thread. */
static int overflow_event, threshold;
static int metric_event[SCA_MAX_METRICS];
static unsigned place[SCA_MAX_METRICS]; /* of each counted metric among the set's values */
static unsigned nmetrics;
static bool too_few; /* counters: a metric that exists found none */

static const char too_few_counters[] = "more events than counters";

static bool read_counters(uint64_t counters[SCA_MAX_METRICS])
{
    long long values[EVENTS] = {0};
    int set = sca_papi_set();
    if (set == PAPI_NULL || !nmetrics || sca_papi.read(set, values) != PAPI_OK)
        return false;
    for (unsigned i = 0; i < nmetrics; i++)
        counters[i] = (uint64_t)values[place[i]];
    return true;
}

static void on_overflow(int event_set, void *address, long long vector, void *ucontext)
{
    (void)address;
    (void)vector;
    if (event_set == sca_papi_set())
        sca_sampler_hit(ucontext, 1, read_counters);
}

static int fill_set(void)
{
    int status = sca_papi.add_event(sca_papi_set(), overflow_event);
    for (unsigned i = 0; i < nmetrics && status == PAPI_OK; i++)
        if (place[i])
            status = sca_papi.add_event(sca_papi_set(), metric_event[i]);
    return status;
}

static int run_set(void)
{
    sca_papi_signal_note();
    int status = sca_papi.overflow(sca_papi_set(), overflow_event, threshold, 0, on_overflow);
    sca_papi_signal_redirect(status == PAPI_OK ? sca_papi_set_overflowing() : -1);
    if (status == PAPI_OK)
        status = sca_papi.start(sca_papi_set());
    return status;
}

static int start_set(void)
{
    int status = sca_papi_set_open();
    if (status == PAPI_OK)
        status = fill_set();
    if (status == PAPI_OK)
        status = run_set();
    return sca_papi_set_keep(status, 1 + nmetrics);
}

/* Finds which metrics can be counted beside the overflowing event, by trying them one by one. */
static void try_metrics(struct sca_sampling *sampling)
{
    unsigned filled = 1;
    nmetrics = 0;
    too_few = false;
    for (unsigned i = 0; i < sampling->nmetrics; i++) {
        struct sca_metric *metric = &sampling->metric[i];
        int code, status = sca_papi_event_code(metric->name, &code);
        if (status == PAPI_OK && code != overflow_event)
            status = sca_papi.add_event(sca_papi_set(), code);
        too_few |= status == PAPI_ECNFLCT || status == PAPI_ECOUNT;
        metric->counted = status == PAPI_OK;
        if (!metric->counted)
            continue;
        place[nmetrics] = code == overflow_event ? 0 : filled++;
        metric_event[nmetrics++] = code;
    }
}

static void forget_metrics(struct sca_sampling *sampling)
{
    for (unsigned i = 0; i < sampling->nmetrics; i++)
        sampling->metric[i].counted = false;
    nmetrics = 0;
}

static int start_with_metrics(struct sca_sampling *sampling)
{
    int status = sca_papi_set_open();
    if (status == PAPI_OK)
        status = sca_papi.add_event(sca_papi_set(), overflow_event);
    if (status == PAPI_OK) {
        try_metrics(sampling);
        status = run_set();
    }
    return sca_papi_set_keep(status, 1 + nmetrics);
}

/* Counters that fit one by one may still not run together: then none is better than no sampling,
 * once it is clear that there is no other way to count them all. */
static const char *start(struct sca_sampling *sampling, const char *event, double per_second)
{
    const char *why = sca_papi_library_open();
    if (why)
        return why;
    threshold = (int)(per_second / sampling->frequency);
    int status = sca_papi.event_name_to_code((char *)event, &overflow_event);
    if (status == PAPI_OK)
        status = start_with_metrics(sampling);
    too_few |= status != PAPI_OK && nmetrics;
    if (too_few && sampling->whole) {
        sca_papi_set_stop();
        forget_metrics(sampling);
        return too_few_counters;
    }
    if (status != PAPI_OK && nmetrics) {
        forget_metrics(sampling);
        status = start_set();
    }
    if (status != PAPI_OK)
        return sca_papi.strerror(status);
    struct sca_perf_price price =
        sca_perf_cost_measure(); /* PAPI sets its clock anew for each sample */
    sampling->outside_ns = price.signal_ns + price.stop_ns + price.set_ns;
    sampling->read_counters = read_counters;
    return NULL;
}

static double cycles_per_second(void)
{
    const PAPI_hw_info_t *hardware = sca_papi_library_open() ? NULL : sca_papi.get_hardware_info();
    int mhz = hardware && hardware->cpu_max_mhz > 0 ? hardware->cpu_max_mhz : USUAL_MHZ;
    return mhz * 1e6;
}

/* Asked of the kernel first: PAPI takes 3 MB and 10 ms to say that there is no such counter. */
static bool has_cycles(void)
{
    struct perf_event_attr attributes = {.type = PERF_TYPE_HARDWARE,
                                         .size = sizeof attributes,
                                         .config = PERF_COUNT_HW_CPU_CYCLES,
                                         .disabled = 1,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1};
    long fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0)
        close((int)fd);
    return fd >= 0;
}

static const char *start_cycles(struct sca_sampling *sampling)
{
    if (!has_cycles())
        return "no counter of cycles";
    return start(sampling, "PAPI_TOT_CYC", cycles_per_second());
}

static const char *start_task_clock(struct sca_sampling *sampling)
{
    return start(sampling, "perf::TASK-CLOCK", 1e9);
}

static bool thread_start(void)
{
    return sca_papi.register_thread() == PAPI_OK && start_set() == PAPI_OK;
}

static void thread_stop(void)
{
    if (sca_papi_set() == PAPI_NULL)
        return;
    sca_papi_set_stop();
    sca_papi.unregister_thread();
}

const struct sca_backend sca_backend_cycles = {.name = "PAPI_TOT_CYC",
                                               .start = start_cycles,
                                               .thread_start = thread_start,
                                               .thread_stop = thread_stop};

const struct sca_backend sca_backend_task_clock = {.name = "perf::TASK-CLOCK",
                                                   .start = start_task_clock,
                                                   .thread_start = thread_start,
                                                   .thread_stop = thread_stop};
