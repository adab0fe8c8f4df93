/* What the waits that are charged to computation make a finding cost. */
#include "price/charge.h"
#include "check_main.h"

enum { RANKS = 2, ROOT = 0, OUTER, INNER, VERTICES };

static const uint32_t ends[VERTICES] = {VERTICES, VERTICES, VERTICES};
static double of[VERTICES * RANKS] = {100, 100, 3, 30, 1, 10};
static double direct_of[VERTICES * RANKS] = {100, 100, 2, 20, 1, 10};
static const struct sca_costs costs = {.of = of, .direct_of = direct_of};
static const struct sca_measure m = {.nranks = RANKS};
static uint32_t paths[] = {OUTER, INNER}, second = 1;

static struct sca_finding finding_on(uint32_t nvertices, uint32_t *vertices)
{
    return (struct sca_finding){
        .nvertices = nvertices, .vertices = vertices, .nranks = 1, .ranks = &second, .excess = 5};
}

START_TEST(a_place_costs_what_others_wait_for_all_below)
{
    const struct sca_finding outer = finding_on(1, paths), inner = finding_on(1, paths + 1);
    struct sca_charge c = sca_charge_of(&costs, &m, ends, &outer);
    ck_assert_double_eq(c.cost, 40);
    ck_assert_double_eq(c.direct, 30);
    ck_assert_double_eq(c.indirect, 10);
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &inner).cost, 10);
}
END_TEST

/* Recursion: one path lies in the other. */
START_TEST(nested_paths_count_once)
{
    const struct sca_finding both = finding_on(2, paths);
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &both).cost, 40);
}
END_TEST

/* Growth, and communication that grows, cost their excess; no wait is charged to an interval. */
START_TEST(kinds_differ)
{
    struct sca_finding f = finding_on(1, paths + 1);
    f.category = SCA_CAUSE_NONSCALABLE;
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &f).cost, 5);
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &f).direct, 0);
    f.category = SCA_CAUSE_COMMUNICATION;
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &f).cost, 15);
    f.category = SCA_CAUSE_IMBALANCE;
    f.interval.part = SCA_ALL_OF_INTERVAL;
    ck_assert_double_eq(sca_charge_of(&costs, &m, ends, &f).cost, 0);
}
END_TEST

SCA_SUITE("charge", a_place_costs_what_others_wait_for_all_below, nested_paths_count_once,
          kinds_differ)
