/* Of waits for locks that follow each other closely few are measured, and stand for all. */
#include "outside/drawn_waits.h"
#include "check_main.h"

enum { WAITS = 1000000 };

struct count {
    double measured, stood_for;
};

/* So many waits, each so long after the other. */
static struct count wait_often(unsigned waits, uint64_t apart_ns)
{
    static uint64_t now_ns = 1;
    struct count n = {0};
    for (unsigned i = 0; i < waits; i++) {
        uint32_t times = sca_drawn_waits_next();
        now_ns += apart_ns;
        n.stood_for += times;
        n.measured += times != 0;
        if (times)
            sca_drawn_waits_measured(now_ns);
    }
    return n;
}

START_TEST(waits_far_apart_are_all_measured)
{
    (void)wait_often(10, 1000000);
    struct count n = wait_often(1000, 1000000);
    ck_assert_double_eq(n.measured, 1000);
    ck_assert_double_eq(n.stood_for, 1000);
}
END_TEST

/* A second of waits 1 us apart: some 2,000 are measured; they stand for all within 10 %. */
START_TEST(of_close_waits_few_stand_for_all)
{
    (void)wait_often(WAITS / 10, 1000);
    struct count n = wait_often(WAITS, 1000);
    ck_assert_double_lt(n.measured, 0.003 * WAITS);
    ck_assert_double_eq_tol(n.stood_for, WAITS, 0.1 * WAITS);
}
END_TEST

START_TEST(a_thread_that_waits_seldom_again_is_measured_again)
{
    (void)wait_often(WAITS, 1000);
    (void)wait_often(5000, 1000000);
    struct count n = wait_often(1000, 1000000);
    ck_assert_double_eq(n.measured, 1000);
}
END_TEST

SCA_SUITE("drawn_waits", waits_far_apart_are_all_measured, of_close_waits_few_stand_for_all,
          a_thread_that_waits_seldom_again_is_measured_again)
