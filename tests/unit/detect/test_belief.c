/* Whether work that is shared out unevenly is the program's doing, or the cores'. */
#include "imbalance/skew.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 4 };

static double more = 2; /* of the work, on ranks 2 and 3 */
static bool no_core;    /* has just these */

/* The others have one second of it; of the rest they have `all`, and ranks 2 and 3 `rest` times as
 * much. */
static enum sca_belief belief(double rest, double all, bool again, bool shared, double ratio)
{
    struct program p = program_new();
    uint32_t ranks[] = {2, 3};
    program_run(&p, RANKS, (double[RANKS]){1, 1, more, more},
                (double[RANKS]){all, all, all * rest, all * rest});
    struct measured d = measured_open(p.model);
    d.m[0].shared = shared;
    struct sca_finding c = {.vertex = p.work,
                            .nvertices = 1,
                            .vertices = &p.work,
                            .nranks = 2,
                            .ranks = ranks,
                            .ratio = ratio};
    if (again)
        sca_finding_add_evidence(&d.space, &c,
                                 (struct sca_evidence){.kind = SCA_EVIDENCE_TWO_GROUPS});
    if (no_core)
        sca_finding_add_evidence(&d.space, &c, (struct sca_evidence){.kind = SCA_EVIDENCE_NO_CORE});
    enum sca_belief found = sca_skew_belief(&d.space, &d.m[0], d.ends, 1.3, &c);
    measured_close(&d);
    return found;
}

/* On shared cores 1.4 may be theirs, unless no core has just these ranks. */
START_TEST(what_no_core_has_is_believed)
{
    more = 1.4;
    ck_assert_int_eq(belief(1, 5, true, true, 1.4), SCA_INCONCLUSIVE);
    no_core = true;
    ck_assert_int_eq(belief(1, 5, true, true, 1.4), SCA_BELIEVED);
    no_core = false;
    more = 2;
}
END_TEST

START_TEST(another_run_makes_it_sure)
{
    ck_assert_int_eq(belief(1, 5, true, false, 2), SCA_BELIEVED);
    ck_assert_int_eq(belief(1, 5, false, false, 2), SCA_INCONCLUSIVE);
}
END_TEST

/* Of 0.6 more cores may make less than half. */
START_TEST(who_is_slow_elsewhere_has_a_slow_core)
{
    more = 1.6;
    ck_assert_int_eq(belief(1.27, 5, true, false, 1.6), SCA_BELIEVED);
    ck_assert_int_eq(belief(1.37, 5, true, false, 1.6), SCA_NOT_BELIEVED);
    more = 2;
}
END_TEST

/* No two cores differ by 1.5: who takes so much longer for all has more work. */
START_TEST(who_is_slower_elsewhere_than_cores_are_has_more_to_do)
{
    more = 1.9;
    ck_assert_int_eq(belief(1.9, 5, true, false, 1.9), SCA_BELIEVED);
    more = 2;
}
END_TEST

/* Less than a tenth of all: then cores may differ by 1.4; a tenth more than that is not theirs. */
START_TEST(too_little_elsewhere_leaves_what_cores_make)
{
    more = 1.5;
    ck_assert_int_eq(belief(1, 0.1, true, false, 1.5), SCA_NOT_BELIEVED);
    ck_assert_int_eq(belief(1, 0.18, true, false, 1.5), SCA_BELIEVED);
    more = 1.6;
    ck_assert_int_eq(belief(1, 0.1, true, false, 1.6), SCA_BELIEVED);
    ck_assert_int_eq(belief(1, 0.1, false, false, 1.6), SCA_INCONCLUSIVE);
    more = 2;
}
END_TEST

/* 1.2 times the threshold of 1.3. */
START_TEST(on_shared_cores_it_must_be_much)
{
    ck_assert_int_eq(belief(1, 5, true, true, 1.55), SCA_INCONCLUSIVE);
    ck_assert_int_eq(belief(1, 5, true, true, 1.57), SCA_BELIEVED);
    ck_assert_int_eq(belief(1, 5, true, true, 0), SCA_BELIEVED); /* the others have none */
}
END_TEST

/* 0.99, 0.99, 1.98 and 1.98 s in the steps: 1.485 s on average. */
START_TEST(equalised_all_have_the_mean)
{
    struct program p = program_new();
    double factor[RANKS];
    program_run(&p, RANKS, (double[RANKS]){1, 1, 2, 2}, (double[RANKS]){0});
    struct measured d = measured_open(p.model);
    const struct sca_interval_bounds bounds = {p.sum, SCA_NONE};
    struct sca_finding c = {
        .interval = {.part = SCA_ALL_OF_INTERVAL, .any = true, .after = p.sum, .before = p.sum},
        .transform.factor = factor};
    sca_skew_level(&d.space, &d.m[0], d.ends, &bounds, &c);
    ck_assert_double_eq(factor[0], 1);
    ck_assert_double_eq(factor[1], 1);
    ck_assert_double_eq_tol(factor[2], 0.75, 1e-6);
    ck_assert_double_eq_tol(factor[3], 0.75, 1e-6);
    ck_assert(c.transform.alike);
    measured_close(&d);
}
END_TEST

SCA_SUITE("belief", what_no_core_has_is_believed, another_run_makes_it_sure,
          who_is_slow_elsewhere_has_a_slow_core,
          who_is_slower_elsewhere_than_cores_are_has_more_to_do,
          too_little_elsewhere_leaves_what_cores_make, on_shared_cores_it_must_be_much,
          equalised_all_have_the_mean)
