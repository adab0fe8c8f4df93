/* The line in an interval that late ranks are late for, where samples prove one. */
#include "imbalance/interval_line.h"
#include "measured.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3, STEPS = 100 };

static struct model *model;
static struct measured d;
static uint32_t step, work, other, first, second, site, back;

/* A step: work and other code between two calls, nothing on the way back. */
static void begin(void)
{
    model = model_new();
    step = model_vertex(model, 0, SCA_LOOP, "", "main", 10);
    first = model_vertex(model, step, SCA_MPI, "MPI_Sendrecv", "main", 11);
    work = model_vertex(model, step, SCA_LOOP, "", "main", 12);
    other = model_vertex(model, step, SCA_LOOP, "", "main", 15);
    second = model_vertex(model, step, SCA_MPI, "MPI_Allreduce", "main", 18);
}

/* So many seconds of both on one rank, where the others have `usual` of each. */
static uint32_t add_run(uint32_t slow, double usual, double of_work, double of_other)
{
    uint32_t run = model_run(model, RANKS);
    site = model_site(model, run, first);
    back = model_site(model, run, second);
    for (uint32_t r = 0; r < RANKS; r++) {
        model_work(model, run, r, site, back, STEPS, work, r == slow ? of_work : usual);
        model_work(model, run, r, site, back, STEPS, other, r == slow ? of_other : usual);
        model_work(model, run, r, back, site, STEPS, step, 4);
    }
    return run;
}

static struct sca_line_search search(uint32_t run)
{
    return (struct sca_line_search){&d.space, &d.m[run], d.ends, 1.3};
}

static uint32_t slow_ranks[] = {SLOW};

static struct sca_abnormal late(double reference, double excess)
{
    return (struct sca_abnormal){.vertex = SCA_NONE,
                                 .nranks = 1,
                                 .ranks = slow_ranks,
                                 .reference = reference,
                                 .excess = excess,
                                 .most = excess};
}

static struct sca_finding c;

/* The line of the last run, for an excess of two seconds over two. */
static uint32_t line(void)
{
    d = measured_open(model);
    struct sca_line_search s = search(d.ppg->nruns - 1);
    struct sca_interval_bounds bounds = {first, SCA_NONE};
    struct sca_abnormal a = late(2, 2);
    c = (struct sca_finding){.vertex = SCA_NONE};
    return sca_interval_line(&s, &bounds, &a, &c) ? c.vertex : SCA_NONE;
}

static uint32_t line_of(double of_work, double of_other)
{
    begin();
    add_run(SLOW, 1, of_work, of_other);
    uint32_t v = line();
    measured_close(&d);
    return v;
}

START_TEST(the_line_with_all_of_it_is_the_finding)
{
    begin();
    add_run(SLOW, 1, 3, 1);
    ck_assert_uint_eq(line(), work);
    ck_assert(c.interval.part == SCA_RANKS_OF_INTERVAL && c.interval.any);
    ck_assert_uint_eq(c.interval.after, first);
    ck_assert_uint_eq(c.nvertices, 1);
    ck_assert_uint_eq(c.nranks, 1);
    ck_assert_uint_eq(c.ranks[0], SLOW);
    ck_assert_double_eq_tol(c.excess, 2, 1e-6);
    ck_assert_double_eq_tol(c.ratio, 3, 1e-6);
    for (uint32_t r = 0; r < RANKS; r++)
        ck_assert_double_eq_tol(c.transform.factor[r], r == SLOW ? 1.0 / 3 : 1, 1e-6);
    measured_close(&d);
}
END_TEST

/* Of two seconds. */
START_TEST(half_of_it_must_be_there)
{
    ck_assert_uint_eq(line_of(2.1, 1.9), work);
    ck_assert_uint_eq(line_of(1.9, 2.1), other);
    ck_assert_uint_eq(line_of(1.9, 1.9), SCA_NONE);
    ck_assert_uint_eq(line_of(1, 1), SCA_NONE);
}
END_TEST

/* The others have four seconds there: 1.3 times as much is 5.2. */
START_TEST(less_than_the_threshold_is_no_line)
{
    begin();
    add_run(SLOW, 4, 5.1, 4);
    ck_assert_uint_eq(line(), SCA_NONE);
    measured_close(&d);
    begin();
    add_run(SLOW, 4, 5.3, 4);
    ck_assert_uint_eq(line(), work);
    measured_close(&d);
}
END_TEST

START_TEST(few_samples_prove_nothing)
{
    for (int often = 0; often < 2; often++) { /* two samples where one is usual, or 200 of 100 */
        begin();
        model_rare(model, add_run(SLOW, 1, 3, 1), SCA_NONE, often ? 100 : 1);
        ck_assert_uint_eq(line(), often ? work : SCA_NONE);
        measured_close(&d);
    }
}
END_TEST

/* Half of two seconds. */
START_TEST(off_the_core_samples_tell_nothing)
{
    for (int more = 0; more < 2; more++) {
        begin();
        uint32_t run = add_run(SLOW, 1, 3, 1);
        model_blocked(model, run, SLOW, site, back, more ? 1.1 : 0.9, 0.05);
        ck_assert_uint_eq(line(), more ? SCA_NONE : work);
        measured_close(&d);
    }
}
END_TEST

/* Rank 5 is late, too, by one second: of that line is a quarter of it, or 0.15 s. */
START_TEST(who_is_late_for_something_else_is_not_named)
{
    static uint32_t both[] = {SLOW, 5};
    for (int more = 0; more < 2; more++) {
        begin();
        uint32_t run = add_run(SLOW, 1, 4, 1);
        model_work(model, run, 5, site, back, STEPS, work, more ? 0.25 : 0.15);
        model_work(model, run, 5, site, back, STEPS, other, more ? 0.75 : 0.85);
        d = measured_open(model);
        struct sca_line_search s = search(run);
        struct sca_interval_bounds bounds = {first, SCA_NONE};
        struct sca_abnormal a = late(2, 4);
        a.nranks = 2;
        a.ranks = both;
        ck_assert(sca_interval_line(&s, &bounds, &a, &c));
        ck_assert_uint_eq(c.vertex, work);
        ck_assert_uint_eq(c.nranks, more ? 2 : 1);
        ck_assert_uint_eq(c.ranks[0], SLOW);
        measured_close(&d);
    }
}
END_TEST

/* What an earlier run, on the rank that is told, says of a last run with few samples. */
static uint32_t again(uint32_t slow, double hz, double of_work, double of_other)
{
    begin();
    uint32_t many = add_run(slow, 0, 3, 0), few = add_run(SLOW, 1, of_work, of_other);
    model_rare(model, many, SCA_NONE, hz);
    model_rare(model, few, SCA_NONE, 1);
    d = measured_open(model);
    struct sca_line_search s = search(few);
    struct sca_interval_bounds bounds = {first, SCA_NONE};
    struct sca_abnormal a = late(2, 2);
    uint32_t v = sca_interval_line_again(&s, &d.m[many], &bounds, &a);
    measured_close(&d);
    return v;
}

START_TEST(another_run_proves_it_for_the_same_rank)
{
    ck_assert_uint_eq(again(SLOW, 1000, 3, 1), work);
    ck_assert_uint_eq(again(SLOW - 2, 1000, 3, 1), SCA_NONE);
    ck_assert_uint_eq(again(SLOW, 1000, 2.1, 1.9), work); /* half of it is there, too */
    ck_assert_uint_eq(again(SLOW, 1000, 1.9, 2.1), SCA_NONE);
}
END_TEST

/* Its three seconds are 21 samples, or 18. */
START_TEST(by_twenty_samples)
{
    ck_assert_uint_eq(again(SLOW, 7, 3, 1), work);
    ck_assert_uint_eq(again(SLOW, 6, 3, 1), SCA_NONE);
}
END_TEST

/* Of one rank's excess of two seconds so much is off the core, where the others have some, too. */
static struct sca_core_time core(double of_work, double of_other, double off, double usual_off)
{
    begin();
    uint32_t run = add_run(SLOW, 1, of_work, of_other);
    for (uint32_t r = 0; r < RANKS; r++)
        model_blocked(model, run, r, site, back, r == SLOW ? off : usual_off, 0.05);
    d = measured_open(model);
    struct sca_line_search s = search(run);
    struct sca_interval_bounds bounds = {first, SCA_NONE};
    struct sca_abnormal a = late(2, 2);
    struct sca_core_time out = sca_interval_line_core(&s, &bounds, &a);
    measured_close(&d);
    return out;
}

START_TEST(what_is_off_the_core_and_the_line_of_the_rest)
{
    struct sca_core_time t = core(3, 1, 0.5, 0);
    ck_assert_double_eq_tol(t.off, 0.5, 1e-6);
    ck_assert_double_eq_tol(t.on, 1.5, 1e-6);
    ck_assert_uint_eq(t.vertex, work);
    ck_assert_double_eq_tol(t.there, 1.5, 1e-6);
    ck_assert_double_eq_tol(core(3, 1, 0.5, 0.5).off, 0, 1e-6); /* all are */
    t = core(3, 1, 3, 0);                                       /* more than the excess */
    ck_assert_double_eq_tol(t.off, 2, 1e-6);
    ck_assert_uint_eq(t.vertex, SCA_NONE);
    ck_assert_uint_eq(core(2.7, 1.3, 0, 0).vertex, work); /* 1.7 of 2 */
    ck_assert_uint_eq(core(2.5, 1.5, 0, 0).vertex, SCA_NONE);
}
END_TEST

SCA_SUITE("interval line", the_line_with_all_of_it_is_the_finding, half_of_it_must_be_there,
          less_than_the_threshold_is_no_line, few_samples_prove_nothing,
          off_the_core_samples_tell_nothing, who_is_late_for_something_else_is_not_named,
          another_run_proves_it_for_the_same_rank, by_twenty_samples,
          what_is_off_the_core_and_the_line_of_the_rest)
