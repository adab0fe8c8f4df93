/* How much of a finding's work is left when its ranks are given what the others need. */
#include "imbalance/equalising.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 4 };

static struct program p;
static struct measured d;

static void measure(const double *work)
{
    p = program_new();
    program_run(&p, RANKS, work, (double[RANKS]){5, 5, 5, 5});
    d = measured_open(p.model);
}

START_TEST(to_what_the_others_need)
{
    uint32_t ranks[] = {1, 3};
    measure((double[RANKS]){10, 20, 10, 40});
    struct sca_finding c = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 2, .ranks = ranks};
    sca_equalising_level_to(&d.space, &d.m[0], d.ends, &c, 10);
    ck_assert_double_eq(c.transform.factor[0], 1);
    ck_assert_double_eq_tol(c.transform.factor[1], 0.5, 1e-6);
    ck_assert_double_eq(c.transform.factor[2], 1);
    ck_assert_double_eq_tol(c.transform.factor[3], 0.25, 1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(nothing_is_left_of_what_nobody_else_has)
{
    uint32_t one = 2;
    measure((double[RANKS]){0, 0, 8, 0});
    struct sca_finding c = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 1, .ranks = &one};
    sca_equalising_level_to(&d.space, &d.m[0], d.ends, &c, 0);
    ck_assert_double_eq_tol(c.transform.factor[2], 0, 1e-6);
    ck_assert_double_eq(c.transform.factor[1], 1);
    measured_close(&d);
}
END_TEST

/* Two of four ranks have 30 and 10 s more than the others: shared out, each keeps 10 s. */
START_TEST(shared_out_each_keeps_an_equal_part)
{
    uint32_t ranks[] = {1, 3};
    measure((double[RANKS]){10, 40, 10, 20});
    struct sca_finding c = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 2, .ranks = ranks};
    sca_equalising_level_to(&d.space, &d.m[0], d.ends, &c, 10);
    const struct sca_finding *shared = sca_equalising_otherwise(&d.space, &c, RANKS);
    ck_assert_double_eq_tol(shared->transform.factor[1], 0.5, 1e-6);
    ck_assert_double_eq_tol(shared->transform.factor[3], 1, 1e-6);
    ck_assert_double_eq_tol(c.transform.factor[1], 0.25, 1e-6);
    double before = c.transform.cuts[0].seconds;
    ck_assert_double_eq_tol(shared->transform.cuts[0].seconds, before * 2 / 3, 1e-6);
    measured_close(&d);
}
END_TEST

/* Three of four ranks have 14 s, one has 10: all get the mean of 13, or the three get 10. */
START_TEST(two_kinds_may_be_equalised_to_the_other_kind)
{
    uint32_t ranks[] = {0, 1, 2};
    double factor[RANKS] = {13 / 14.0, 13 / 14.0, 13 / 14.0, 1};
    measure((double[RANKS]){14, 14, 14, 10});
    struct sca_finding c = {.vertex = p.work,
                            .nvertices = 1,
                            .vertices = &p.work,
                            .nranks = 3,
                            .ranks = ranks,
                            .transform = {.factor = factor, .alike = true}};
    ck_assert_ptr_null(sca_equalising_otherwise(&d.space, &c, RANKS));
    sca_finding_add_evidence(&d.space, &c, (struct sca_evidence){.kind = SCA_EVIDENCE_TWO_GROUPS});
    const struct sca_finding *other = sca_equalising_otherwise(&d.space, &c, RANKS);
    ck_assert_double_eq_tol(other->transform.factor[2], 10 / 14.0, 1e-6);
    ck_assert_double_eq(other->transform.factor[3], 1);
    ck_assert_double_eq_tol(factor[2], 13 / 14.0, 1e-6);
    measured_close(&d);
}
END_TEST

enum { ILL = 1, PLACE = 1, ELSEWHERE, VERTICES, SHARES = 2 * RANKS };

/* What is left of rank 1's 20 s at the place, of which `there` are in the only interval, beside
 * `beside` at another place. The others have `usual` and `usual_beside` in it. */
static double left_of(double there, double beside, double usual, double usual_beside)
{
    static struct sca_rank ranks[RANKS] = {
        {.present = true}, {.present = true}, {.present = true}, {.present = true}};
    static const struct sca_profile profile = {.nranks = RANKS, .ranks = ranks};
    static uint32_t ill = ILL, place = PLACE, first[RANKS + 1];
    static const uint32_t ends[VERTICES] = {VERTICES, ELSEWHERE, VERTICES};
    struct sca_ppg_share shares[SHARES];
    double inclusive[VERTICES * RANKS] = {0};
    float noise[VERTICES * RANKS] = {0};
    for (uint32_t r = 0; r < RANKS; r++) {
        shares[2 * r] = (struct sca_ppg_share){PLACE, 1, r == ILL ? there : usual};
        shares[2 * r + 1] = (struct sca_ppg_share){ELSEWHERE, 1, r == ILL ? beside : usual_beside};
        first[r + 1] = 2 * r + 2;
        inclusive[PLACE * RANKS + r] = r == ILL ? 20 : 5;
        noise[PLACE * RANKS + r] = 1e4F; /* samples tell nothing beside exact times */
    }
    const struct sca_ppg_run run = {.profile = &profile,
                                    .nranks = RANKS,
                                    .intervals.n = 1,
                                    .shares = shares,
                                    .first_share = first};
    static struct sca_ppg_vertex vertices[VERTICES] = {
        {.file = "", .function = "", .name = ""},
        {.file = "a.c", .function = "f", .name = "", .line = 1},
        {.file = "a.c", .function = "f", .name = "", .line = 2}};
    const struct sca_ppg ppg = {.nvertices = VERTICES, .vertices = vertices};
    const struct sca_measure m = {.ppg = &ppg,
                                  .run = &run,
                                  .nranks = RANKS,
                                  .npresent = RANKS,
                                  .inclusive = inclusive,
                                  .noise = noise};
    struct sca_finding c = {
        .vertex = PLACE, .nvertices = 1, .vertices = &place, .nranks = 1, .ranks = &ill};
    struct sca_workspace space = {0};
    sca_equalising_level_to(&space, &m, ends, &c, 5);
    double left = c.transform.factor[ILL];
    sca_workspace_free(&space);
    return left;
}

/* 10 s too many by exact times: samples tell whether they are the place's. */
START_TEST(an_interval_that_is_mostly_the_places_is_its)
{
    ck_assert_double_eq_tol(left_of(14, 6, 10, 0), 0.5, 1e-6); /* most of the interval */
    ck_assert_double_eq_tol(left_of(6, 14, 0, 10), 0.5, 1e-6); /* most of the excess */
    ck_assert_double_eq_tol(left_of(4, 16, 0, 10), 0.8, 1e-6); /* neither */
    ck_assert_double_eq_tol(left_of(16, 0, 10, 0), 0.7, 1e-6); /* no more than there is */
}
END_TEST

SCA_SUITE("levelling", shared_out_each_keeps_an_equal_part,
          two_kinds_may_be_equalised_to_the_other_kind, to_what_the_others_need,
          nothing_is_left_of_what_nobody_else_has, an_interval_that_is_mostly_the_places_is_its)
