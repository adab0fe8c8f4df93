/* What the library says that samples cost is what a program loses by them, as the kernel's clock of
 * its thread sees it: what others do on the same core is not in that. */
#include "arena/arena.h"
#include "busy.h"
#include "unwind/callpath.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "sampling/sampler.h"
#include "base/settings.h"
#include "check_main.h"

enum { HZ = 5000 };

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

struct timed_work {
    uint64_t ns, tool_ns;
};

/* The least of a few: neighbours in the same caches slow it down. */
static struct timed_work least_of_work(const uint64_t *tool_ns)
{
    struct timed_work least = {UINT64_MAX, 0};
    for (int i = 0; i < 7; i++) {
        uint64_t before = *tool_ns, ns = time_of_work();
        if (ns < least.ns)
            least = (struct timed_work){ns, *tool_ns - before};
    }
    return least;
}

/* With interrupts, which no handler sees. */
START_TEST(own_cost_is_what_the_program_loses)
{
    const uint64_t nothing = 0;
    sca_clock_init();
    struct timed_work without = least_of_work(&nothing);
    start_sampling();
    struct timed_work with = least_of_work(&sca_arena_header()->tool_ns);
    sca_sampler_stop();
    ck_assert_uint_gt(with.ns, without.ns);
    uint64_t lost = with.ns - without.ns;
    ck_assert_msg(with.tool_ns * 3 > lost && with.tool_ns < 3 * lost, "%lu ns of %lu",
                  (long)with.tool_ns, (long)lost);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sampler_cost");
    TCase *tests = tcase_create("cost");
    tcase_add_test(tests, own_cost_is_what_the_program_loses);
    suite_add_tcase(suite, tests);
    return suite;
}
