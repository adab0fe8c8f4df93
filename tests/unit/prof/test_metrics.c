/* Hardware counters, as many as there are or more, against a fake PAPI whose rates are known. */
#include "arena/arena.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "fake_papi.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "check_main.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { MS = 1000000, IN_KERNEL = 12 }; /* three ticks that chance to find a thread there */

static void open_run(const char *events)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    ck_assert_int_eq(sca_callpath_init(), 0);
    sca_settings.frequency = 1000;
    sca_settings.budget = 100;
    sca_settings.events = events;
    sca_recording = true;
    sca_sampler_start();
}

static const char *meta(const char *key)
{
    const char *at = sca_arena_table(SCA_T_META);
    const char *end = at + sca_arena_count(SCA_T_META), *found = "";
    for (const char *value; at < end; at = value + strlen(value) + 1) {
        value = at + strlen(at) + 1;
        found = strcmp(at, key) ? found : value;
    }
    return found;
}

static double sum(int metric)
{
    const struct sca_part_sample *samples = sca_arena_table(SCA_T_SAMPLES);
    double total = 0;
    for (uint32_t i = 0; i < sca_arena_count(SCA_T_SAMPLES); i++)
        total += (double)samples[i].metric[metric];
    return total;
}

static volatile double sink;

/* In the program's own code, but for a look at the clock now and then. */
static void work(uint64_t cpu_ns)
{
    for (uint64_t end = sca_clock_cpu() + cpu_ns; sca_clock_cpu() < end;)
        for (int i = 0; i < 100000; i++)
            sink += i * 0.5;
}

/* Where the real clock of hardware is missing the fake's task clock overflows, when told. */
static void overflow(void)
{
    void (*now)(void *) =
        (void (*)(void *))dlsym(dlopen(FAKE_PAPI, RTLD_NOW | RTLD_NOLOAD), "fake_papi_overflow");
    ucontext_t here;
    ck_assert_ptr_nonnull((void *)now);
    getcontext(&here);
    now(&here);
}

START_TEST(as_many_as_counters)
{
    open_run("PAPI_TOT_INS,NO_SUCH,PAPI_TOT_CYC");
    ck_assert_ptr_nonnull(strstr(meta("sampling"), "TASK-CLOCK"));
    ck_assert_str_eq(meta("metrics"), "PAPI_TOT_INS,PAPI_TOT_CYC");
    ck_assert_str_eq(meta("metrics.absent"), "NO_SUCH");
    ck_assert_str_eq(meta("metrics.multiplexed"), "");
    for (int i = 0; i < 10; i++) {
        work(5 * MS);
        overflow();
    }
    ck_assert_uint_ge(sca_arena_header()->samples, 10);
    ck_assert_uint_le(sca_arena_header()->samples, 10 + IN_KERNEL);
    ck_assert_double_ge(sum(1), 50. * MS * FAKE_CYCLES);
    ck_assert_double_eq_tol(sum(0) / sum(1), (double)FAKE_INSTRUCTIONS / FAKE_CYCLES, 1e-6);
    sca_sampler_stop();
}
END_TEST

/* Up to the end of its interval what is counted is the sample's, and once only. */
START_TEST(what_follows_a_sample_is_its_own)
{
    open_run("PAPI_TOT_CYC");
    overflow();
    double before = sum(0);
    work(20 * MS);
    sca_sampler_count_rest();
    double after = sum(0);
    ck_assert_double_ge(after - before, 20. * MS * FAKE_CYCLES);
    sca_sampler_count_rest();
    ck_assert_double_eq(sum(0), after);
    sca_sampler_stop();
}
END_TEST

/* Three events, two counters: all are there, estimated, and never counted backwards. */
START_TEST(more_than_counters)
{
    open_run("PAPI_TOT_INS,PAPI_TOT_CYC,NO_SUCH,PAPI_L1_DCM");
    ck_assert_ptr_nonnull(strstr(meta("sampling"), "multiplexed counters"));
    ck_assert_ptr_nonnull(strstr(meta("sampling"), "more events than counters"));
    ck_assert_str_eq(meta("metrics"), "PAPI_TOT_INS,PAPI_TOT_CYC,PAPI_L1_DCM");
    ck_assert_str_eq(meta("metrics.absent"), "NO_SUCH");
    ck_assert_str_eq(meta("metrics.multiplexed"), "1");
    ck_assert_uint_eq(sca_arena_header()->nmetrics, 3);
    uint64_t begin = sca_clock_cpu();
    work(300 * MS);
    double ns = (double)(sca_clock_cpu() - begin);
    sca_sampler_stop();
    ck_assert_uint_gt(sca_arena_header()->samples, 5); /* timers are late where others compute */
    ck_assert_double_ge(sum(2),
                        0.5 * ns * FAKE_MISSES); /* what follows the last sample is missing */
    ck_assert_double_le(sum(2), 1.1 * ns * FAKE_MISSES);
    ck_assert_double_eq_tol(sum(0) / sum(2), (double)FAKE_INSTRUCTIONS / FAKE_MISSES, 0.02);
    ck_assert_double_eq_tol(sum(1) / sum(2), (double)FAKE_CYCLES / FAKE_MISSES, 0.02);
}
END_TEST

/* PAPI's megabytes are not kept for nothing. */
START_TEST(none_of_that_name)
{
    open_run("NO_SUCH,NOR_SUCH");
    ck_assert_str_eq(meta("metrics"), "");
    ck_assert_str_eq(meta("metrics.absent"), "NO_SUCH,NOR_SUCH");
    ck_assert_ptr_nonnull(strstr(meta("sampling"), "; PAPI: no default PMU found"));
    ck_assert_ptr_null(dlopen(FAKE_PAPI, RTLD_NOW | RTLD_NOLOAD));
    work(50 * MS);
    sca_sampler_stop();
    ck_assert_uint_gt(sca_arena_header()->samples, 0);
}
END_TEST

SCA_SUITE("metrics", as_many_as_counters, what_follows_a_sample_is_its_own, more_than_counters,
          none_of_that_name)
