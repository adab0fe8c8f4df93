#include "clock/core_use.h"
#include "base/hot.h"
#include "clock/cpu_time.h"
#include "clock/stint.h"

#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    CORES = 256, /* more are folded, as in finish/meet.c */
    OF_THREAD = 8,
    THOUSAND = 1000,
    MS = 1000000
};

static uint64_t used_ns[CORES] SCA_HOT_TABLE;

struct core_samples {
    uint32_t core, periods;
};

/* All zero: it was not sampled. */
static struct thread_use {
    struct core_samples of[OF_THREAD];
    uint32_t elsewhere; /* periods on further cores */
    uint64_t waited_ns;
} threads[SCA_CORE_USE_THREADS];

void sca_core_use_add(uint64_t cpu_ns)
{
    int core = sca_stint_core();
    if (__builtin_expect(core < 0, 0) && cpu_ns >= SCA_CPU_TIME_SHORT_NS)
        core = sched_getcpu();
    if (core >= 0)
        used_ns[core % CORES] += cpu_ns;
}

static struct thread_use *use_of(uint32_t thread)
{
    return thread && thread <= SCA_CORE_USE_THREADS ? &threads[thread - 1] : NULL;
}

void sca_core_use_sample(uint32_t thread, unsigned periods)
{
    struct thread_use *use = use_of(thread);
    int core = use ? sca_stint_core() : -1;
    if (use && core < 0)
        core = sched_getcpu();
    if (core < 0)
        return;
    for (struct core_samples *at = use->of; at < use->of + OF_THREAD; at++)
        if (!at->periods || at->core == (uint32_t)core % CORES) {
            at->core = (uint32_t)core % CORES;
            at->periods += periods;
            return;
        }
    use->elsewhere += periods;
}

bool sca_core_use_is_sampled(uint32_t thread)
{
    const struct thread_use *use = use_of(thread);
    return use && use->of[0].periods;
}

void sca_core_use_waited(uint32_t thread, uint64_t ns)
{
    struct thread_use *use = use_of(thread);
    if (use)
        __atomic_fetch_add(&use->waited_ns, ns, __ATOMIC_RELAXED);
}

uint64_t sca_core_use_longest_wait_ns(void)
{
    uint64_t longest_ns = 0;
    for (unsigned i = 0; i < SCA_CORE_USE_THREADS; i++) {
        uint64_t ns = __atomic_load_n(&threads[i].waited_ns, __ATOMIC_RELAXED);
        longest_ns = ns > longest_ns ? ns : longest_ns;
    }
    return longest_ns;
}

/* ---- in words ---- */

struct text {
    char *at;
    size_t used, size;
};

/* What does not fit whole is left out. */
__attribute__((format(printf, 2, 3))) static bool put(struct text *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to->at + to->used, to->size - to->used, format, list);
    va_end(list);
    bool fits = n >= 0 && (size_t)n < to->size - to->used;
    if (fits)
        to->used += (size_t)n;
    to->at[to->used] = '\0';
    return fits;
}

static uint64_t thousandths(uint64_t part, uint64_t total)
{
    return total ? (part * THOUSAND + total / 2) / total : 0;
}

/* What a core must have at least so that no more than `most` of them have it. */
static uint64_t least_of(uint32_t most)
{
    uint64_t least = 1;
    for (;;) {
        uint64_t next = UINT64_MAX;
        uint32_t n = 0;
        for (unsigned i = 0; i < CORES; i++)
            if (used_ns[i] >= least) {
                n++;
                next = used_ns[i] < next ? used_ns[i] : next;
            }
        if (n <= most)
            return least;
        least = next + 1;
    }
}

/* A part of the total that rounds to nothing is left out. */
void sca_core_use_describe(uint32_t most, char *text, size_t size)
{
    struct text to = {text, 0, size};
    uint64_t total_ns = 0, least_ns = least_of(most);
    text[0] = '\0';
    for (unsigned i = 0; i < CORES; i++)
        total_ns += used_ns[i];
    for (unsigned i = 0; i < CORES; i++) {
        uint64_t part = used_ns[i] >= least_ns ? thousandths(used_ns[i], total_ns) : 0;
        if (part && !put(&to, "%s%u:%" PRIu64, to.used ? " " : "", i, part))
            return;
    }
}

/* The next by number that was sampled on: from `least` on; NULL: there is none. */
static const struct core_samples *next_of(const struct thread_use *use, uint32_t least)
{
    const struct core_samples *next = NULL;
    for (const struct core_samples *at = use->of; at < use->of + OF_THREAD; at++)
        if (at->periods && at->core >= least && (!next || at->core < next->core))
            next = at;
    return next;
}

/* The thread whole, or nothing of it. */
static bool put_thread(struct text *to, uint32_t thread)
{
    const struct thread_use *use = &threads[thread - 1];
    size_t before = to->used;
    uint64_t total = use->elsewhere;
    for (int i = 0; i < OF_THREAD; i++)
        total += use->of[i].periods;
    bool fits = put(to, "%s%" PRIu32 " %" PRIu64 " %" PRIu64, before ? ";" : "", thread,
                    use->waited_ns / MS, total);
    const struct core_samples *at = next_of(use, 0);
    for (; at && fits; at = next_of(use, at->core + 1))
        fits = put(to, " %" PRIu32 ":%" PRIu64, at->core, thousandths(at->periods, total));
    if (!fits)
        to->at[to->used = before] = '\0';
    return fits;
}

void sca_core_use_describe_threads(char *text, size_t size)
{
    struct text to = {text, 0, size};
    text[0] = '\0';
    for (uint32_t i = 1; i <= SCA_CORE_USE_THREADS; i++)
        if (sca_core_use_is_sampled(i) && !put_thread(&to, i))
            return;
}
