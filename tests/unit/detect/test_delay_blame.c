/* Which calls wait because of a cause, and for how long. */
#include "explain/delay_blame.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 3, CAUSES = 6 };

static struct script *s;
static struct played p;
static uint32_t slow, usual, aside, in, out, all;
static uint32_t in_site, out_site, all_site;
static double waits[CAUSES][64];

static void begin(void)
{
    s = script_new(RANKS);
    slow = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    usual = model_vertex(s->model, slow, SCA_LOOP, "", "main", 14);
    aside = model_vertex(s->model, 0, SCA_LOOP, "", "main", 17);
    out_site = script_site(s, "MPI_Send", 20);
    in_site = script_site(s, "MPI_Recv", 21);
    all_site = script_site(s, "MPI_Barrier", 22);
}

/* Causes 0 and on: computation of a vertex, with all below, on a rank. */
static void blame(const uint32_t (*what)[2], uint32_t n)
{
    static uint32_t vertex[CAUSES], rank[CAUSES];
    static struct sca_finding causes[CAUSES];
    const struct sca_finding *list[CAUSES];
    double *to[CAUSES];
    script_play(s, &p);
    for (uint32_t i = 0; i < n; i++) {
        vertex[i] = what[i][0];
        rank[i] = what[i][1];
        causes[i] = (struct sca_finding){.vertex = vertex[i],
                                         .nvertices = 1,
                                         .vertices = &vertex[i],
                                         .nranks = 1,
                                         .ranks = &rank[i]};
        list[i] = &causes[i];
        to[i] = waits[i];
        for (uint32_t v = 0; v < 64; v++)
            waits[i][v] = 0;
    }
    const uint32_t *ends = sca_measure_subtree_ends(&p.space, p.measure.ppg);
    sca_delay_blame_add(&p.space, &p.measure, ends, &p.replay, list, n, to);
    in = p.measure.run->site_vertex[in_site];
    out = p.measure.run->site_vertex[out_site];
    all = p.measure.run->site_vertex[all_site];
}

/* Rank 0 computes for five seconds; rank 1 waits for its message, and rank 2 for that of rank 1. */
static void pass_on(void)
{
    begin();
    script_work(s, 0, out_site, out_site, slow, 5);
    script_work(s, 1, out_site, in_site, usual, 1);
    script_work(s, 2, in_site, in_site, usual, 1);
    script_send(s, 0, 5, out_site, 1, 0);
    script_receive(s, 1, 1, in_site, 0, 0);
    script_send(s, 1, 0, out_site, 2, 0);
    script_receive(s, 2, 1, in_site, 1, 0);
}

/* Four seconds each, the second over two hops. */
START_TEST(a_cause_is_charged_with_waits_for_waits)
{
    pass_on();
    blame((const uint32_t[][2]){{slow, 0}}, 1);
    ck_assert_double_eq_tol(waits[0][in], 8, 1e-5);
    ck_assert_double_eq(waits[0][out], 0);
    script_end(s, &p);
}
END_TEST

START_TEST(other_ranks_and_other_work_are_not_to_blame)
{
    pass_on();
    blame((const uint32_t[][2]){{slow, 2}, {usual, 0}, {aside, 0}}, 3);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t v = 0; v < 64; v++)
            ck_assert_double_eq(waits[i][v], 0);
    script_end(s, &p);
}
END_TEST

/* Six causes are more than are looked at together: each has the same as alone. */
START_TEST(however_many_there_are_each_has_its_own)
{
    pass_on();
    blame(
        (const uint32_t[][2]){{usual, 2}, {slow, 0}, {slow, 2}, {usual, 0}, {usual, 2}, {slow, 0}},
        CAUSES);
    for (uint32_t i = 0; i < CAUSES; i++)
        ck_assert_double_eq_tol(waits[i][in], i == 1 || i == 5 ? 8 : 0, 1e-5);
    script_end(s, &p);
}
END_TEST

/* Rank 0 is late by three seconds of the one and one of what is in it: two ranks wait for four. */
START_TEST(waits_are_shared_out_by_what_was_computed)
{
    begin();
    for (uint32_t r = 0; r < RANKS; r++) {
        if (r == 0) {
            script_work(s, r, all_site, all_site, slow, 3);
            script_work(s, r, all_site, all_site, usual, 1);
        }
        script_collective(s, r, r == 0 ? 4 : 0, all_site, SCA_ALL_TO_ALL, -1, 0);
    }
    blame((const uint32_t[][2]){{slow, 0}, {usual, 0}}, 2);
    ck_assert_double_eq_tol(waits[0][all], 8, 1e-5); /* with all below */
    ck_assert_double_eq_tol(waits[1][all], 2, 1e-5);
    script_end(s, &p);
}
END_TEST

START_TEST(where_nobody_waits_nothing_is_charged)
{
    begin();
    for (uint32_t r = 0; r < RANKS; r++) {
        script_work(s, r, all_site, all_site, slow, 2);
        script_collective(s, r, 2, all_site, SCA_ALL_TO_ALL, -1, 0);
    }
    blame((const uint32_t[][2]){{slow, 0}, {slow, 1}, {slow, 2}}, 3);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(waits[i][all], 0, 1e-6);
    script_end(s, &p);
    pass_on();
    blame((const uint32_t[][2]){{slow, 0}}, 0); /* no causes at all */
    script_end(s, &p);
}
END_TEST

SCA_SUITE("delay blame", a_cause_is_charged_with_waits_for_waits,
          other_ranks_and_other_work_are_not_to_blame, however_many_there_are_each_has_its_own,
          waits_are_shared_out_by_what_was_computed, where_nobody_waits_nothing_is_charged)
