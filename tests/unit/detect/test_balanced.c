/* Teams that do different work of the same length are not out of balance. */
#include "confirm/balanced.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 4 };

struct teams {
    double instead; /* seconds of the other two ranks, while the finding's have four */
    double cost;
    enum sca_category category;
    bool rotates, between, all;
};

static bool is_balanced(struct teams t)
{
    struct program p = program_new();
    uint32_t ranks[] = {0, 1, 2, 3};
    program_run(&p, RANKS, (double[RANKS]){4, 4, 0, 0},
                (double[RANKS]){0, 0, t.instead, t.instead});
    struct measured d = measured_open(p.model);
    struct sca_finding c = {.vertex = p.work,
                            .nvertices = 1,
                            .vertices = &p.work,
                            .nranks = t.all ? 4 : 2,
                            .ranks = ranks,
                            .excess = 8,
                            .category = t.category,
                            .transform.nrotating = t.rotates,
                            .interval.part = t.between ? SCA_ALL_OF_INTERVAL : SCA_NO_INTERVAL};
    bool is = sca_balanced_is(&d.space, &d.m[0], d.ends, 1.3, &c, t.cost);
    measured_close(&d);
    return is;
}

START_TEST(other_work_as_long_is_in_balance)
{
    ck_assert(is_balanced((struct teams){.instead = 4}));
}
END_TEST

/* Four seconds are 1.3 times as much as 3.08. */
START_TEST(others_with_less_to_do_are_not)
{
    ck_assert(is_balanced((struct teams){.instead = 3.15}));
    ck_assert(!is_balanced((struct teams){.instead = 3.0}));
    ck_assert(!is_balanced((struct teams){.instead = 0}));
}
END_TEST

/* The others wait for 0.3 of the eight seconds, or more. */
START_TEST(who_is_waited_for_is_late_whatever_the_others_do)
{
    ck_assert(is_balanced((struct teams){.instead = 4, .cost = 2.3}));
    ck_assert(!is_balanced((struct teams){.instead = 4, .cost = 2.5}));
}
END_TEST

START_TEST(a_turn_of_each_rank_is_if_nobody_waits)
{
    ck_assert(is_balanced((struct teams){.cost = 2.3, .rotates = true}));
    ck_assert(!is_balanced((struct teams){.cost = 2.5, .rotates = true}));
}
END_TEST

START_TEST(other_kinds_are_not)
{
    ck_assert(is_balanced((struct teams){.instead = 4, .category = SCA_CAUSE_SERIAL}));
    ck_assert(!is_balanced((struct teams){.instead = 4, .category = SCA_CAUSE_NONSCALABLE}));
    ck_assert(!is_balanced((struct teams){.instead = 4, .between = true}));
    ck_assert(!is_balanced((struct teams){.instead = 4, .all = true}));
}
END_TEST

SCA_SUITE("balanced", a_turn_of_each_rank_is_if_nobody_waits, other_work_as_long_is_in_balance,
          others_with_less_to_do_are_not, who_is_waited_for_is_late_whatever_the_others_do,
          other_kinds_are_not)
