#include "sampling/sampler.h"
#include "arena/arena.h"
#include "unwind/bare_code.h"
#include "unwind/callpath.h"
#include "unwind/left.h"
#include "clock/clock.h"
#include "clock/core_use.h"
#include "base/guard.h"
#include "sampling/counts.h"
#include "sampling/kernel_watch.h"
#include "sampling/perf_standby.h"
#include "sampling/sampler_backend.h"
#include "sampling/sampler_rate.h"
#include "sampling/sample_next.h"
#include "signals/own_signal.h"
#include "signals/own_stack.h"
#include "base/say.h"
#include "base/settings.h"
#include "sampling/threads.h"
#include "sampling/unreached.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    MOST_HZ = 10000,
    SAMPLE_NS = 20000, /* a sample with its signal, where they are dear (in a virtual machine) */
    MOST_NS = 50000,   /* of a handler, and to open or close a clock: with cold caches */
    FIRST_NS = 1000000 /* with its pages touched first */
};

typedef const struct sca_backend *const preference_list[];
static preference_list all_metrics = {&sca_backend_cycles, &sca_backend_task_clock,
                                      &sca_backend_multiplexed_clock,
                                      &sca_backend_multiplexed_timer, NULL};
static preference_list some_metrics = {&sca_backend_cycles, &sca_backend_task_clock,
                                       &sca_backend_timer, NULL};
static preference_list no_metrics = {&sca_backend_cycles, &sca_backend_kernel_clock,
                                     &sca_backend_timer, NULL};
static const struct sca_backend *active;
static struct sca_sampling sampling;
static uint64_t signal_ns; /* what a signal costs outside its handler */
static pid_t owner;        /* a forked child shares nothing with the run */

/* The thread that called MPI_Init, while it lives. */
static struct sca_thread *initial;

/* Samples inside MPI belong to the call, wherever in the MPI library they land. */
static uint32_t node_of(const struct sca_thread *t, const void *ucontext)
{
    const struct sca_part_site *sites = sca_arena_table(SCA_T_SITES);
    if (!t->in_mpi)
        return sca_callpath_sample(ucontext);
    return t->previous < sca_arena_count(SCA_T_SITES) ? sites[t->previous].node : 0;
}

/* A thread that never called MPI works for the one that does: its work lies in that one's
 * intervals. */
static struct sca_thread *caller_of(struct sca_thread *t)
{
    struct sca_thread *caller = __atomic_load_n(&initial, __ATOMIC_RELAXED);
    return t->previous || t->in_mpi || !caller ? t : caller;
}

struct sca_thread *sca_sampler_caller(void)
{
    return caller_of(&sca_thread);
}

static bool lower_rate(void)
{
    const struct sca_backend *backend = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    return backend && backend->follows_rate && sca_sampler_rate_lower();
}

/* Under the state lock. */
static void count(struct sca_thread *t, uint32_t record, const uint64_t *counters)
{
    sca_counts_take(record, counters, sca_clock_cpu());
    t->counting = true;
}

static enum sca_part_sample_kind kind_of(const struct sca_thread *t)
{
    return t->in_mpi ? SCA_SAMPLE_IN_MPI : t->awaits ? SCA_SAMPLE_AWAITS : SCA_SAMPLE_COMPUTES;
}

/* To observers: where the program is, and that it is. */
static void show(const struct sca_thread *t, uint32_t record)
{
    struct sca_part_header *header = sca_arena_header();
    header->seen_ns = sca_clock_now();
    if (t->in_mpi)
        return;
    header->sampled = record;
    header->sampled_ns = header->seen_ns;
}

/* Likewise. */
static bool book(struct sca_thread *t, uint32_t node, unsigned periods, const uint64_t *counters)
{
    struct sca_thread *caller = caller_of(t);
    const uint32_t key[SCA_SAMPLE_KEY] = {node, caller->previous,
                                          sca_sample_next_of(kind_of(t), sca_threads_number()), 0};
    uint32_t i = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    if (i == SCA_NONE)
        return false;
    struct sca_part_sample *sample = (struct sca_part_sample *)sca_arena_table(SCA_T_SAMPLES) + i;
    sample->count += periods;
    if (counters)
        count(t, i, counters);
    if (!t->in_mpi) {
        sca_sample_next_await(caller, i, periods);
        sca_core_use_sample(sca_threads_number(), periods);
    }
    show(t, i);
    return true;
}

/* By the node clock: reading the CPU clock would be a tenth of it. What is more than ever seen is
 * time that another one had, or, where cores are not shared, another machine. */
static uint64_t time_since(uint64_t begin_ns)
{
    uint64_t ns = sca_clock_now() - begin_ns, most_ns = sca_clock_is_crowded() ? MOST_NS : FIRST_NS;
    return ns < most_ns ? ns : most_ns;
}

static void add_cost(uint64_t ns)
{
    __atomic_fetch_add(&sca_arena_header()->tool_ns, ns, __ATOMIC_RELAXED);
}

void sca_sampler_spent(uint64_t begin_ns)
{
    add_cost(time_since(begin_ns));
}

void sca_sampler_count_signal(uint64_t begin_ns)
{
    add_cost(time_since(begin_ns) + signal_ns);
}

static void take(struct sca_thread *t, const void *ucontext, unsigned periods,
                 const uint64_t *counters)
{
    struct sca_part_header *header = sca_arena_header();
    uint32_t node = node_of(t, ucontext);
    sca_guard_lock();
    if (node != SCA_NONE && book(t, node, periods, counters)) {
        if (t->holds && !(t->in_mpi | t->awaits))
            t->held_periods += periods;
        header->samples += periods;
        header->samples_in_mpi += t->in_mpi ? periods : 0;
        header->sample_squares += (uint64_t)periods * periods;
        if (sca_sampler_rate_count())
            lower_rate();
    } else {
        header->samples_dropped += periods;
    }
    sca_guard_unlock();
}

/* What a sample costs: handler and what brought it. Of a thread that calls MPI, its interval is
 * told without. */
static void charge(uint64_t begin_ns, uint64_t outside_ns)
{
    struct sca_thread *t = &sca_thread;
    uint64_t cost_ns = time_since(begin_ns) + outside_ns;
    add_cost(cost_ns);
    if (t->in_mpi)
        return;
    if (caller_of(t) == t)
        t->sampling_ns += cost_ns;
    else
        __atomic_fetch_add(&sca_arena_header()->tool_gap_ns, cost_ns, __ATOMIC_RELAXED);
}

/* False: the thread runs this library's own code. */
static bool enter(struct sca_thread *t, unsigned periods)
{
    if (t->in_tool) {
        __atomic_fetch_add(&sca_arena_header()->samples_dropped, periods, __ATOMIC_RELAXED);
        return false;
    }
    t->in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return true;
}

/* A call that runs no more is none that the sample is in. */
static void look_for_jump(struct sca_thread *t, const void *ucontext, uint64_t now_ns)
{
    if (t->in_mpi | t->called_back)
        sca_left_look((uint64_t)((const ucontext_t *)ucontext)->uc_mcontext.gregs[REG_RSP]);
    if (!t->in_mpi)
        return;
    t->mpi_seen_ns = now_ns;
    t->mpi_seen_cpu_ns = sca_clock_cpu();
}

static void leave(struct sca_thread *t)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->in_tool--;
}

static bool is_taking(void)
{
    return sca_recording && !sca_paused && active;
}

void sca_sampler_count_rest(void)
{
    uint64_t counters[SCA_MAX_METRICS] = {0}, begin_ns = sca_clock_now();
    sca_thread.counting = false;
    bool counted = is_taking() && sampling.read_counters && sampling.read_counters(counters);
    sca_guard_lock();
    sca_counts_rest(counted ? counters : NULL, sca_clock_cpu());
    sca_guard_unlock();
    sca_sampler_spent(begin_ns);
}

/* No sample may come in between: it would read them as well. */
bool sca_sampler_read_counters(uint64_t counters[SCA_MAX_METRICS])
{
    struct sca_thread *t = &sca_thread;
    if (!is_taking() || !t->sampled || !sampling.read_counters || sampling.multiplexed)
        return false;
    int kept = errno;
    uint64_t begin_ns = sca_clock_now();
    t->in_tool++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool counted = sampling.read_counters(counters);
    uint64_t cost_ns = time_since(begin_ns);
    add_cost(cost_ns);
    t->sampling_ns += cost_ns;
    leave(t);
    errno = kept;
    return counted;
}

/* The calling thread takes no more samples. */
static void count_end(void)
{
    uint64_t counters[SCA_MAX_METRICS] = {0};
    if (!sampling.read_counters || sca_paused || !sampling.read_counters(counters))
        return;
    sca_guard_lock();
    sca_counts_end(counters);
    sca_guard_unlock();
}

static void hit_recording(const void *ucontext, unsigned periods, bool (*read_counters)(uint64_t *))
{
    struct sca_thread *t = &sca_thread;
    uint64_t counters[SCA_MAX_METRICS] = {0}, begin_ns = sca_clock_now();
    if (!enter(t, periods))
        return;
    if (!read_counters)
        read_counters = sampling.read_counters;
    look_for_jump(t, ucontext, begin_ns);
    bool counted = read_counters && read_counters(counters);
    take(t, ucontext, periods, counted ? counters : NULL);
    charge(begin_ns, sampling.outside_ns);
    leave(t);
}

void sca_sampler_hit(const void *ucontext, unsigned periods,
                     bool (*read_counters)(uint64_t counters[SCA_MAX_METRICS]))
{
    int kept = errno;
    if (is_taking())
        hit_recording(ucontext, periods, read_counters);
    errno = kept;
}

void sca_sampler_hit_in_kernel(const void *ucontext, unsigned periods, uint64_t begin_ns)
{
    struct sca_thread *t = &sca_thread;
    uint64_t counters[SCA_MAX_METRICS] = {0};
    if (!is_taking())
        return;
    if (periods && enter(t, periods)) {
        look_for_jump(t, ucontext, begin_ns);
        bool counted = sampling.read_counters && sampling.read_counters(counters);
        take(t, ucontext, periods, counted ? counters : NULL);
        leave(t);
    }
    charge(begin_ns, signal_ns);
}

/* Commas or spaces between names; names past the fourth or too long are left out. */
static void parse_metrics(const char *names)
{
    static const char separators[] = ", \t";
    while (names && *(names += strspn(names, separators))) {
        size_t length = strcspn(names, separators);
        if (sampling.nmetrics < SCA_MAX_METRICS && length < sizeof sampling.metric[0].name) {
            struct sca_metric *metric = &sampling.metric[sampling.nmetrics++];
            memcpy(metric->name, names, length);
            metric->name[length] = '\0';
        }
        names += length;
    }
}

/* "name, name" of those that are counted, or of those that are not. */
static unsigned list_metrics(bool counted, char *out, size_t size)
{
    unsigned n = 0;
    size_t used = 0;
    out[0] = '\0';
    for (unsigned i = 0; i < sampling.nmetrics; i++)
        if (sampling.metric[i].counted == counted)
            used += (size_t)snprintf(out + used, size - used, "%s%s", n++ ? "," : "",
                                     sampling.metric[i].name);
    return n;
}

static void say_metrics(void)
{
    char list[SCA_MAX_METRICS * (sizeof sampling.metric[0].name + 1)];
    sca_arena_header()->nmetrics = list_metrics(true, list, sizeof list);
    if (*list)
        sca_arena_meta("metrics", list);
    list_metrics(false, list, sizeof list);
    if (!*list)
        return;
    sca_arena_meta("metrics.absent", list);
    if (sca_arena_header()->rank == 0)
        sca_say(SCA_LOG_WARN, "SCALANA_EVENTS: %s cannot be counted here", list);
}

/* A timer costs a signal and no more, perf's task clock an interrupt of its own for each sample
 * (four times as much in a virtual machine). But the kernel looks at timers at its ticks, when it
 * also hands cores to others: on a busy node, whosever work that is, a timer sees some loops ten
 * times too rarely. So it is the last resort. */
static const struct sca_backend *const *preference(void)
{
    if (!sampling.nmetrics || sampling.in_vain)
        return no_metrics;
    return sampling.whole ? all_metrics : some_metrics;
}

/* The first backend that works. `said` becomes its name and what was wrong with those before. */
static const struct sca_backend *choose(char *said, size_t size)
{
    const struct sca_backend *const *backends = preference();
    char complaints[384] = "";
    size_t used = 0;
    for (unsigned i = 0; backends[i]; i++) {
        const char *why = backends[i]->start(&sampling);
        if (!why) {
            snprintf(said, size, "%s%s%s%s", backends[i]->name, complaints,
                     *sampling.why_in_vain ? "; PAPI: " : "", sampling.why_in_vain);
            return backends[i];
        }
        if (used < sizeof complaints)
            used += (size_t)snprintf(complaints + used, sizeof complaints - used, "; %s: %s",
                                     backends[i]->name, why);
    }
    snprintf(said, size, "none%s", complaints);
    return NULL;
}

/* Where samples see the program alone. */
static void watch_kernel(void)
{
    bool watches =
        !active->sees_kernel && sca_kernel_watch_prepare(1000000000u / sampling.frequency);
    if (!watches)
        return;
    sca_arena_meta("sampling.kernel", "ticks");
    sca_kernel_watch_begin();
}

static void start(void)
{
    char said[512];
    sampling.in_vain = sampling.nmetrics && sca_papi_probe_is_in_vain(&sampling);
    sampling.whole = sampling.nmetrics && !sampling.in_vain;
    const struct sca_backend *chosen = choose(said, sizeof said);
    if (!chosen && sampling.whole) {
        sampling.whole = false;
        chosen = choose(said, sizeof said);
    }
    if (sampling.outside_ns < signal_ns)
        sampling.outside_ns = signal_ns;
    sca_arena_meta("sampling", said);
    if (sampling.multiplexed)
        sca_arena_meta("metrics.multiplexed", "1");
    say_metrics();
    if (!chosen)
        return;
    sca_thread.sampled = true;
    sca_arena_header()->sample_period_ns = 1000000000u / sampling.frequency;
    __atomic_store_n(&active, chosen, __ATOMIC_RELEASE);
    watch_kernel();
    sca_threads_adopt(sampling.frequency);
}

/* As asked for, but within the budget: samples are what can be had for less. */
static unsigned affordable(unsigned frequency)
{
    double most = sca_settings.budget / 100 * 1e9 / SAMPLE_NS;
    most = most < 1 ? 1 : most > MOST_HZ ? MOST_HZ : most;
    return frequency > most ? (unsigned)most : frequency;
}

static void say_frequency(void)
{
    char number[24];
    snprintf(number, sizeof number, "%u", sampling.frequency);
    sca_arena_meta("sampling.frequency", number);
}

/* Where all samples stand for the same there is nothing to say. */
static void say_rate(void)
{
    char number[24];
    snprintf(number, sizeof number, "%u", sca_sampler_rate_periods());
    if (sca_sampler_rate_periods() > 1)
        sca_arena_meta("sampling.periods", number);
    if (sca_arena_header()->sample_squares == sca_arena_header()->samples)
        return;
    snprintf(number, sizeof number, "%llu", (unsigned long long)sca_arena_header()->sample_squares);
    sca_arena_meta("sampling.squares", number);
}

void sca_sampler_prepare(void)
{
    if (sca_settings.enable && sca_settings.frequency)
        sca_perf_standby_begin();
}

void sca_sampler_start(void)
{
    if (active || !sca_arena_header())
        return;
    sca_perf_standby_join();
    owner = getpid();
    sampling = (struct sca_sampling){.frequency = affordable(sca_settings.frequency)};
    bool steady = sca_settings.steady || *sca_settings.events; /* counts go by single samples */
    sca_sampler_rate_begin(steady, sca_clock_is_crowded());
    parse_metrics(sca_settings.events);
    say_frequency();
    if (!sampling.frequency) {
        sca_arena_meta("sampling", "none; switched off by SCALANA_FREQUENCY");
        return;
    }
    sca_thread.in_tool++;
    initial = &sca_thread;
    signal_ns = sca_sampler_signal_cost_ns();
    start();
    sca_thread.in_tool--;
}

/* False: there is nowhere to handle them. */
static bool let_signals_come(void)
{
    sca_own_signal_let_through();
    return sca_own_stack_begin();
}

void sca_sampler_thread_start(void)
{
    const struct sca_backend *backend = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    struct sca_thread *t = &sca_thread;
    if (!backend || t->sampled || sca_threads_adopted() || getpid() != owner)
        return;
    t->in_tool++;
    sca_counts_restart();
    t->sampled = let_signals_come() && backend->thread_start();
    if (t->sampled)
        sca_kernel_watch_begin();
    t->in_tool--;
}

void sca_sampler_thread_stop(void)
{
    const struct sca_backend *backend = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    struct sca_thread *t = &sca_thread;
    if (!backend || !t->sampled || getpid() != owner)
        return;
    t->in_tool++;
    t->sampled = false;
    sca_unreached_note();
    count_end();
    sca_guard_lock(); /* others book what leads to this thread's next call in its state */
    if (t == initial)
        __atomic_store_n(&initial, NULL, __ATOMIC_RELAXED);
    sca_guard_unlock();
    sca_kernel_watch_end();
    backend->thread_stop();
    t->in_tool--;
}

void sca_sampler_pause(bool paused)
{
    int kept = errno;
    const struct sca_backend *backend = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    if (backend && backend->pause && sca_thread.sampled && sca_recording)
        backend->pause(paused);
    errno = kept;
}

void sca_sampler_part(void)
{
    const struct sca_backend *backend = __atomic_load_n(&active, __ATOMIC_ACQUIRE);
    if (backend && backend->part && sca_thread.sampled && sca_recording)
        backend->part();
}

/* Where ranks share cores only if a budget was asked for: there runs are short of samples, not of
 * time. */
bool sca_sampler_slow_down(void)
{
    return (sca_settings.strict || !sca_clock_is_crowded()) && lower_rate();
}

/* Other threads' signals go on until they end, and find nothing to do. */
void sca_sampler_stop(void)
{
    char number[24];
    sca_perf_standby_end();
    if (!active)
        return;
    sca_sampler_thread_stop();
    sca_own_stack_leave();
    __atomic_store_n(&active, NULL, __ATOMIC_RELEASE);
    sca_guard_lock();
    sca_counts_share_out(sca_arena_header()->sample_period_ns);
    sca_guard_unlock();
    say_rate();
    sca_unreached_tell();
    snprintf(number, sizeof number, "%llu", (unsigned long long)sca_callpath_truncated());
    sca_arena_meta("callpaths.truncated", number);
    snprintf(number, sizeof number, "%llu", (unsigned long long)sca_bare_code_guessed());
    sca_arena_meta("callpaths.guessed", number);
}
