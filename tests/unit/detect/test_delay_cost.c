/* What computation costs the others: waits are charged to it, and add up. */
#include "replay/delay_cost.h"
#include "replay_script.h"
#include "check_main.h"

static struct script *s;
static struct played p;
static uint32_t loop, beside, out, in;

static void begin(uint32_t nranks)
{
    s = script_new(nranks);
    loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    beside = model_vertex(s->model, 0, SCA_LOOP, "", "main", 15);
    out = script_site(s, "MPI_Send", 20);
    in = script_site(s, "MPI_Recv", 21);
}

/* Rank 0 computes three seconds and sends; rank 1 has one to do, and so many before it passes it on
 * to rank 2, which has one to do. */
static void play_chain(double before_passing)
{
    begin(3);
    script_work(s, 0, out, out, loop, 3);
    script_work(s, 1, out, in, loop, 1);
    script_work(s, 1, in, out, loop, before_passing);
    script_work(s, 2, in, in, loop, 1);
    script_send(s, 0, 3, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_send(s, 1, before_passing, out, 2, 0);
    script_receive(s, 2, 1, in, 1, 0);
    script_play(s, &p);
}

static double direct_of(uint32_t vertex, uint32_t rank)
{
    return p.costs.direct_of[vertex * p.measure.nranks + rank];
}

static const struct sca_site_wait *at(const struct sca_costs *costs, uint32_t site,
                                      enum sca_wait_class kind)
{
    uint32_t vertex = p.measure.run->site_vertex[site];
    return &costs->sites[vertex * SCA_WAIT_CLASSES + kind];
}

static void check_site(const struct sca_site_wait *w, double count, double seconds, double direct,
                       double indirect)
{
    ck_assert_double_eq_tol(w->count, count, 1e-12);
    ck_assert_double_eq_tol(w->seconds, seconds, 1e-6);
    ck_assert_double_eq_tol(w->direct, direct, 1e-6);
    ck_assert_double_eq_tol(w->indirect, indirect, 1e-6);
}

/* The waits are the costs and what is unexplained. */
static void check_sum(double waits)
{
    double sum = p.costs.unexplained;
    for (uint32_t i = 0; i < p.measure.ppg->nvertices * p.measure.nranks; i++)
        sum += p.costs.of[i];
    ck_assert_double_eq_tol(p.costs.waits, waits, 1e-6);
    ck_assert_double_eq_tol(sum, p.costs.waits, 1e-9);
}

START_TEST(a_wait_that_was_handed_on_costs_whom_it_began_with)
{
    play_chain(0);
    check_sum(4);
    ck_assert_double_eq_tol(played_cost(&p, loop, 0), 4, 1e-6);
    ck_assert_double_eq_tol(direct_of(loop, 0), 2, 1e-6);
    ck_assert_double_eq_tol(played_cost(&p, loop, 1), 0, 1e-6);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 2, 4, 2, 2);
    ck_assert_double_eq_tol(p.costs.unexplained, 0, 1e-9);
    script_end(s, &p);
}
END_TEST

/* Rank 2 waits three seconds: one for what rank 1 computes, two for what that had waited. */
START_TEST(of_a_wait_each_pays_its_part)
{
    play_chain(1);
    check_sum(5);
    ck_assert_double_eq_tol(played_cost(&p, loop, 0), 4, 1e-6);
    ck_assert_double_eq_tol(direct_of(loop, 0), 2, 1e-6);
    ck_assert_double_eq_tol(played_cost(&p, loop, 1), 1, 1e-6);
    ck_assert_double_eq_tol(direct_of(loop, 1), 1, 1e-6);
    ck_assert_double_eq_tol(played_cost(&p, loop, 2), 0, 1e-9);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 2, 5, 3, 2);
    script_end(s, &p);
}
END_TEST

/* Rank 1 receives after a second what rank 0 sends after three. */
static void play_pair(void)
{
    script_send(s, 0, 3, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_play(s, &p);
}

START_TEST(the_surplus_is_found_vertex_by_vertex)
{
    begin(2);
    script_work(s, 0, out, out, loop, 2);
    script_work(s, 0, out, out, beside, 1);
    script_work(s, 1, in, in, loop, 1);
    play_pair();
    check_sum(2);
    ck_assert_double_eq_tol(played_cost(&p, loop, 0), 1, 1e-6);
    ck_assert_double_eq_tol(played_cost(&p, beside, 0), 1, 1e-6);
    script_end(s, &p);
}
END_TEST

/* Three seconds of the one have cost two: the other was busy with something else meanwhile. */
START_TEST(what_the_waiting_rank_computed_more_costs_nothing)
{
    begin(2);
    script_work(s, 0, out, out, loop, 3);
    script_work(s, 1, in, in, beside, 1);
    play_pair();
    check_sum(2);
    ck_assert_double_eq_tol(played_cost(&p, loop, 0), 2, 1e-6);
    ck_assert_double_eq(played_cost(&p, beside, 1), 0);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 1, 2, 2, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(without_known_computation_it_is_unexplained)
{
    begin(2);
    play_pair();
    check_sum(2);
    ck_assert_double_eq_tol(p.costs.unexplained, 2, 1e-6);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 1, 2, 0, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(who_is_waited_for_by_many_pays_for_all)
{
    begin(3);
    uint32_t barrier = script_site(s, "MPI_Barrier", 30);
    for (uint32_t r = 0; r < 3; r++) {
        script_work(s, r, barrier, barrier, loop, r == 2 ? 5 : 2);
        script_collective(s, r, r == 2 ? 5 : 2, barrier, SCA_ALL_TO_ALL, -1, 0);
    }
    script_play(s, &p);
    check_sum(6);
    ck_assert_double_eq_tol(played_cost(&p, loop, 2), 6, 1e-6);
    ck_assert_double_eq_tol(direct_of(loop, 2), 6, 1e-6);
    check_site(at(&p.costs, barrier, SCA_WAIT_AT_BARRIER), 2, 6, 6, 0);
    check_site(at(&p.costs, barrier, SCA_WAIT_AT_NXN), 0, 0, 0, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(who_comes_together_waits_for_nobody)
{
    begin(2);
    uint32_t barrier = script_site(s, "MPI_Barrier", 30);
    for (uint32_t r = 0; r < 2; r++) {
        script_work(s, r, barrier, barrier, loop, 2);
        script_collective(s, r, 2, barrier, SCA_ALL_TO_ALL, -1, 0);
    }
    script_play(s, &p);
    check_sum(0);
    check_site(at(&p.costs, barrier, SCA_WAIT_AT_BARRIER), 0, 0, 0, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(sums_need_no_detail)
{
    struct sca_costs costs;
    play_chain(1);
    sca_delay_cost_open(&p.space, &p.measure, false, &costs);
    ck_assert(!costs.of && !costs.direct_of);
    sca_delay_cost_find(&p.space, &p.measure, &p.replay, 0, &costs); /* of no replay */
    ck_assert(costs.waits == 0 && costs.unexplained == 0);
    sca_delay_cost_find(&p.space, &p.measure, &p.replay, 1, &costs);
    ck_assert_double_eq_tol(costs.waits, 5, 1e-6);
    ck_assert_double_eq_tol(costs.unexplained, 0, 1e-9);
    check_site(at(&costs, in, SCA_WAIT_LATE_SENDER), 2, 5, 3, 2);
    script_end(s, &p);
}
END_TEST

/* A second replay, of a trace that stands for three. */
START_TEST(replays_count_as_their_traces_weigh)
{
    play_chain(1);
    ck_assert_double_eq(p.traces.traces[0].weight, 1);
    p.traces.traces[0].weight = 3;
    sca_delay_cost_find(&p.space, &p.measure, &p.replay, 1, &p.costs);
    check_sum(20);
    ck_assert_double_eq_tol(played_cost(&p, loop, 0), 16, 1e-6);
    ck_assert_double_eq_tol(direct_of(loop, 0), 8, 1e-6);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 8, 20, 12, 8);
    script_end(s, &p);
}
END_TEST

START_TEST(what_is_unexplained_weighs_alike)
{
    begin(2);
    play_pair();
    p.traces.traces[0].weight = 3;
    sca_delay_cost_find(&p.space, &p.measure, &p.replay, 1, &p.costs);
    check_sum(8);
    ck_assert_double_eq_tol(p.costs.unexplained, 8, 1e-6);
    script_end(s, &p);
}
END_TEST

START_TEST(one_process_has_the_sums_of_all)
{
    play_chain(1);
    sca_delay_cost_sum(&p.team, &p.measure, &p.costs);
    check_sum(5);
    check_site(at(&p.costs, in, SCA_WAIT_LATE_SENDER), 2, 5, 3, 2);
    script_end(s, &p);
}
END_TEST

SCA_SUITE("delay_cost", a_wait_that_was_handed_on_costs_whom_it_began_with,
          of_a_wait_each_pays_its_part, the_surplus_is_found_vertex_by_vertex,
          what_the_waiting_rank_computed_more_costs_nothing,
          without_known_computation_it_is_unexplained, who_is_waited_for_by_many_pays_for_all,
          who_comes_together_waits_for_nobody, sums_need_no_detail,
          replays_count_as_their_traces_weigh, what_is_unexplained_weighs_alike,
          one_process_has_the_sums_of_all)
