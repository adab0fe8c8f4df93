/* What the library says that samples cost, beside the CPU time that the thread took by the kernel's
 * clock. */
#include "arena/arena.h"
#include "busy.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "check_main.h"

enum { HZ = 5000, LEAST_NS = 500 /* a signal alone takes more */ };

static volatile double sink;

static void start_sampling(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    ck_assert_int_eq(sca_callpath_init(), 0);
    sca_settings.frequency = HZ;
    sca_settings.budget = 100;
    sca_settings.steady = true;
    sca_settings.events = "";
    sca_recording = true;
    sca_sampler_start();
}

static uint64_t time_of_work(void)
{
    uint64_t begin = kernel_cpu_ns();
    for (int i = 0; i < 60000000; i++)
        sink += i * 0.5;
    return kernel_cpu_ns() - begin;
}

/* How close it is to what the program loses, scripts/bench-overhead.sh measures. */
START_TEST(each_sample_costs_some_of_the_time)
{
    sca_clock_init();
    start_sampling();
    for (int i = 0; i < 3; i++) {
        uint64_t samples = sca_arena_header()->samples, cost_ns = sca_arena_header()->tool_ns;
        uint64_t took_ns = time_of_work();
        samples = sca_arena_header()->samples - samples;
        cost_ns = sca_arena_header()->tool_ns - cost_ns;
        ck_assert_uint_gt(samples, 0);
        ck_assert_uint_ge(cost_ns, samples * LEAST_NS);
        ck_assert_uint_lt(cost_ns, took_ns);
    }
    sca_sampler_stop();
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sampler_cost");
    TCase *tests = tcase_create("cost");
    tcase_add_test(tests, each_sample_costs_some_of_the_time);
    suite_add_tcase(suite, tests);
    return suite;
}
