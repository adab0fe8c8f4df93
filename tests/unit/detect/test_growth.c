/* Computation that does not scale, and runs made comparable for that. */
#include "measured.h"
#include "scaling/comparable.h"
#include "scaling/growth.h"
#include "scaling/scaling_mode.h"
#include "verdict_program.h"
#include "check_main.h"

static struct program p;
static struct measured d;
static struct sca_comparable c;
static struct sca_growths g;
static const struct sca_finding_list no_findings = {0};

static uint32_t add_run(uint32_t nranks, double work, double extra)
{
    double w[8], e[8];
    program_fill(w, nranks, work);
    program_fill(e, nranks, extra);
    return program_run(&p, nranks, w, e);
}

static void compare(const struct sca_finding_list *findings)
{
    d = measured_open(p.model);
    sca_comparable_open(&d.space, d.m, d.ppg->nruns, d.ends, findings,
                        &(struct sca_finding_list){0}, 1.3, false, &c);
}

static const struct sca_growth *grow(enum sca_scaling mode, double least)
{
    struct sca_settings settings = program_settings;
    settings.scaling = mode;
    g = (struct sca_growths){0};
    sca_growth_find(&c, &settings, least, &g);
    for (uint32_t i = 0; i < g.count; i++)
        if (g.items[i].vertex == p.extra)
            return &g.items[i];
    return NULL;
}

/* Two core-seconds on two ranks are eight on eight, where two were enough. */
START_TEST(what_is_not_divided_costs_what_is_repeated)
{
    p = program_new();
    add_run(2, 32, 1);
    add_run(4, 16, 1);
    add_run(8, 8, 1);
    compare(&no_findings);
    const struct sca_growth *found = grow(SCA_SCALING_STRONG, 0.1);
    ck_assert_ptr_nonnull(found);
    ck_assert_double_eq_tol(found->fit.slope, 0, 1e-6);
    ck_assert_double_eq(found->expected_slope, -1);
    ck_assert_double_eq_tol(found->expected, 2, 1e-6);
    ck_assert_double_eq_tol(found->loss, 6, 1e-6);
    struct sca_ledger out;
    sca_ledger_begin(&d.space, &out);
    sca_growth_findings_add(&d.space, &d.m[2], d.ends, &g, &out);
    ck_assert_uint_eq(out.open.count, 1);
    ck_assert_uint_eq(out.all[0]->vertex, p.extra);
    ck_assert_int_eq(out.all[0]->category, SCA_CAUSE_NONSCALABLE);
    measured_close(&d);
}
END_TEST

/* Two ranks of 1, 2, 4 threads: of the 2 core-seconds that one thread has, an eighth of all places
 * should have half a one. */
START_TEST(of_as_many_ranks_the_threads_are_the_scale)
{
    p = program_new();
    for (uint32_t threads = 1; threads <= 4; threads *= 2)
        add_run(2, 32.0 / threads, 1);
    d = measured_open(p.model);
    for (uint32_t i = 0; i < 3; i++)
        d.ppg->runs[i].threads = 1u << i;
    sca_comparable_open(&d.space, d.m, 3, d.ends, &no_findings, &no_findings, 1.3, false, &c);
    const struct sca_growth *found = grow(SCA_SCALING_AUTO, 0.1);
    ck_assert(c.by_threads);
    ck_assert_int_eq(g.mode, SCA_SCALING_STRONG);
    ck_assert_ptr_nonnull(found);
    ck_assert_double_eq_tol(found->fit.slope, 0, 1e-6);
    ck_assert_double_eq(found->expected_slope, -1);
    ck_assert_double_eq_tol(found->expected, 0.5, 1e-6);
    ck_assert_double_eq_tol(found->loss, 1.5, 1e-6);
    measured_close(&d);
}
END_TEST

/* Whether the growth is told, where something at its place has so much; one of the two is. */
static bool is_told_beside(double excess)
{
    p = program_new();
    add_run(2, 32, 1);
    add_run(4, 16, 1);
    add_run(8, 8, 1);
    compare(&no_findings);
    (void)grow(SCA_SCALING_STRONG, 0.1);
    struct sca_ledger out;
    sca_ledger_begin(&d.space, &out);
    sca_ledger_append(
        &out, &(struct sca_finding){
                  .vertex = p.extra, .nvertices = 1, .vertices = &p.extra, .excess = excess});
    sca_growth_findings_add(&d.space, &d.m[2], d.ends, &g, &out);
    ck_assert_uint_eq(out.count, 2);
    ck_assert_uint_eq(out.open.count, 1);
    bool told = out.open.items[0]->category == SCA_CAUSE_NONSCALABLE;
    ck_assert_int_eq(out.outcomes[told ? 0 : 1].kind, SCA_OUTCOME_TOLD);
    measured_close(&d);
    return told;
}

/* Six core-seconds. */
START_TEST(of_two_at_a_place_the_one_that_explains_more_is_told)
{
    ck_assert(is_told_beside(5));
    ck_assert(!is_told_beside(7));
}
END_TEST

/* Of memory that ranks on shared cores take from each other's caches: as `on_four` and 4 s on eight
 * ranks say, where one of two ranks takes 1 s. */
static bool grows(double on_four, bool shared)
{
    p = program_new();
    add_run(2, 8, 1);
    add_run(4, 8, on_four);
    add_run(8, 8, 4);
    compare(&no_findings);
    d.m[1].shared = d.m[2].shared = shared;
    bool found = grow(SCA_SCALING_WEAK, 0.1) != NULL;
    measured_close(&d);
    return found;
}

START_TEST(what_grows_grows_among_runs_that_share_cores)
{
    ck_assert(grows(2, true));
    ck_assert(!grows(3.5, true));
    ck_assert(grows(3.5, false));
}
END_TEST

/* What all threads of a run compute, by samples. */
static void set_threads(uint32_t run, double seconds)
{
    struct sca_ppg_run *of = &((struct sca_ppg *)d.ppg)->runs[run];
    for (uint32_t v = 0; v < d.ppg->nvertices; v++)
        of->sampled[v] = 0;
    of->sampled[p.extra] = seconds;
}

/* Two threads on each of two ranks have 66 seconds each; on eight the first of each does more of
 * it, and all of them hardly more together. */
START_TEST(what_threads_share_out_otherwise_on_shared_cores_does_not_grow)
{
    p = program_new();
    add_run(2, 32, 1);
    add_run(8, 8, 1);
    compare(&no_findings);
    set_threads(0, 132);
    set_threads(1, 132 + 2.9);
    ck_assert_ptr_nonnull(grow(SCA_SCALING_STRONG, 0.1));
    d.m[1].shared = true;
    ck_assert_ptr_null(grow(SCA_SCALING_STRONG, 0.1));
    set_threads(1, 132 + 3.1);
    ck_assert_ptr_nonnull(grow(SCA_SCALING_STRONG, 0.1));
    set_threads(0, 66); /* one thread on each rank */
    set_threads(1, 66);
    ck_assert_ptr_nonnull(grow(SCA_SCALING_STRONG, 0.1));
    measured_close(&d);
}
END_TEST

/* Each of two ranks, or of a group of two of four or eight, does it in full: 16, 32 and 32
 * core-seconds go by no line, and 16 of the 80 beyond 64 are lost. Where it is a second it is too
 * little. */
START_TEST(what_is_beyond_ideal_scaling_has_a_place)
{
    p = program_new();
    add_run(2, 24, 8);
    add_run(4, 12, 8);
    add_run(8, 6, 3.6);
    compare(&no_findings);
    ck_assert_ptr_null(grow(SCA_SCALING_STRONG, 0.1));
    ck_assert(g.beyond >= p.extra && g.beyond < d.ends[p.extra]);
    ck_assert_double_eq_tol(g.beyond_loss, 12.8, 1e-6);
    measured_close(&d);
    p = program_new();
    add_run(2, 31, 1);
    add_run(4, 15.5, 1);
    add_run(8, 7.75, 0.45);
    compare(&no_findings);
    ck_assert_ptr_null(grow(SCA_SCALING_STRONG, 0.1));
    ck_assert_uint_eq(g.beyond, SCA_NONE);
    measured_close(&d);
}
END_TEST

/* The first rank, a master, has none of it on any number of ranks: 1, 3 and 7 do a second each, of
 * which one would be enough. */
START_TEST(a_rank_that_is_there_for_something_else_says_nothing)
{
    const uint32_t sizes[] = {2, 4, 8};
    p = program_new();
    for (int i = 0; i < 3; i++) {
        double work[8], extra[8];
        program_fill(work, sizes[i], 64.0 / sizes[i]);
        program_fill(extra, sizes[i], 1);
        extra[0] = 0;
        program_run(&p, sizes[i], work, extra);
    }
    compare(&no_findings);
    const struct sca_growth *found = grow(SCA_SCALING_STRONG, 0.1);
    ck_assert_ptr_nonnull(found);
    ck_assert_uint_eq(found->idle, 1);
    ck_assert_double_eq_tol(found->fit.slope, 0, 1e-6);
    ck_assert_double_eq_tol(found->loss, 6, 1e-6);
    struct sca_ledger out;
    sca_ledger_begin(&d.space, &out);
    sca_growth_findings_add(&d.space, &d.m[2], d.ends, &g, &out);
    ck_assert_uint_eq(out.all[0]->nranks, 7);
    ck_assert_uint_eq(out.all[0]->ranks[0], 1);
    ck_assert_double_eq_tol(out.all[0]->transform.factor[1], 1.0 / 7, 1e-3);
    measured_close(&d);
}
END_TEST

START_TEST(too_small_a_loss_is_none)
{
    p = program_new();
    add_run(2, 32, 1);
    add_run(4, 16, 1);
    add_run(8, 8, 1);
    compare(&no_findings);
    ck_assert_ptr_null(grow(SCA_SCALING_STRONG, 7));
    measured_close(&d);
}
END_TEST

/* As much on the fewest ranks as on the most: between them ten times less, or two. */
START_TEST(what_may_scale_ideally_does_not_grow)
{
    for (int sure = 0; sure < 2; sure++) {
        p = program_new();
        add_run(2, 32, 1);
        add_run(4, 16, sure ? 0.5 : 0.1);
        add_run(8, 8, 1);
        compare(&no_findings);
        const struct sca_growth *found = grow(SCA_SCALING_STRONG, 0.1);
        ck_assert_int_eq(found != NULL, sure);
        if (found)
            ck_assert_double_gt(found->fit.low, found->expected_slope);
        measured_close(&d);
    }
}
END_TEST

/* In a problem that grows each rank may keep its second; four of them are too many. */
START_TEST(what_grows_on_each_rank_is_told_in_weak_scaling)
{
    p = program_new();
    add_run(2, 10, 1);
    add_run(4, 10, 2);
    add_run(8, 10, 4);
    compare(&no_findings);
    const struct sca_growth *found = grow(SCA_SCALING_WEAK, 0.1);
    ck_assert_ptr_nonnull(found);
    ck_assert_double_eq_tol(found->fit.slope, 1, 1e-6);
    ck_assert_double_eq_tol(found->loss, 24, 1e-6);
    measured_close(&d);
    p = program_new();
    add_run(2, 10, 1);
    add_run(4, 10, 1);
    add_run(8, 10, 1);
    compare(&no_findings);
    ck_assert_ptr_null(grow(SCA_SCALING_WEAK, 0.1));
    ck_assert_uint_eq(g.count, 0);
    measured_close(&d);
}
END_TEST

START_TEST(modes_are_told_by_the_work)
{
    static const struct {
        double first, last;
        uint32_t nranks;
        enum sca_scaling mode;
        bool open;
    } cases[] = {{32, 8, 8, SCA_SCALING_STRONG, false},
                 {10, 10, 8, SCA_SCALING_WEAK, false},
                 {10, 5, 8, SCA_SCALING_STRONG, true}, /* the sum goes as the root of P */
                 {10, 10, 2, SCA_SCALING_SINGLE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        p = program_new();
        add_run(2, cases[i].first, 0);
        add_run(cases[i].nranks, cases[i].last, 0);
        compare(&no_findings);
        grow(SCA_SCALING_AUTO, 0.1);
        if (cases[i].nranks > 2 && !cases[i].open)
            ck_assert_int_eq(g.mode, cases[i].mode);
        if (cases[i].nranks > 2)
            ck_assert_int_eq(g.open, cases[i].open);
        else
            ck_assert_uint_eq(g.count, 0);
        measured_close(&d);
    }
}
END_TEST

/* Twice the work in the second run: a second of the first counts two. */
START_TEST(where_work_is_told_it_is_compared_per_work)
{
    double row[8];
    p = program_new();
    model_told(p.model, add_run(2, 10, 1), 100);
    model_told(p.model, add_run(4, 10, 1), 200);
    compare(&no_findings);
    ck_assert(c.told);
    ck_assert_double_eq(sca_comparable_scale(&c, 0, p.work), 2);
    ck_assert_double_eq(sca_comparable_scale(&c, 1, p.work), 1);
    sca_comparable_row(&c, 0, p.work, true, row);
    ck_assert_double_eq_tol(row[1], 20, 1e-6);
    ck_assert_double_eq_tol(sca_comparable_total(&c, 0), 44, 1e-6);
    measured_close(&d);
    p = program_new();
    model_told(p.model, add_run(2, 10, 1), 100);
    add_run(4, 10, 1);
    compare(&no_findings);
    ck_assert(!c.told);
    measured_close(&d);
}
END_TEST

/* Rank 1 of the last run is known to have 30 s where the others have 10 s. */
START_TEST(what_is_an_imbalance_is_smoothed_out)
{
    uint32_t one = 1;
    double row[8];
    p = program_new();
    add_run(2, 10, 1);
    program_run(&p, 4, (double[4]){10, 30, 10, 10}, (double[4]){1, 1, 1, 1});
    struct sca_finding known = {
        .vertex = p.work, .nvertices = 1, .vertices = &p.work, .nranks = 1, .ranks = &one};
    known.excess = 20;
    const struct sca_finding *list = &known;
    const struct sca_finding_list findings = {.count = 1, .items = &list};
    compare(&findings);
    sca_comparable_row(&c, 1, p.work, true, row);
    ck_assert_double_eq_tol(row[1], 10, 1e-6);
    sca_comparable_row(&c, 1, p.step, true, row); /* around it as well */
    ck_assert_double_eq_tol(row[1], 11, 1e-6);
    sca_comparable_row(&c, 1, p.work, false, row); /* its own alone is as it was */
    ck_assert_double_eq_tol(row[1], 30, 1e-6);
    measured_close(&d);
}
END_TEST

SCA_SUITE("growth", of_as_many_ranks_the_threads_are_the_scale,
          of_two_at_a_place_the_one_that_explains_more_is_told,
          what_grows_grows_among_runs_that_share_cores, what_is_not_divided_costs_what_is_repeated,
          what_threads_share_out_otherwise_on_shared_cores_does_not_grow,
          what_is_beyond_ideal_scaling_has_a_place,
          a_rank_that_is_there_for_something_else_says_nothing, too_small_a_loss_is_none,
          what_may_scale_ideally_does_not_grow, what_grows_on_each_rank_is_told_in_weak_scaling,
          modes_are_told_by_the_work, where_work_is_told_it_is_compared_per_work,
          what_is_an_imbalance_is_smoothed_out)
