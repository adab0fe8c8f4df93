/* Which intervals become findings, and what of them is known already. */
#include "imbalance/interval_findings.h"
#include "measured.h"
#include "check_main.h"

#include <math.h>

enum { RANKS = 8, SLOW = 3, STEPS = 100 };

static struct model *model;
static struct measured d;
static uint32_t step, work, other, rest, first, second;
static struct sca_ledger found;
static const struct sca_finding *before; /* is there before; NULL: none is */
static double less;                      /* seconds of the work, on another rank */

/* A step: two seconds of work and two of other code between two calls, four of the rest on the way
 * back. One rank differs by so many in the work and in the rest; rare samples do not tell lines. */
static void make(uint32_t nranks, double more, double more_back, double hz)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    first = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    second = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
    rest = model_vertex(model, step, SCA_LOOP, "", "main", 20);
    uint32_t run = model_run(model, nranks);
    uint32_t site = model_site(model, run, first), back = model_site(model, run, second);
    for (uint32_t r = 0; r < nranks; r++) {
        bool slow = r == SLOW;
        model_work(model, run, r, site, back, STEPS, work,
                   2 + (slow ? more : 0) - (r == SLOW + 2 ? less : 0));
        model_work(model, run, r, site, back, STEPS, other, 2);
        model_work(model, run, r, back, site, STEPS, rest, 4 + (slow ? more_back : 0));
    }
    model_rare(model, run, SCA_NONE, hz);
    before = NULL;
}

static uint32_t find(double least)
{
    d = measured_open(model);
    sca_ledger_begin(&d.space, &found);
    if (before)
        sca_ledger_append(&found, before);
    sca_interval_findings_add(&d.space, d.m, 1, d.ends, 1.3, least, INFINITY, &found);
    return found.open.count;
}

static uint32_t count(uint32_t nranks, double more, double more_back, double least)
{
    make(nranks, more, more_back, 1);
    uint32_t n = find(least);
    measured_close(&d);
    return n;
}

/* Fifteen seconds more of eight, exact; nothing else of the rank is late. */
START_TEST(an_interval_is_judged_by_exact_times)
{
    struct sca_abnormal a;
    make(RANKS, 15, 0, 1);
    d = measured_open(model);
    const struct sca_interval_bounds way = {second, first}, back = {first, second};
    ck_assert(sca_interval_findings_judge(&d.space, &d.m[0], &back, 1.3, &a));
    ck_assert_uint_eq(a.nranks, 1);
    ck_assert_uint_eq(a.ranks[0], SLOW);
    ck_assert_double_eq_tol(a.excess, 15, 1e-6);
    ck_assert_double_eq(a.vertex, SCA_NONE);
    ck_assert(!sca_interval_findings_judge(&d.space, &d.m[0], &way, 1.3, &a));
    measured_close(&d);
}
END_TEST

START_TEST(without_samples_it_is_known_by_its_calls)
{
    make(RANKS, 2, 0, 1);
    ck_assert_uint_eq(find(1), 1);
    ck_assert(sca_finding_is_interval(found.open.items[0]) &&
              found.open.items[0]->interval.part != SCA_RANKS_OF_INTERVAL);
    ck_assert_uint_eq(found.open.items[0]->interval.after, first);
    ck_assert_uint_eq(found.open.items[0]->interval.before, second);
    ck_assert_uint_eq(found.open.items[0]->vertex, step);
    ck_assert_uint_eq(found.open.items[0]->nranks, 1);
    ck_assert_uint_eq(found.open.items[0]->ranks[0], SLOW);
    ck_assert_double_eq_tol(found.open.items[0]->excess, 2, 1e-6);
    ck_assert_double_eq_tol(found.open.items[0]->ratio, 1.5, 1e-6);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(found.open.items[0]->transform.factor[r], r == SLOW ? 4.0 / 6 : 1,
                                1e-6);
    measured_close(&d);
}
END_TEST

START_TEST(with_samples_it_is_the_line)
{
    make(RANKS, 2, 0, 1000);
    ck_assert_uint_eq(find(1), 1);
    ck_assert(found.open.items[0]->interval.part == SCA_RANKS_OF_INTERVAL &&
              !sca_finding_is_interval(found.open.items[0]));
    ck_assert_uint_eq(found.open.items[0]->vertex, work);
    ck_assert_uint_eq(found.open.items[0]->ranks[0], SLOW);
    measured_close(&d);
}
END_TEST

/* All eight wait for two seconds: 16 core-seconds, even if one of them waits longer. */
START_TEST(it_must_be_worth_it)
{
    ck_assert_uint_eq(count(RANKS, 2, 0, 15.9), 1);
    ck_assert_uint_eq(count(RANKS, 2, 0, 16.1), 0);
    less = 0.1;
    ck_assert_uint_eq(count(RANKS, 2, 0, 15.9), 1);
    ck_assert_uint_eq(count(RANKS, 2, 0, 16.1), 0);
    less = 0;
}
END_TEST

START_TEST(equal_ranks_and_one_rank_have_none)
{
    ck_assert_uint_eq(count(RANKS, 0, 0, 0.001), 0);
    ck_assert_uint_eq(count(RANKS, 1.1, 0, 0.001), 0); /* of four seconds: under the threshold */
    ck_assert_uint_eq(count(1, 0, 0, 0), 0);
}
END_TEST

/* One finding that is there before, equalised on the slow rank to that part. */
static void find_beside(const uint32_t *vertex, double left, double excess)
{
    static uint32_t of, slow = SLOW;
    static double factor[RANKS];
    make(RANKS, 2, 0, 1);
    of = *vertex;
    for (uint32_t r = 0; r < RANKS; r++)
        factor[r] = r == SLOW ? left : 1;
    static struct sca_finding known;
    known = (struct sca_finding){.vertex = of,
                                 .nvertices = 1,
                                 .vertices = &of,
                                 .nranks = 1,
                                 .ranks = &slow,
                                 .excess = excess,
                                 .transform.factor = factor};
    before = &known;
    find(1);
}

/* Of the rank's four seconds of it 30 % are 1.2 s, 20 % are 0.8 s; half of the excess is 1 s. */
START_TEST(what_others_explain_by_half_is_left_alone)
{
    find_beside(&work, 0.7, 1.2);
    ck_assert_uint_eq(found.open.count, 1);
    ck_assert_uint_eq(found.count, 2); /* it is kept, with the reason */
    ck_assert_int_eq(found.outcomes[1].kind, SCA_OUTCOME_EXPLAINED);
    ck_assert_uint_eq(found.outcomes[1].of, 0);
    ck_assert_uint_eq(found.open.items[0]->vertex, work);
    measured_close(&d);
    find_beside(&work, 0.8, 0.8);
    ck_assert_uint_eq(found.open.count, 2);
    ck_assert(sca_finding_is_interval(found.open.items[1]));
    measured_close(&d);
    find_beside(&rest, 0.5, 2); /* of other work */
    ck_assert_uint_eq(found.open.count, 2);
    measured_close(&d);
}
END_TEST

/* The loop around both calls: the two seconds are more than 0.8 of its excess, or less. */
START_TEST(a_loop_around_calls_becomes_the_interval)
{
    find_beside(&step, 0.75, 2.4);
    ck_assert_uint_eq(found.open.count, 1);
    ck_assert_int_eq(found.outcomes[0].kind, SCA_OUTCOME_REFINED);
    ck_assert_uint_eq(found.outcomes[0].of, found.open.items[0]->number);
    ck_assert(sca_finding_is_interval(found.open.items[0]));
    ck_assert_uint_eq(found.open.items[0]->interval.after, first);
    ck_assert_double_eq_tol(found.open.items[0]->excess, 2, 1e-6);
    measured_close(&d);
    find_beside(&step, 0.75, 2.6); /* it explains enough as it stands */
    ck_assert_uint_eq(found.open.count, 1);
    ck_assert(!sca_finding_is_interval(found.open.items[0]));
    measured_close(&d);
}
END_TEST

/* Two seconds more before the first call, so much of that off the core. */
static uint32_t find_start(double off)
{
    make(RANKS, 0, 0, 1);
    uint32_t site = 1, run = 0;
    for (uint32_t r = 0; r < RANKS; r++)
        model_work(model, run, r, 0, site, 1, step, r == SLOW ? 3 : 1);
    model_blocked(model, run, SLOW, 0, site, off, off);
    d = measured_open(model);
    sca_ledger_begin(&d.space, &found);
    sca_interval_findings_add_start(&d.space, &d.m[run], d.ends, 1.3, 1, &found);
    if (found.open.count) {
        ck_assert(sca_finding_is_interval(found.open.items[0]));
        ck_assert_uint_eq(found.open.items[0]->interval.after, SCA_NONE);
        ck_assert_uint_eq(found.open.items[0]->interval.before, first);
        ck_assert_uint_eq(found.open.items[0]->ranks[0], SLOW);
    }
    uint32_t n = found.open.count;
    measured_close(&d);
    return n;
}

START_TEST(before_the_first_call_only_what_is_off_the_core)
{
    ck_assert_uint_eq(find_start(1.1), 1);
    ck_assert_uint_eq(find_start(0.9), 0);
}
END_TEST

SCA_SUITE("interval findings", an_interval_is_judged_by_exact_times,
          without_samples_it_is_known_by_its_calls, with_samples_it_is_the_line,
          it_must_be_worth_it, equal_ranks_and_one_rank_have_none,
          what_others_explain_by_half_is_left_alone, a_loop_around_calls_becomes_the_interval,
          before_the_first_call_only_what_is_off_the_core)
