/* Why a rank waited: what the other computed more, and what that one had waited for. */
#include "replay/delay.h"
#include "replay_script.h"
#include "check_main.h"

/* Rank 0 computes three seconds and sends, rank 1 passes it on, rank 2 has one second to do. */
static struct script *chain(uint32_t *loop)
{
    struct script *s = script_new(3);
    *loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
    script_work(s, 0, out, out, *loop, 3);
    script_work(s, 1, out, in, *loop, 1);
    script_work(s, 2, in, in, *loop, 1);
    script_send(s, 0, 3, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_send(s, 1, 0, out, 2, 0);
    script_receive(s, 2, 1, in, 1, 0);
    return s;
}

START_TEST(a_direct_delay_is_what_the_other_computed_more)
{
    uint32_t loop;
    struct script *s = chain(&loop);
    struct sca_delays delays;
    struct sca_delay d;
    struct played p;
    script_play(s, &p);
    sca_delay_open(&p.space, &p.measure, &p.replay, &delays);
    uint32_t step = sca_replay_at(&p.replay, 1, 0);
    ck_assert(sca_delay_find(&delays, step, &d));
    ck_assert_double_eq_tol(d.own, 2, 1e-6);
    ck_assert_uint_eq(d.by, sca_replay_at(&p.replay, 0, 0));
    ck_assert_uint_eq(d.rank, 0);
    ck_assert_double_eq(d.since, 0);
    sca_delay_explain(&delays, step, &d);
    ck_assert(d.explained);
    ck_assert_double_eq_tol(d.computed, 2, 1e-6);
    ck_assert_double_eq(d.waited, 0);
    ck_assert_double_eq_tol(delays.surplus[loop], 2, 1e-6);
    script_end(s, &p);
}
END_TEST

START_TEST(an_indirect_one_is_what_it_had_waited_for)
{
    uint32_t loop;
    struct script *s = chain(&loop);
    struct sca_delays delays;
    struct sca_delay d;
    struct played p;
    script_play(s, &p);
    sca_delay_open(&p.space, &p.measure, &p.replay, &delays);
    uint32_t step = sca_replay_at(&p.replay, 2, 0);
    ck_assert(sca_delay_find(&delays, step, &d));
    sca_delay_explain(&delays, step, &d);
    ck_assert_double_eq_tol(d.own, 2, 1e-6);
    ck_assert_uint_eq(d.rank, 1);
    ck_assert_double_eq_tol(d.computed, 0, 1e-6);
    ck_assert_double_eq_tol(d.waited, 2, 1e-6);
    uint32_t at = d.by;
    ck_assert_double_eq_tol(sca_delay_next_wait(&delays, &d, &at), 2, 1e-6);
    ck_assert_uint_eq(at, sca_replay_at(&p.replay, 1, 0));
    ck_assert_double_eq(sca_delay_next_wait(&delays, &d, &at), 0);
    script_end(s, &p);
}
END_TEST

START_TEST(who_did_not_wait_was_not_delayed)
{
    uint32_t loop;
    struct script *s = chain(&loop);
    struct sca_delays delays;
    struct sca_delay d;
    struct played p;
    script_play(s, &p);
    sca_delay_open(&p.space, &p.measure, &p.replay, &delays);
    ck_assert(!sca_delay_find(&delays, sca_replay_at(&p.replay, 0, 0), &d));
    ck_assert(!sca_delay_find(&delays, sca_replay_at(&p.replay, 1, 1), &d));
    script_end(s, &p);
}
END_TEST

SCA_SUITE("delay", a_direct_delay_is_what_the_other_computed_more,
          an_indirect_one_is_what_it_had_waited_for, who_did_not_wait_was_not_delayed)
