/* Drafts of what lies between two calls: their place, and what equalising them leaves. */
#include "imbalance/interval_draft.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3, STEPS = 100 };

static struct model *model;
static struct measured d;
static uint32_t step, work, other, first, second, last;

/* A step has two loops between two calls; a third call comes after all steps. */
static void begin(void)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    first = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    second = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    last = model_vertex(model, 0, SCA_MPI, "MPI_Barrier", "main", 30);
}

/* One rank has so much of both loops, the others have `usual` of each; so many samples a second,
 * and so many seconds off the core. */
static void add_run(uint32_t slow, double usual, double of_work, double of_other, double hz,
                    double off)
{
    uint32_t run = model_run(model, RANKS), site = model_site(model, run, first);
    uint32_t back = model_site(model, run, second);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, site, back, STEPS, work, r == slow ? of_work : usual);
        model_work(model, run, r, site, back, STEPS, other, r == slow ? of_other : usual);
        model_work(model, run, r, back, site, STEPS, step, 4);
    }
    model_rare(model, run, SCA_NONE, hz);
    if (off > 0)
        model_blocked(model, run, slow, site, back, off, 0.05);
}

static uint32_t named[] = {SLOW, 5};

/* The named ranks have two seconds more than the two that are usual. */
static struct sca_abnormal late(uint32_t nranks)
{
    return (struct sca_abnormal){.vertex = SCA_NONE,
                                 .nranks = nranks,
                                 .ranks = named,
                                 .reference = 2,
                                 .ratio = 2,
                                 .excess = 2,
                                 .most = 2};
}

/* Of the last run; the others are asked for a line. */
static struct sca_finding draft_of(const struct sca_abnormal *a)
{
    d = measured_open(model);
    uint32_t run = d.ppg->nruns - 1;
    struct sca_line_search s = {&d.space, &d.m[run], d.ends, 1.3};
    const struct sca_interval_bounds bounds = {first, SCA_NONE};
    return sca_interval_draft(&s, d.m, run, &bounds, second, a);
}

START_TEST(it_is_all_between_the_calls_and_equalised)
{
    begin();
    add_run(SLOW, 1, 3, 1, 1000, 0);
    struct sca_abnormal a = late(1);
    struct sca_finding c = draft_of(&a);
    ck_assert(sca_finding_is_interval(&c) && c.interval.any);
    ck_assert_uint_eq(c.interval.after, first);
    ck_assert_uint_eq(c.interval.before, second);
    ck_assert_uint_eq(c.nranks, 1);
    ck_assert_uint_eq(c.ranks[0], SLOW);
    ck_assert_double_eq(c.excess, 2);
    ck_assert_double_eq(c.ratio, 2);
    ck_assert_int_eq(c.category, SCA_CAUSE_IMBALANCE);
    ck_assert(!c.transform.alike);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(c.transform.factor[r], r == SLOW ? 0.5 : 1, 1e-6);
    measured_close(&d);
}
END_TEST

/* Rank 5 is named as well, and has no more than the others. */
START_TEST(equalising_adds_nothing)
{
    begin();
    add_run(SLOW, 0.5, 3, 1, 1000, 0);
    struct sca_abnormal a = late(2);
    struct sca_finding c = draft_of(&a);
    ck_assert_double_eq_tol(c.transform.factor[SLOW], 0.5, 1e-6);
    ck_assert_double_eq(c.transform.factor[5], 1);
    measured_close(&d);
}
END_TEST

/* A single named place, with no samples of other runs. */
static uint32_t place_of(double hz, double off)
{
    begin();
    add_run(SLOW, 1, 3, 1, hz, off);
    struct sca_abnormal a = late(1);
    struct sca_finding c = draft_of(&a);
    ck_assert_uint_eq(c.nvertices, 1);
    ck_assert_uint_eq(c.vertices[0], c.vertex);
    ck_assert(!sca_finding_has(&c, SCA_EVIDENCE_LINE_IDENTIFIED));
    measured_close(&d);
    return c.vertex;
}

/* A fifth of two seconds is 0.4 s. */
START_TEST(a_fifth_on_the_core_tells_the_line)
{
    ck_assert_uint_eq(place_of(1000, 0), work);
    ck_assert_uint_eq(place_of(1000, 1.55), work);
    ck_assert_uint_eq(place_of(1000, 1.65), step);
}
END_TEST

START_TEST(without_samples_it_is_what_is_around_both_calls)
{
    ck_assert_uint_eq(place_of(1, 0), step);
}
END_TEST

/* The last run has too few samples; of two others these have many. */
static struct sca_finding told(bool many0, bool many1, bool skewed)
{
    begin();
    add_run(SLOW, 0, 3, 0, many0 ? 1000 : 1, 0);
    add_run(SLOW, 0, 3, 0, many1 ? 1000 : 1, 0);
    add_run(SLOW, 1, 3, 1, 1, 0);
    struct sca_abnormal a = late(1);
    a.skewed = skewed;
    return draft_of(&a);
}

static void expect_told(bool many0, bool many1, uint32_t by)
{
    struct sca_finding c = told(many0, many1, false);
    const struct sca_evidence *e = sca_evidence_find(&c.evidence, SCA_EVIDENCE_LINE_IDENTIFIED);
    ck_assert_uint_eq(c.vertex, by == SCA_NONE ? step : work);
    ck_assert_uint_eq(e ? e->of : SCA_NONE, by);
    measured_close(&d);
}

/* The last of those that do. */
START_TEST(another_runs_samples_tell_the_line)
{
    expect_told(true, false, 0);
    expect_told(false, true, 1);
    expect_told(true, true, 1);
    expect_told(false, false, SCA_NONE);
}
END_TEST

/* The mean is (7 x 2 + 4) / 8 = 2.25 s, which is left of four. */
START_TEST(uneven_work_is_shared_out_and_asks_no_other_run)
{
    struct sca_finding c = told(true, true, true);
    ck_assert_uint_eq(c.vertex, step);
    ck_assert(sca_finding_has(&c, SCA_EVIDENCE_SKEWED));
    ck_assert(!sca_finding_has(&c, SCA_EVIDENCE_LINE_IDENTIFIED));
    ck_assert(c.transform.alike);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(c.transform.factor[r], r == SLOW ? 2.25 / 4 : 1, 1e-6);
    measured_close(&d);
}
END_TEST

/* What one rank alone has of it. */
static enum sca_category category_of(uint32_t rank)
{
    begin();
    add_run(rank, 0, 2, 0, 1000, 0);
    struct sca_abnormal a = late(1);
    a.ranks = &rank;
    a.reference = a.ratio = 0;
    struct sca_finding c = draft_of(&a);
    ck_assert_double_eq(c.transform.factor[rank], 0);
    measured_close(&d);
    return c.category;
}

START_TEST(what_rank_0_does_alone_is_serial)
{
    ck_assert_int_eq(category_of(0), SCA_CAUSE_SERIAL);
    ck_assert_int_eq(category_of(SLOW), SCA_CAUSE_IMBALANCE);
}
END_TEST

static struct sca_finding unplaced(const struct sca_interval_bounds *bounds, uint32_t before)
{
    struct sca_abnormal a = late(1);
    a.inconclusive = true;
    return sca_interval_draft_unplaced(&d.space, &d.m[0], bounds, before, &a);
}

START_TEST(what_is_not_looked_into_is_not_equalised)
{
    begin();
    add_run(SLOW, 1, 3, 1, 1000, 0);
    d = measured_open(model);
    struct sca_interval_bounds bounds = {first, second};
    struct sca_finding c = unplaced(&bounds, second);
    ck_assert(sca_finding_is_interval(&c) && !c.interval.any);
    ck_assert_uint_eq(c.vertex, step); /* whatever samples say */
    ck_assert_uint_eq(c.nvertices, 1);
    ck_assert_uint_eq(c.vertices[0], step);
    ck_assert_ptr_null(c.transform.factor);
    ck_assert(sca_finding_has(&c, SCA_EVIDENCE_CORES));
    bounds.before = last; /* what is around both calls is the whole program */
    ck_assert_uint_eq(unplaced(&bounds, last).vertex, 0);
    measured_close(&d);
}
END_TEST

SCA_SUITE("interval draft", it_is_all_between_the_calls_and_equalised, equalising_adds_nothing,
          a_fifth_on_the_core_tells_the_line, without_samples_it_is_what_is_around_both_calls,
          another_runs_samples_tell_the_line, uneven_work_is_shared_out_and_asks_no_other_run,
          what_rank_0_does_alone_is_serial, what_is_not_looked_into_is_not_equalised)
