/*
 * Sampling by PAPI overflow: one event set per thread, with the event that overflows first and the
 * chosen counters behind it. PAPI signals the thread itself, with a real-time signal of its own.
 */
#include "guard.h"
#include "papi_library.h"
#include "sampler_backend.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { DESCRIPTORS = 64, USUAL_MHZ = 2000, EVENTS = 1 + SCA_MAX_METRICS };

/* The same on every thread. */
static int overflow_event, threshold;
static int metric_event[SCA_MAX_METRICS];
static unsigned place[SCA_MAX_METRICS]; /* of each counted metric among the set's values */
static unsigned nmetrics;

static _Thread_local int set __attribute__((tls_model("initial-exec"))) = PAPI_NULL;

static bool read_counters(uint64_t counters[SCA_MAX_METRICS])
{
    long long values[EVENTS] = {0};
    if (!nmetrics || sca_papi.read(set, values) != PAPI_OK)
        return false;
    for (unsigned i = 0; i < nmetrics; i++)
        counters[i] = (uint64_t)values[place[i]];
    return true;
}

static void on_overflow(int event_set, void *address, long long vector, void *ucontext)
{
    (void)address;
    (void)vector;
    if (event_set == set)
        sca_sampler_hit(ucontext, 1, read_counters);
}

static void drop_set(void)
{
    sca_papi.cleanup_eventset(set);
    sca_papi.destroy_eventset(&set);
    set = PAPI_NULL;
}

static bool is_perf_event(int fd)
{
    char name[32], target[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    return strstr(target, "[perf_event]") != NULL;
}

/* PAPI's descriptors must not survive an exec: the overflow signal would kill the new program.
 * They were opened from the lowest free one, `first`, onwards. */
static void close_on_exec(int first)
{
    unsigned events = 1 + nmetrics;
    for (int fd = first; events && fd < first + DESCRIPTORS; fd++) {
        int flags = fcntl(fd, F_GETFD);
        if (flags < 0 || flags & FD_CLOEXEC || !is_perf_event(fd))
            continue;
        fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
        events--;
    }
}

static int lowest_free_descriptor(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    close(fd);
    return fd;
}

static int open_set(void)
{
    int status = sca_papi.create_eventset(&set);
    if (status != PAPI_OK)
        return status;
    status = sca_papi.add_event(set, overflow_event);
    for (unsigned i = 0; i < nmetrics && status == PAPI_OK; i++)
        if (place[i])
            status = sca_papi.add_event(set, metric_event[i]);
    return status;
}

static int run_set(void)
{
    int status = sca_papi.overflow(set, overflow_event, threshold, 0, on_overflow);
    if (status == PAPI_OK)
        status = sca_papi.start(set);
    return status;
}

static int start_set(void)
{
    int first = lowest_free_descriptor(), status = open_set();
    if (status == PAPI_OK)
        status = run_set();
    if (status != PAPI_OK)
        drop_set();
    else
        close_on_exec(first);
    return status;
}

/* Finds which metrics can be counted beside the overflowing event, by trying them one by one. */
static void try_metrics(struct sca_sampling *sampling)
{
    unsigned filled = 1;
    nmetrics = 0;
    for (unsigned i = 0; i < sampling->nmetrics; i++) {
        struct sca_metric *metric = &sampling->metric[i];
        int code;
        metric->counted = sca_papi.event_name_to_code(metric->name, &code) == PAPI_OK &&
                          (code == overflow_event || sca_papi.add_event(set, code) == PAPI_OK);
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
    int first = lowest_free_descriptor(), status = sca_papi.create_eventset(&set);
    if (status == PAPI_OK)
        status = sca_papi.add_event(set, overflow_event);
    if (status == PAPI_OK) {
        try_metrics(sampling);
        status = run_set();
    }
    if (status != PAPI_OK)
        drop_set();
    else
        close_on_exec(first);
    return status;
}

/* Counters that fit one by one may still not run together: then none is better than no sampling. */
static const char *start(struct sca_sampling *sampling, const char *event, double per_second)
{
    const char *why = sca_papi_open();
    if (why)
        return why;
    threshold = (int)(per_second / sampling->frequency);
    int status = sca_papi.event_name_to_code((char *)event, &overflow_event);
    if (status == PAPI_OK)
        status = start_with_metrics(sampling);
    if (status != PAPI_OK && nmetrics) {
        forget_metrics(sampling);
        status = start_set();
    }
    return status == PAPI_OK ? NULL : sca_papi.strerror(status);
}

static double cycles_per_second(void)
{
    const PAPI_hw_info_t *hardware = sca_papi_open() ? NULL : sca_papi.get_hardware_info();
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
    long long values[EVENTS];
    if (set == PAPI_NULL)
        return;
    sca_papi.stop(set, values);
    drop_set();
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
