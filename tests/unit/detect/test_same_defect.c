/* Findings that are one defect. */
#include "confirm/same_defect.h"
#include "check_main.h"

#include <stdlib.h>

enum { RANKS = 4, ROOT = 0, OUTER, INNER, ELSEWHERE, VERTICES, ILL = 1 };

static struct sca_ppg_vertex vertices[VERTICES] = {{.kind = SCA_ROOT},
                                                   {.kind = SCA_LOOP, .parent = ROOT},
                                                   {.kind = SCA_LOOP, .parent = OUTER},
                                                   {.kind = SCA_LOOP, .parent = ROOT}};
static const uint32_t ends[VERTICES] = {VERTICES, ELSEWHERE, ELSEWHERE, VERTICES};
static double inclusive[VERTICES * RANKS];
static float noise[VERTICES * RANKS];
static struct sca_ledger all;
static uint32_t ranks[RANKS] = {ILL}, place[VERTICES] = {ROOT, OUTER, INNER, ELSEWHERE};
static double factors[VERTICES][RANKS];
static struct sca_workspace space;

/* The ill rank takes 2 s in the outer loop where the others take 1 s, and so much of it in the
 * inner one, of which the others do half a second. */
static struct sca_measure measure_of(double inner, float error)
{
    static struct sca_ppg ppg = {.nvertices = VERTICES, .vertices = vertices};
    for (uint32_t r = 0; r < RANKS; r++) {
        inclusive[OUTER * RANKS + r] = r == ILL ? 2 : 1;
        inclusive[INNER * RANKS + r] = r == ILL ? inner : 0.5;
        noise[INNER * RANKS + r] = error;
    }
    return (struct sca_measure){
        .ppg = &ppg, .nranks = RANKS, .npresent = RANKS, .inclusive = inclusive, .noise = noise};
}

static struct sca_finding finding_at(uint32_t vertex, double usual)
{
    for (uint32_t r = 0; r < RANKS; r++)
        factors[vertex][r] = r == ILL ? usual / inclusive[vertex * RANKS + r] : 1;
    return (struct sca_finding){.vertex = vertex,
                                .nvertices = 1,
                                .vertices = &place[vertex],
                                .category = SCA_CAUSE_IMBALANCE,
                                .nranks = 1,
                                .ranks = ranks,
                                .transform.factor = factors[vertex]};
}

static void join_two(const struct sca_measure *m, const struct sca_finding *outer,
                     const struct sca_finding *inner)
{
    sca_ledger_begin(&space, &all);
    sca_ledger_append(&all, outer);
    sca_ledger_append(&all, inner);
    sca_same_defect_join(&space, m, ends, &all);
}

/* How many are open then. */
static uint32_t join(const struct sca_measure *m, uint32_t *outer_ranks)
{
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    outer.ranks = outer_ranks;
    join_two(m, &outer, &inner);
    return all.open.count;
}

START_TEST(the_inner_place_is_it_if_samples_allow)
{
    struct sca_measure m = measure_of(1.2, 0.1F);
    ck_assert_uint_eq(join(&m, ranks), 1);
    const struct sca_finding *both = all.open.items[0];
    ck_assert_uint_eq(both->vertex, INNER);
    ck_assert_double_eq_tol((1 - both->transform.factor[ILL]) * 1.2, 1, 1e-9);
    ck_assert_int_eq(all.outcomes[0].kind, SCA_OUTCOME_JOINED);
    ck_assert_int_eq(all.outcomes[1].kind, SCA_OUTCOME_REFINED);
    ck_assert(all.outcomes[0].of == both->number && all.outcomes[1].of == both->number);
    ck_assert_double_eq(all.all[1]->transform.factor[ILL], 0.5 / 1.2); /* as it was found */
    sca_workspace_free(&space);
}
END_TEST

/* Samples saw the inner place in the first interval only, and exact times know of a second. */
START_TEST(who_has_all_of_it_has_it_in_the_same_intervals)
{
    static const struct sca_cut everywhere[] = {{3, 0.4}, {5, 0.6}}, seen[] = {{3, 0.7}};
    static const uint32_t two[] = {0, 2}, one[] = {0, 1};
    struct sca_measure m = measure_of(1.2, 0.1F);
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    outer.transform.cuts = everywhere;
    outer.transform.first_cut = two;
    inner.transform.cuts = seen;
    inner.transform.first_cut = one;
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 1);
    const struct sca_transform *of = &all.open.items[0]->transform;
    ck_assert_uint_eq(all.open.items[0]->vertex, INNER);
    ck_assert_uint_eq(of->first_cut[1], 2);
    ck_assert_double_eq(of->cuts[0].seconds, 0.4);
    ck_assert_double_eq(of->cuts[1].seconds, 0.6);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(both_are_where_samples_tell_them_apart)
{
    struct sca_measure m = measure_of(1.2, 0.01F);
    ck_assert_uint_eq(join(&m, ranks), 2);
    sca_workspace_free(&space);
}
END_TEST

/* 0.85 s of 1 s; what is left of the outer place is no defect of its own. */
START_TEST(nearly_all_of_it_is_told_once)
{
    struct sca_measure m = measure_of(1.35, 0.01F);
    ck_assert_uint_eq(join(&m, ranks), 1);
    const struct sca_finding *both = all.open.items[0];
    ck_assert_uint_eq(both->vertex, INNER);
    ck_assert_double_eq_tol((1 - both->transform.factor[ILL]) * 1.35, 0.85, 1e-9);
    ck_assert_int_eq(all.outcomes[0].kind, SCA_OUTCOME_JOINED);
    sca_workspace_free(&space);
}
END_TEST

/* The inner place has a second call path, which does not lead through the outer one. */
START_TEST(only_what_lies_inside_counts)
{
    struct sca_measure m = measure_of(1.35, 0.01F);
    static uint32_t paths[] = {INNER, ELSEWHERE};
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    for (uint32_t r = 0; r < RANKS; r++)
        inclusive[ELSEWHERE * RANKS + r] = r == ILL ? 2 : 1;
    inner.vertices = paths;
    inner.nvertices = 2;
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 1);
    ck_assert_uint_eq(all.open.items[0]->nvertices, 2);
    sca_workspace_free(&space);
    m = measure_of(1.1, 0.01F); /* 0.6 s inside: the outer place has more of its own */
    inner.transform.factor = finding_at(INNER, 0.5).transform.factor;
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 2);
    sca_workspace_free(&space);
    m = measure_of(1.1, 0.1F); /* or samples did not see the rest */
    inner.transform.factor = finding_at(INNER, 0.5).transform.factor;
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 1);
    ck_assert_uint_eq(all.open.items[0]->vertex, INNER);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(the_outer_place_is_it_where_the_inner_has_little)
{
    struct sca_measure m = measure_of(0.7, 0.3F);
    ck_assert_uint_eq(join(&m, ranks), 2);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(on_other_ranks_it_is_another_defect)
{
    static uint32_t other[] = {2};
    struct sca_measure m = measure_of(1.2, 0.1F);
    ck_assert_uint_eq(join(&m, other), 2);
    sca_workspace_free(&space);
}
END_TEST

/* A second call path of the inner place does not lead through the outer one: of what both have too
 * much in an interval the greater is the defect. */
START_TEST(what_it_has_elsewhere_stays_its)
{
    static const struct sca_cut of_outer[] = {{1, 0.3}, {2, 0.5}},
                                of_inner[] = {{0, 0.7}, {1, 0.4}};
    static const uint32_t two[] = {0, 2};
    static const double greater[] = {0.7, 0.4, 0.5};
    static uint32_t paths[] = {INNER, ELSEWHERE};
    static struct sca_ppg_run run = {.intervals.n = 3};
    struct sca_measure m = measure_of(1.1, 0.1F);
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    m.run = &run;
    inner.vertices = paths;
    inner.nvertices = 2;
    outer.transform.cuts = of_outer;
    inner.transform.cuts = of_inner;
    outer.transform.first_cut = inner.transform.first_cut = two;
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 1);
    const struct sca_transform *of = &all.open.items[0]->transform;
    ck_assert_uint_eq(of->first_cut[1], 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(of->cuts[i].interval, i);
        ck_assert_double_eq(of->cuts[i].seconds, greater[i]);
    }
    sca_workspace_free(&space);
}
END_TEST

static void doubt(struct sca_finding *finding, enum sca_evidence_kind by)
{
    sca_finding_add_evidence(&space, finding, (struct sca_evidence){.kind = by, .of = 2});
}

/* Cores may differ as much as either does; of the outer one a run says that they do not make it. */
START_TEST(what_settles_the_outer_one_settles_the_inner_one)
{
    struct sca_measure m = measure_of(1.2, 0.1F);
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    doubt(&outer, SCA_EVIDENCE_CORES);
    doubt(&outer, SCA_EVIDENCE_CONFIRMED);
    doubt(&inner, SCA_EVIDENCE_CORES);
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 1);
    const struct sca_finding *both = all.open.items[0];
    ck_assert_uint_eq(both->vertex, INNER);
    ck_assert(!sca_finding_is_inconclusive(both));
    ck_assert_uint_eq(sca_evidence_find(&both->evidence, SCA_EVIDENCE_CONFIRMED)->of, 2);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(but_not_the_other_way_round)
{
    struct sca_measure m = measure_of(1.2, 0.1F);
    struct sca_finding outer = finding_at(OUTER, 1), inner = finding_at(INNER, 0.5);
    doubt(&outer, SCA_EVIDENCE_CORES);
    doubt(&inner, SCA_EVIDENCE_CORES);
    doubt(&inner, SCA_EVIDENCE_CONFIRMED);
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 2);
    outer = finding_at(OUTER, 1);
    inner = finding_at(INNER, 0.5);
    doubt(&inner, SCA_EVIDENCE_CORES); /* nobody says anything of the outer one */
    join_two(&m, &outer, &inner);
    ck_assert_uint_eq(all.open.count, 2);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("same defect", the_inner_place_is_it_if_samples_allow,
          who_has_all_of_it_has_it_in_the_same_intervals, both_are_where_samples_tell_them_apart,
          nearly_all_of_it_is_told_once, only_what_lies_inside_counts,
          the_outer_place_is_it_where_the_inner_has_little, on_other_ranks_it_is_another_defect,
          what_it_has_elsewhere_stays_its, what_settles_the_outer_one_settles_the_inner_one,
          but_not_the_other_way_round)
