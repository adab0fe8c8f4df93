/* Whether exact times of a run bear out an interval, and a line in it. */
#include "confirm/borne_out.h"
#include "imbalance/interval_findings.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 5 };

static struct program p;
static struct measured d;
static uint32_t slow = SLOW;

/* All have ten seconds of the work and five of the rest in the steps; one rank has more. */
static void measure(double work, double extra)
{
    double w[RANKS], e[RANKS];
    p = program_new();
    program_fill(w, RANKS, 10);
    program_fill(e, RANKS, 5);
    w[SLOW] += work;
    e[SLOW] += extra;
    program_run(&p, RANKS, w, e);
    d = measured_open(p.model);
}

static struct sca_finding line(double excess)
{
    return (struct sca_finding){.vertex = p.work,
                                .nvertices = 1,
                                .vertices = &p.work,
                                .nranks = 1,
                                .ranks = &slow,
                                .excess = excess};
}

START_TEST(an_interval_is_judged_by_exact_times)
{
    struct sca_abnormal a;
    measure(15, 0);
    const struct sca_interval_bounds steps = {p.sum, SCA_NONE}, start = {SCA_NONE, SCA_NONE};
    ck_assert(sca_interval_findings_judge(&d.space, &d.m[0], &steps, 1.3, &a));
    ck_assert_uint_eq(a.nranks, 1);
    ck_assert_uint_eq(a.ranks[0], SLOW);
    ck_assert_double_eq_tol(a.excess, 15 * 0.99, 1e-6); /* one step of a hundred is before */
    ck_assert_double_eq(a.vertex, SCA_NONE);
    ck_assert(sca_interval_findings_judge(&d.space, &d.m[0], &start, 1.3, &a));
    measured_close(&d);
    measure(0, 0);
    ck_assert(!sca_interval_findings_judge(&d.space, &d.m[0], &steps, 1.3, &a));
    measured_close(&d);
}
END_TEST

static bool has_bounds(double work, double extra, double excess, struct sca_interval_bounds *bounds)
{
    measure(work, extra);
    struct sca_finding c = line(excess);
    bool has = sca_borne_out_bounds_of_line(&d.space, &d.m[0], d.ends, &c, bounds);
    ck_assert(!has || bounds->after == p.sum);
    measured_close(&d);
    return has;
}

/* Half of the finding's excess must be there, and half of what the rank is late by. */
START_TEST(the_bounds_of_a_line_has_most_of_it)
{
    struct sca_interval_bounds bounds;
    ck_assert(has_bounds(10, 0, 10, &bounds));
    ck_assert(has_bounds(10, 0, 19, &bounds));
    ck_assert(!has_bounds(10, 0, 21, &bounds));
    ck_assert(has_bounds(10, 9, 10, &bounds));
    ck_assert(!has_bounds(10, 11, 10, &bounds));
    ck_assert(!has_bounds(0, 0, 1, &bounds));
}
END_TEST

static bool is_borne_out(double work, double extra)
{
    struct sca_abnormal a;
    measure(work, extra);
    const struct sca_interval_bounds bounds = {p.sum, SCA_NONE};
    struct sca_finding c = line(10);
    bool is = sca_borne_out_is(&d.space, &d.m[0], d.ends, &bounds, &c, 1.3, &a);
    ck_assert_int_eq(sca_borne_out_is_around(&d.space, &d.m[0], d.ends, &c, 1.3, &a), is);
    measured_close(&d);
    return is;
}

/* Ten seconds more of fifteen; where most of it is another line, it is not this one's. */
START_TEST(a_run_bears_out_what_is_late_for_that_line)
{
    ck_assert(is_borne_out(10, 0));
    ck_assert(is_borne_out(10, 9));
    ck_assert(!is_borne_out(9, 10));
    ck_assert(!is_borne_out(0, 10));
    ck_assert(!is_borne_out(0, 0));
}
END_TEST

SCA_SUITE("borne_out", an_interval_is_judged_by_exact_times, the_bounds_of_a_line_has_most_of_it,
          a_run_bears_out_what_is_late_for_that_line)
