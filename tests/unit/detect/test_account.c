/* Where the core-seconds went: each part by hand. */
#include "price/account.h"
#include "price/what_if.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 4 };

static double totals[RANKS] = {1, 1, 1, 3}, blocked[RANKS];
static struct sca_measure m;
static struct sca_stage stage;
static struct sca_account a;

/* Six seconds of computation, three on one rank; a wall of four. */
static void account(bool shared)
{
    m = (struct sca_measure){.nranks = RANKS,
                             .npresent = RANKS,
                             .rank_total = totals,
                             .rank_blocked = blocked,
                             .total = 6,
                             .wall = 4,
                             .tool_interval = 0.5,
                             .shared = shared};
    stage = (struct sca_stage){.m = &m, .waits = 5, .transfer = 1, .duration = 2, .ideal = 3.5};
    sca_account_run(&stage, &a);
}

START_TEST(the_parts_make_the_whole)
{
    account(false);
    ck_assert(!a.is_virtual);
    ck_assert_double_eq(a.duration, 4);
    ck_assert_double_eq(a.base, 16);
    ck_assert_double_eq(a.useful + a.waits + a.transfer_time + a.rest, 16);
    ck_assert_double_eq(a.rest, 4);
    ck_assert_double_eq(a.tool, 0.5);
}
END_TEST

START_TEST(efficiencies_multiply)
{
    account(false);
    ck_assert_double_eq(a.parallel, 6.0 / 16);
    ck_assert_double_eq(a.load_balance, 6.0 / 12);
    ck_assert_double_eq(a.communication, 3.0 / 4);
    ck_assert_double_eq_tol(a.parallel, a.load_balance * a.communication, 1e-12);
    ck_assert_double_eq(a.serialisation, 3 / 3.5);
    ck_assert_double_eq(a.transfer, 3.5 / 4);
    ck_assert_double_eq_tol(a.communication, a.serialisation * a.transfer, 1e-12);
}
END_TEST

/* Computation, waits and transfers are 12 core-seconds: three seconds of four ranks, more than the
 * replay's two. */
START_TEST(on_shared_cores_it_takes_what_its_parts_add_up_to)
{
    account(true);
    ck_assert(a.is_virtual);
    ck_assert_double_eq(a.duration, 3);
    ck_assert_double_eq(a.rest, 0);
}
END_TEST

/* Transfers that the replay does not have cannot be measured without a core for each rank. */
START_TEST(transfer_that_is_not_measured_is_unknown)
{
    account(true);
    ck_assert_double_eq(a.transfer, fmin(1, 3.5 / 3));
    double transfer = stage.transfer;
    stage.transfer = 0;
    sca_account_run(&stage, &a);
    stage.transfer = transfer;
    ck_assert(isnan(a.transfer));
    ck_assert_double_eq(a.serialisation, a.communication);
}
END_TEST

START_TEST(the_tool_has_no_more_than_half_of_the_computation)
{
    account(false);
    m.tool_interval = 100;
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.tool, 3);
}
END_TEST

START_TEST(computation_is_compared_with_the_smallest_run)
{
    ck_assert_double_eq(sca_account_computation(6, 2, 8, 4, SCA_SCALING_STRONG), 0.75);
    ck_assert_double_eq(sca_account_computation(6, 2, 16, 4, SCA_SCALING_WEAK), 0.75);
    ck_assert_double_eq(sca_account_computation(6, 2, 0, 4, SCA_SCALING_STRONG), 1);
}
END_TEST

/* Two of the three seconds of the last rank: it has no more to compute than the others. */
START_TEST(what_is_blocked_is_no_computation)
{
    blocked[RANKS - 1] = 2;
    account(false);
    blocked[RANKS - 1] = 0;
    ck_assert_double_eq(a.useful, 4);
    ck_assert_double_eq(a.blocked, 2);
    ck_assert_double_eq(a.useful + a.blocked + a.waits + a.transfer_time + a.rest, 16);
    ck_assert_double_eq(a.parallel, 4.0 / 16);
    ck_assert_double_eq(a.load_balance, 1);
}
END_TEST

/* Of waits for other ranks outside MPI the replay has some: no more is told than what is left. */
START_TEST(what_is_not_replayed_is_told)
{
    account(false);
    double rest = a.rest;
    m.awaited = 5 + 3; /* five are replayed */
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.awaited, 3);
    ck_assert_double_eq(a.rest, rest - 3);
    m.awaited = 5 + 10;
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.awaited, rest);
    ck_assert_double_eq(a.rest, 0);
}
END_TEST

/* On half of a core all takes twice as long. */
START_TEST(on_shared_cores_it_is_an_estimate)
{
    account(true);
    double base = a.base;
    m.on_core = 0.5;
    m.awaited = 2 * (5 + 4);
    sca_account_run(&stage, &a);
    ck_assert_double_eq_tol(a.awaited, 4, 1e-12);
    ck_assert_double_eq_tol(a.base, base + 4, 1e-12);
    m.awaited = 2 * (5 + 1); /* as good as replayed */
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.awaited, 0);
    ck_assert_double_eq(a.base, base);
}
END_TEST

/* What is measured there is a part of its own, and makes the run as long where it is virtual. */
START_TEST(waits_for_another_world_are_a_part)
{
    account(false);
    m.other_world.total = 2;
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.other_world, 2);
    ck_assert_double_eq(a.useful + a.waits + a.other_world + a.transfer_time + a.rest, 16);
    ck_assert_double_eq(a.rest, 2);
    account(true);
    m.other_world.total = 2;
    sca_account_run(&stage, &a);
    ck_assert_double_eq(a.duration, 3.5);
    ck_assert_double_eq(a.parallel, 6.0 / 14);
}
END_TEST

SCA_SUITE("account", waits_for_another_world_are_a_part, the_parts_make_the_whole,
          efficiencies_multiply, on_shared_cores_it_takes_what_its_parts_add_up_to,
          the_tool_has_no_more_than_half_of_the_computation,
          computation_is_compared_with_the_smallest_run, what_is_blocked_is_no_computation,
          what_is_not_replayed_is_told, transfer_that_is_not_measured_is_unknown,
          on_shared_cores_it_is_an_estimate)
