/* What findings have already of the excess of an interval. */
#include "imbalance/interval_known.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3, STEPS = 100, MOST = 4 };

static struct model *model;
static struct measured d;
static uint32_t step, work, other, rest, first, second, around, barrier;

/* The slow rank has four seconds of the work and two of other code between the calls, where the
 * others have two and two; and four of the rest on the way back, on which the others have so much
 * of the work, too. */
static void begin_with(double elsewhere)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    first = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    second = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    rest = model_vertex(model, step, SCA_LOOP, "", "main", 20);
    around = model_vertex(model, 0, SCA_LOOP, "", "main", 40);
    barrier = model_vertex(model, around, SCA_MPI, "MPI_Barrier", "main", 41);
    uint32_t run = model_run(model, RANKS), site = model_site(model, run, first);
    uint32_t back = model_site(model, run, second);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, site, back, STEPS, work, r == SLOW ? 4 : 2);
        model_work(model, run, r, site, back, STEPS, other, 2);
        model_work(model, run, r, back, site, STEPS, rest, 4);
        if (r != SLOW && elsewhere > 0)
            model_work(model, run, r, back, site, STEPS, work, elsewhere);
    }
    d = measured_open(model);
}

static void begin(void)
{
    begin_with(0);
}

static void end(void)
{
    measured_close(&d);
}

static uint32_t slow_ranks[] = {SLOW, 5}, other_ranks[] = {5};

/* Findings of the slow rank, each numbered by its place here and ten. */
static struct sca_finding items[MOST];
static double factors[MOST][RANKS];
static uint32_t vertices[MOST], count;

/* Equalised to that part of its vertex. */
static struct sca_finding *add(uint32_t vertex, double left, double excess)
{
    uint32_t i = count++;
    vertices[i] = vertex;
    for (uint32_t r = 0; r < RANKS; r++)
        factors[i][r] = r == SLOW ? left : 1;
    items[i] = (struct sca_finding){.vertex = vertex,
                                    .nvertices = 1,
                                    .vertices = &vertices[i],
                                    .nranks = 1,
                                    .ranks = slow_ranks,
                                    .excess = excess,
                                    .transform.factor = factors[i],
                                    .number = i + 10};
    return &items[i];
}

static struct sca_finding *add_interval(uint32_t after, uint32_t before, bool any, double left)
{
    struct sca_finding *c = add(step, left, 2);
    c->interval = (struct sca_finding_interval){
        .part = SCA_ALL_OF_INTERVAL, .after = after, .before = before, .any = any};
    return c;
}

/* For an interval after `first` that has two seconds too much on the slow rank. */
static struct sca_interval_known ask(uint32_t before, uint32_t nranks)
{
    const struct sca_finding *list[MOST];
    struct sca_finding_list open = {.count = count, .items = list};
    for (uint32_t i = 0; i < count; i++)
        list[i] = &items[i];
    struct sca_line_search s = {&d.space, &d.m[0], d.ends, 1.3};
    struct sca_interval_bounds bounds = {first, before};
    struct sca_abnormal a = {
        .vertex = SCA_NONE, .nranks = nranks, .ranks = slow_ranks, .reference = 4, .excess = 2};
    return sca_interval_known_ask(&s, &open, &bounds, &a);
}

static void expect(uint32_t before, double explained, uint32_t by)
{
    struct sca_interval_known known = ask(before, 1);
    ck_assert_ptr_null(known.late);
    ck_assert_double_eq_tol(known.explained, explained, 1e-6);
    ck_assert_uint_eq(known.by, by);
    count = 0;
}

START_TEST(of_no_finding_nothing_is_known)
{
    expect(SCA_NONE, 0, SCA_NONE);
}
END_TEST

/* 30 % of four seconds, and half of two. */
START_TEST(what_equalising_takes_there_is_explained)
{
    add(work, 0.7, 2);
    expect(SCA_NONE, 1.2, 10);
    add(other, 0.5, 2);
    expect(SCA_NONE, 1, 10);
}
END_TEST

/* A quarter of the slow rank's four seconds goes where the work is shared out, of two that it has
 * too much: all of them lie there. */
START_TEST(of_what_is_shared_out_it_is_the_excess)
{
    struct sca_finding *c = add(work, 0.75, 2);
    sca_finding_add_evidence(&d.space, c, (struct sca_evidence){.kind = SCA_EVIDENCE_SKEWED});
    expect(SCA_NONE, 2, 10);
}
END_TEST

START_TEST(of_several_it_is_the_sum_and_by_the_one_with_most)
{
    add(other, 0.5, 2);
    add(work, 0.7, 2);
    expect(SCA_NONE, 2.2, 11);
    add(work, 0.7, 2);
    add(other, 0.5, 2);
    expect(SCA_NONE, 2.2, 10);
    add(other, 0.5, 2); /* two that are alike: the first */
    add(work, 0.75, 2);
    expect(SCA_NONE, 2, 10);
}
END_TEST

START_TEST(what_lies_elsewhere_explains_nothing)
{
    add(rest, 0, 4);
    expect(SCA_NONE, 0, SCA_NONE);
}
END_TEST

/* Rank 5 takes longer, too, but is not equalised; half of its two seconds are one, if it is. */
START_TEST(all_ranks_that_take_longer_are_asked)
{
    struct sca_finding *c = add(work, 0.5, 2);
    ck_assert_double_eq_tol(ask(SCA_NONE, 2).explained, 2, 1e-6);
    c->transform.factor[5] = 0.5;
    ck_assert_double_eq_tol(ask(SCA_NONE, 2).explained, 3, 1e-6);
    ck_assert_double_eq_tol(ask(SCA_NONE, 1).explained, 2, 1e-6);
    count = 0;
}
END_TEST

/* Half of six seconds. */
START_TEST(an_interval_explains_what_begins_and_ends_alike)
{
    add_interval(first, second, false, 0.5);
    expect(second, 3, 10);
    add_interval(first, second, false, 0.5);
    expect(SCA_NONE, 3, 10);
    add_interval(first, second, true, 0.5); /* that way has most of it */
    expect(second, 3, 10);
    add_interval(first, barrier, true, 0.5); /* it may end anywhere, too */
    expect(SCA_NONE, 3, 10);
    add_interval(first, barrier, true, 0.5);
    expect(second, 0, SCA_NONE);
    add_interval(second, first, true, 0.5);
    expect(SCA_NONE, 0, SCA_NONE);
}
END_TEST

START_TEST(what_rotates_explains_nothing)
{
    struct sca_finding *c = add(step, 0, 2);
    c->transform.factor = NULL;
    c->transform.nrotating = 1;
    expect(SCA_NONE, 0, SCA_NONE);
}
END_TEST

/* Whether a finding of that place is late for the interval. */
static bool is_late(struct sca_finding *c)
{
    struct sca_interval_known known = ask(SCA_NONE, 1);
    ck_assert(!known.late || known.late == c);
    count = 0;
    return known.late;
}

/* 0.75 leaves 1.5 of six seconds: 80 % of 1.875 s. Its ranks are others, so only that counts. */
START_TEST(a_loop_around_calls_is_late_by_what_goes_there)
{
    for (int more = 0; more < 2; more++) {
        struct sca_finding *c = add(step, 0.75, more ? 1.9 : 1.85);
        c->ranks = other_ranks;
        ck_assert(is_late(c) == !more);
    }
}
END_TEST

/* The interval's two seconds are 80 % of 2.5 s. */
START_TEST(or_as_the_interval_has_as_much_on_the_same_ranks)
{
    ck_assert(is_late(add(step, 1, 2.45)));
    ck_assert(!is_late(add(step, 1, 2.55)));
    struct sca_finding *c = add(step, 1, 2.45);
    c->ranks = other_ranks;
    ck_assert(!is_late(c));
    c = add(step, 1, 2.45);
    c->nranks = 2;
    ck_assert(!is_late(c));
    ck_assert(!is_late(add(around, 1, 2))); /* the interval does not begin in it */
}
END_TEST

/* What calls no MPI has its own seconds, however much of the interval they are. */
START_TEST(only_a_loop_around_calls_is_late)
{
    ck_assert(!is_late(add(work, 0.5, 2)));
    ck_assert(!is_late(add_interval(first, second, false, 0.5)));
    add(work, 0.5, 2);
    ck_assert(is_late(add(step, 1, 2))); /* behind another one as well */
    struct sca_finding *c = add(step, 1, 2);
    add(step, 1, 2);
    ck_assert(is_late(c)); /* of two it is the first */
}
END_TEST

/* Two of the slow rank's four seconds of the work are too many, until the others have two more of
 * it on the way back. */
START_TEST(what_others_do_before_another_call_is_no_excess)
{
    const struct sca_interval_bounds bounds = {first, SCA_NONE};
    const struct sca_abnormal a = {.nranks = 1, .ranks = slow_ranks, .excess = 2};
    const double elsewhere[] = {0, 1, 2}, excess[] = {2, 1, 0};
    for (int i = 0; i < 3; i++) {
        end();
        begin_with(elsewhere[i]);
        struct sca_line_search s = {&d.space, &d.m[0], d.ends, 1.3};
        ck_assert_double_eq_tol(sca_interval_known_in_all(&s, &bounds, &a), excess[i], 1e-6);
    }
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {of_no_finding_nothing_is_known,
                                  what_equalising_takes_there_is_explained,
                                  of_what_is_shared_out_it_is_the_excess,
                                  of_several_it_is_the_sum_and_by_the_one_with_most,
                                  what_lies_elsewhere_explains_nothing,
                                  all_ranks_that_take_longer_are_asked,
                                  an_interval_explains_what_begins_and_ends_alike,
                                  what_rotates_explains_nothing,
                                  a_loop_around_calls_is_late_by_what_goes_there,
                                  or_as_the_interval_has_as_much_on_the_same_ranks,
                                  only_a_loop_around_calls_is_late,
                                  what_others_do_before_another_call_is_no_excess};
    Suite *suite = suite_create("interval known");
    TCase *tcase = tcase_create("interval known");
    tcase_add_checked_fixture(tcase, begin, end);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
