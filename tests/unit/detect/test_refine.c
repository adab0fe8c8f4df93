/* Where inside an abnormal vertex the excess lies. */
#include "imbalance/refine.h"
#include "measured.h"
#include "verdict_program.h"
#include "check_main.h"

enum { RANKS = 8, SLOW = 3 };

static struct program p;

/* Usually ten seconds of the work and ten of the rest; one rank has so many times as much. */
static void add_run(double work, double extra)
{
    double w[RANKS], e[RANKS];
    program_fill(w, RANKS, 10);
    program_fill(e, RANKS, 10);
    w[SLOW] *= work;
    e[SLOW] *= extra;
    program_run(&p, RANKS, w, e);
}

static uint32_t refine(uint32_t from)
{
    struct measured d = measured_open(p.model);
    uint32_t found = sca_refine_vertex(&d.space, d.m, d.ppg->nruns, d.ends, 1.3, from);
    measured_close(&d);
    return found;
}

START_TEST(the_part_that_has_it_all)
{
    p = program_new();
    add_run(1, 3);
    ck_assert_uint_eq(refine(p.step), p.body);
    p = program_new();
    add_run(3, 1);
    ck_assert_uint_eq(refine(p.step), p.work);
}
END_TEST

START_TEST(where_all_parts_have_theirs_it_is_the_whole)
{
    p = program_new();
    add_run(2, 2);
    ck_assert_uint_eq(refine(p.step), p.step);
}
END_TEST

START_TEST(what_is_normal_is_not_refined)
{
    p = program_new();
    add_run(1, 1);
    ck_assert_uint_eq(refine(p.step), p.step);
    p = program_new();
    add_run(2, 2);
    ck_assert_uint_eq(refine(p.body), p.body); /* nothing is below it */
}
END_TEST

/* Code that the other ranks do not run has no usual shares, and a part that has less than most of
 * the excess is not all of it. */
START_TEST(two_thirds_are_not_all_of_what_one_rank_alone_does)
{
    double work[RANKS] = {[SLOW] = 3.5}, extra[RANKS] = {[SLOW] = 6.5};
    p = program_new();
    program_run(&p, RANKS, work, extra);
    ck_assert_uint_eq(refine(p.step), p.step);
    extra[SLOW] = 66.5;
    p = program_new();
    program_run(&p, RANKS, work, extra);
    ck_assert_uint_eq(refine(p.step), p.body);
}
END_TEST

START_TEST(all_runs_are_asked)
{
    p = program_new();
    add_run(1, 3);
    add_run(1, 1); /* nothing abnormal: it says nothing */
    ck_assert_uint_eq(refine(p.step), p.body);
    p = program_new();
    add_run(1, 3);
    add_run(3, 1); /* they do not agree */
    ck_assert_uint_eq(refine(p.step), p.step);
}
END_TEST

SCA_SUITE("refine", the_part_that_has_it_all, where_all_parts_have_theirs_it_is_the_whole,
          two_thirds_are_not_all_of_what_one_rank_alone_does, what_is_normal_is_not_refined,
          all_runs_are_asked)
