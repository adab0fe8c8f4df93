/* Segments are drawn for a clock so that each moment of a program has the same chance of a sample.
 * The clock is played here: what it would have sampled is known to the nanosecond. */
#include "arena/arena.h"
#include "clock/clock.h"
#include "base/guard.h"
#include "sampling/sampler_rate.h"
#include "sampling/sampler_segment.h"
#include "check_main.h"

#include <string.h>

enum { PERIOD_NS = 1000000, STRETCHES = 12000, HALVES = 2 };

static volatile bool clocked; /* by a signal, too */
static unsigned begun;

static void run(bool on)
{
    clocked = on;
    begun += on;
}

static void spin(uint64_t ns)
{
    for (uint64_t end = sca_clock_now() + ns; sca_clock_now() < end;)
        ;
}

static void begin_run(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_clock_init();
    sca_sampler_rate_begin(true, false);
    run(true);
    sca_sampler_segment_start(run, PERIOD_NS);
    sca_sampler_segment_wait(true);
    begun = 0;
}

/* Seconds that samples stand for, in the halves of a segment of that length. */
static void play(uint64_t length_ns, double halves[HALVES])
{
    for (uint64_t at_ns = 0;;) {
        struct sca_aim aim = sca_sampler_segment_aim(PERIOD_NS, at_ns == 0);
        for (unsigned i = 0; i < aim.samples; i++) {
            at_ns += aim.distance_ns;
            if (at_ns > length_ns)
                return;
            halves[at_ns * HALVES > length_ns] += aim.periods * (PERIOD_NS * 1e-9);
        }
    }
}

static void segment(uint32_t site, uint64_t length_ns, double halves[HALVES])
{
    sca_thread.previous = site;
    sca_sampler_segment_wait(false);
    if (clocked)
        play(length_ns, halves);
    spin(length_ns);
    sca_sampler_segment_wait(true);
}

static void check_halves(const double halves[HALVES], double seconds)
{
    for (int i = 0; i < HALVES; i++)
        ck_assert_double_eq_tol(halves[i], seconds / HALVES, 0.25 * seconds / HALVES);
}

/* After the same call come short ones and long ones, and nobody can say which. */
START_TEST(each_moment_has_the_same_chance)
{
    double shorts[HALVES] = {0}, longs[HALVES] = {0};
    begin_run();
    for (unsigned i = 0; i < STRETCHES; i++) {
        segment(1, 50000, shorts);
        if (i % 3 == 0)
            segment(1, 600000, longs);
    }
    sca_sampler_segment_stop();
    check_halves(longs, STRETCHES / 3 * 600e-6);
    check_halves(shorts, STRETCHES * 50e-6);
    ck_assert_uint_lt(begun, STRETCHES / 3);
}
END_TEST

START_TEST(first_samples_lie_anywhere_in_what_is_likely)
{
    double halves[HALVES] = {0}, sum = 0;
    uint64_t latest = 0, at_ns = 0;
    begin_run();
    for (int i = 0; i < 20; i++)
        segment(1, 200000, halves);
    sca_sampler_segment_wait(false);
    for (unsigned i = 0; i < STRETCHES; i++) {
        at_ns = sca_sampler_segment_aim(PERIOD_NS, true).distance_ns - 1;
        latest = at_ns > latest ? at_ns : latest;
        sum += (double)at_ns;
    }
    struct sca_aim next = sca_sampler_segment_aim(PERIOD_NS, false);
    uint64_t likely_ns = next.distance_ns - at_ns;
    ck_assert_uint_eq(next.samples, 1);
    ck_assert_uint_lt(latest, likely_ns);
    ck_assert_double_eq_tol(sum / STRETCHES, (double)likely_ns / 2, 0.02 * (double)likely_ns);
    sca_sampler_segment_stop();
}
END_TEST

/* Of segments that are as long as is likely, none has two samples or more: those of one tell
 * hardly more than the first. */
START_TEST(what_is_drawn_has_one_sample)
{
    double halves[HALVES] = {0};
    begin_run();
    for (int i = 0; i < 20; i++)
        segment(1, 200000, halves);
    begun = 0;
    halves[0] = halves[1] = 0;
    for (unsigned i = 0; i < STRETCHES / 4; i++)
        segment(1, 150000, halves);
    sca_sampler_segment_stop();
    ck_assert_double_le((halves[0] + halves[1]) / (PERIOD_NS * 1e-9), 1.2 * begun);
}
END_TEST

/* Calls that are followed by long segments are told from those that are not. */
START_TEST(what_is_likely_to_be_long_is_drawn_more_often)
{
    double shorts[HALVES] = {0}, longs[HALVES] = {0};
    unsigned of_longs = 0;
    begin_run();
    for (unsigned i = 0; i < STRETCHES / 12; i++) {
        segment(1, 200000, shorts);
        unsigned before = begun;
        segment(2, 1600000, longs);
        of_longs += begun - before;
    }
    sca_sampler_segment_stop();
    ck_assert_uint_gt(of_longs, (begun - of_longs) * 5 / 4);
    check_halves(longs, STRETCHES / 12 * 1600e-6);
}
END_TEST

/* A call that did not wait, but is followed by long computation, begins a segment: one that began
 * before it would be expected to be over soon, and rarely drawn. */
START_TEST(long_computation_is_a_segment_of_its_own)
{
    double shorts[HALVES] = {0}, longs[HALVES] = {0};
    unsigned drawn = 0;
    begin_run();
    for (unsigned i = 0; i < STRETCHES / 12; i++) {
        sca_thread.previous = 1;
        sca_sampler_segment_wait(false);
        if (clocked)
            play(20000, shorts);
        spin(20000);
        sca_thread.previous = 2;
        unsigned before = begun;
        sca_sampler_segment_part();
        drawn += begun - before;
        if (clocked)
            play(1200000, longs);
        spin(1200000);
        sca_sampler_segment_wait(true);
    }
    sca_sampler_segment_stop();
    check_halves(longs, STRETCHES / 12 * 1200e-6);
    ck_assert_uint_gt(drawn, STRETCHES / 12 / 5);
}
END_TEST

static uint64_t longest_distance(void)
{
    uint64_t longest_ns = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t distance_ns = sca_sampler_segment_aim(PERIOD_NS, true).distance_ns;
        longest_ns = distance_ns > longest_ns ? distance_ns : longest_ns;
    }
    return longest_ns;
}

/* As long as recording is off no segment is drawn, however long; how long it took says nothing of
 * those that come later: samples lie as far apart as before. */
START_TEST(nothing_is_drawn_while_recording_is_off)
{
    double halves[HALVES] = {0};
    begin_run();
    for (int i = 0; i < 200; i++)
        segment(1, 50000, halves);
    uint64_t before_ns = longest_distance();
    sca_paused = true;
    sca_sampler_segment_wait(false);
    sca_sampler_segment_part();
    begun = 0;
    spin(300000000);
    ck_assert(!clocked);
    ck_assert_uint_eq(begun, 0);
    sca_paused = false;
    sca_sampler_segment_part();
    ck_assert_uint_lt(longest_distance(), 3 * before_ns);
    sca_sampler_segment_stop();
}
END_TEST

/* In what a run does first, too, when nobody knows what is likely: looks come every 10 ms, or at
 * the next tick of the core that finds the thread on it. */
START_TEST(what_nobody_expected_to_be_long_is_sampled_from_a_look_on)
{
    double halves[HALVES] = {0};
    begin_run();
    for (int i = 0; i < 20; i++)
        segment(1, 20000, halves);
    sca_sampler_segment_wait(false);
    for (uint64_t end = sca_clock_cpu() + 3000000000ul; sca_clock_cpu() < end && !clocked;)
        ;
    ck_assert(clocked);
    sca_sampler_segment_stop();
}
END_TEST

START_TEST(a_thread_that_was_not_started_is_sampled_steadily)
{
    uint64_t sum = 0;
    sca_sampler_rate_begin(true, false);
    sca_sampler_segment_wait(true);
    sca_sampler_segment_wait(false);
    for (int i = 0; i < STRETCHES; i++)
        sum += sca_sampler_segment_aim(PERIOD_NS, false).distance_ns;
    ck_assert_double_eq_tol((double)sum / STRETCHES, PERIOD_NS, 0.05 * PERIOD_NS);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sampler_stretch");
    TCase *tests = tcase_create("stretches");
    tcase_add_test(tests, each_moment_has_the_same_chance);
    tcase_add_test(tests, first_samples_lie_anywhere_in_what_is_likely);
    tcase_add_test(tests, what_is_drawn_has_one_sample);
    tcase_add_test(tests, what_is_likely_to_be_long_is_drawn_more_often);
    tcase_add_test(tests, what_nobody_expected_to_be_long_is_sampled_from_a_look_on);
    tcase_add_test(tests, long_computation_is_a_segment_of_its_own);
    tcase_add_test(tests, nothing_is_drawn_while_recording_is_off);
    tcase_add_test(tests, a_thread_that_was_not_started_is_sampled_steadily);
    suite_add_tcase(suite, tests);
    return suite;
}
