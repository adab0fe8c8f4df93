/* Runs that are sampled, and where samples landed. */
#ifndef SCA_TEST_SAMPLED_H
#define SCA_TEST_SAMPLED_H

#include "arena/arena.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "base/settings.h"

#include <check.h>
#include <string.h>

enum { HZ = 1000, SELDOM_HZ = 200, MS = 1000000 };

static volatile double sink;

/* Each in a section of its own: the linker gives its bounds. */
#define HOT(name)                                                                                  \
    extern const char __start_code_##name[], __stop_code_##name[];                                 \
    static __attribute__((noinline, section("code_" #name))) void name(uint64_t cpu_ns)            \
    {                                                                                              \
        uint64_t end = sca_clock_cpu() + cpu_ns;                                                   \
        do                                                                                         \
            for (int i = 0; i < 200000; i++)                                                       \
                sink += i * 0.5;                                                                   \
        while (sca_clock_cpu() < end);                                                             \
    }

static inline void open_run_at(unsigned frequency, const char *events, bool steady)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    ck_assert_int_eq(sca_callpath_init(), 0);
    sca_settings.frequency = frequency;
    sca_settings.budget = 100;
    sca_settings.steady = steady;
    sca_settings.events = events;
    sca_recording = true;
    sca_sampler_start();
}

static inline const char *meta(const char *key)
{
    const char *at = sca_arena_table(SCA_T_META);
    const char *end = at + sca_arena_count(SCA_T_META);
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (!strcmp(at, key))
            return value;
        at = value + strlen(value) + 1;
    }
    return "";
}

/* Samples whose innermost frame lies in [first, last). */
static inline uint64_t samples_between(const char *first, const char *last)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    const struct sca_part_module *modules = sca_arena_table(SCA_T_MODULES);
    uint64_t n = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++) {
        const struct sca_part_node *node = &nodes[samples[i].node];
        if (node->module == SCA_NONE)
            continue;
        uint64_t address = node->offset + modules[node->module].bias;
        if (address >= (uintptr_t)first && address < (uintptr_t)last)
            n += samples[i].count;
    }
    return n;
}

/* What was expected, within what clocks promise on cores that are busy with other work: half. Of a
 * timer all that is due between two ticks is one sample, and a thread may be off at most ticks. */
static inline void about(uint64_t got, uint64_t expected)
{
    uint64_t part = strncmp(meta("sampling"), "timer", 5) ? 2 : 10;
    ck_assert_uint_ge(got * part, expected);
    ck_assert_uint_le(got * 2, expected * 3);
}

#endif
