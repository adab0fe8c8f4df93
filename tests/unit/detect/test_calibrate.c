/* Windows of four calls, of steps with three: each shows one of the three parts of a step twice. */
#include "trace/calibrate.h"
#include "check_main.h"

#include <stdlib.h>

enum { WINDOWS = 16, PARTS = 3, STEPS = 800 };

static const double SECONDS[PARTS] = {4e-3, 2e-3, 1e-3}; /* of a part of a step */

static double weight[WINDOWS], seconds[WINDOWS * PARTS], exact[PARTS], shown[PARTS];

/* So many windows show each part twice. */
static void fill(const int *twice)
{
    int w = 0;
    for (int part = 0; part < PARTS; part++)
        for (int i = 0; i < twice[part]; i++, w++) {
            weight[w] = STEPS * 3.0 / 4 / WINDOWS;
            for (int p = 0; p < PARTS; p++)
                seconds[w * PARTS + p] = SECONDS[p] * (p == part ? 2 : 1);
        }
    for (int p = 0; p < PARTS; p++)
        exact[p] = STEPS * SECONDS[p];
}

static void calibrate(void)
{
    sca_calibrate(weight, WINDOWS, seconds, exact, shown, PARTS);
    sca_calibrate_add_windows(weight, WINDOWS, seconds, shown, PARTS);
}

START_TEST(windows_add_up_to_the_run)
{
    fill((const int[]){3, 8, 5});
    sca_calibrate_add_windows(weight, WINDOWS, seconds, shown, PARTS);
    ck_assert_double_le(shown[0], 0.95 * exact[0]);
    calibrate();
    for (int p = 0; p < PARTS; p++)
        ck_assert_double_eq_tol(shown[p] / exact[p], 1, 0.02);
}
END_TEST

START_TEST(what_adds_up_stays)
{
    fill((const int[]){5, 5, 6});
    weight[WINDOWS - 1] = 0;
    for (int w = 0; w < WINDOWS - 1; w++)
        weight[w] = 40;
    calibrate();
    for (int w = 0; w < WINDOWS - 1; w++)
        ck_assert_double_eq_tol(weight[w], 40, 1e-9);
}
END_TEST

START_TEST(what_happened_once_happened_once)
{
    fill((const int[]){3, 8, 5});
    weight[0] = 1;
    calibrate();
    ck_assert_double_eq(weight[0], 1);
    ck_assert_double_gt(weight[1], STEPS * 3.0 / 4 / WINDOWS);
}
END_TEST

/* What no window shows makes the others stand for no more. */
START_TEST(what_is_not_shown_is_not_made_up)
{
    fill((const int[]){3, 8, 5});
    for (int w = 0; w < WINDOWS; w++)
        seconds[w * PARTS] = 0;
    calibrate();
    ck_assert_double_eq(shown[0], 0);
    for (int p = 1; p < PARTS; p++)
        ck_assert_double_eq_tol(shown[p] / exact[p], 1, 0.02);
}
END_TEST

SCA_SUITE("calibrate", windows_add_up_to_the_run, what_adds_up_stays,
          what_happened_once_happened_once, what_is_not_shown_is_not_made_up)
