/* A rank that was off its core once, for long, has stalled; one that often is has not. */
#include "imbalance/off_cpu_stall.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 4 };

struct stall {
    double blocked, longest; /* of rank 1, in the steps */
    double excess;
    enum sca_category category;
    bool rotates, between;
};

static bool is_stall(struct stall s, double *seconds)
{
    struct program p = program_new();
    uint32_t one = 1;
    uint32_t run = program_run(&p, RANKS, (double[RANKS]){2, 3, 2, 2}, (double[RANKS]){0});
    model_blocked(p.model, run, 1, 1, 1, s.blocked, s.longest);
    struct measured d = measured_open(p.model);
    struct sca_finding c = {.category = s.category,
                            .vertex = p.step,
                            .nvertices = 1,
                            .vertices = &p.step,
                            .nranks = 1,
                            .ranks = &one,
                            .excess = s.excess,
                            .transform.nrotating = s.rotates,
                            .interval = {.part = s.between ? SCA_ALL_OF_INTERVAL : SCA_NO_INTERVAL,
                                         .after = p.sum,
                                         .before = p.sum}};
    bool is = sca_off_cpu_stall_is(&d.m[run], d.ends, &c, seconds);
    measured_close(&d);
    return is;
}

START_TEST(most_of_the_excess_at_once_is_one)
{
    double seconds;
    ck_assert(is_stall((struct stall){.blocked = 0.6, .longest = 0.6, .excess = 1}, &seconds));
    ck_assert_double_eq_tol(seconds, 0.6, 1e-6);
    ck_assert(!is_stall((struct stall){.blocked = 0.4, .longest = 0.4, .excess = 1}, &seconds));
    ck_assert_double_eq_tol(seconds, 0.4, 1e-6);
}
END_TEST

START_TEST(many_short_ones_are_none)
{
    double seconds;
    ck_assert(is_stall((struct stall){.blocked = 0.6, .longest = 0.34, .excess = 1}, &seconds));
    ck_assert(!is_stall((struct stall){.blocked = 0.6, .longest = 0.32, .excess = 1}, &seconds));
}
END_TEST

/* A long instance is not a long sleep. */
START_TEST(what_was_on_the_core_does_not_count)
{
    double seconds;
    ck_assert(is_stall((struct stall){.blocked = 0.6, .longest = 5, .excess = 1}, &seconds));
    ck_assert(!is_stall((struct stall){.blocked = 0, .longest = 5, .excess = 0}, &seconds));
    ck_assert_double_eq(seconds, 0);
}
END_TEST

/* Each of the steps computes 0.03 s, and sleeps a little: the longest of them has no more of that
 * than the others. */
START_TEST(what_an_instance_computes_is_no_sleep)
{
    double seconds;
    ck_assert(
        !is_stall((struct stall){.blocked = 0.04, .longest = 0.031, .excess = 0.05}, &seconds));
    ck_assert(is_stall((struct stall){.blocked = 0.04, .longest = 0.06, .excess = 0.05}, &seconds));
}
END_TEST

START_TEST(other_kinds_of_causes_are_none)
{
    struct stall s = {.blocked = 0.6, .longest = 0.6, .excess = 1, .category = SCA_CAUSE_SERIAL};
    double seconds;
    ck_assert(is_stall(s, &seconds));
    s.category = SCA_CAUSE_NONSCALABLE;
    ck_assert(!is_stall(s, &seconds));
    s = (struct stall){.blocked = 0.6, .longest = 0.6, .excess = 1, .rotates = true};
    ck_assert(!is_stall(s, &seconds));
}
END_TEST

START_TEST(a_cause_between_two_calls_has_their_interval)
{
    double seconds;
    ck_assert(is_stall((struct stall){.blocked = 0.6, .longest = 0.6, .excess = 1, .between = true},
                       &seconds));
}
END_TEST

SCA_SUITE("off_cpu_stall", most_of_the_excess_at_once_is_one, many_short_ones_are_none,
          what_was_on_the_core_does_not_count, what_an_instance_computes_is_no_sleep,
          other_kinds_of_causes_are_none, a_cause_between_two_calls_has_their_interval)
