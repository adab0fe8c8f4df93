/* The replay and the delay costs on programs whose waits are known by hand. Windows are given as
 * the runtime would record them. */
#include "replay_script.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

static void assert_near(double a, double b)
{
    ck_assert_msg(fabs(a - b) < 1e-6, "%.9f is not %.9f", a, b);
}

static void assert_balance(const struct played *p)
{
    double sum = p->costs.unexplained;
    for (uint32_t i = 0; i < p->measure.ppg->nvertices * p->measure.nranks; i++)
        sum += p->costs.of[i];
    assert_near(sum, p->costs.waits);
    assert_near(p->replay.waits, p->costs.waits);
}

/* All waits of a class, and that there are no others. */
static struct sca_site_wait only(const struct played *p, enum sca_wait_class kind)
{
    struct sca_site_wait sum = {0};
    for (uint32_t v = 0; v < p->measure.ppg->nvertices; v++)
        for (int k = 0; k < SCA_WAIT_CLASSES; k++) {
            const struct sca_site_wait *w = &p->costs.sites[v * SCA_WAIT_CLASSES + k];
            ck_assert_msg(k == (int)kind || w->seconds == 0, "%s", sca_wait_state_class_name(k));
            sum.count += w->count;
            sum.seconds += w->seconds;
            sum.direct += w->direct;
            sum.indirect += w->indirect;
        }
    assert_near(sum.seconds, p->costs.waits);
    return sum;
}

START_TEST(a_late_sender_is_charged)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
    script_work(s, 0, out, out, loop, 3);
    script_work(s, 1, in, in, loop, 1);
    script_send(s, 0, 3, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_play(s, &p);
    assert_near(p.replay.end, 3);
    assert_near(p.replay.waits, 2);
    assert_near(played_cost(&p, loop, 0), 2);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).direct, 2);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

START_TEST(a_chain_is_charged_to_its_origin)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t slow = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t usual = model_vertex(s->model, 0, SCA_LOOP, "", "main", 14);
    uint32_t in = script_site(s, "MPI_Recv", 21), out = script_site(s, "MPI_Send", 20);
    script_work(s, 0, out, out, slow, 5);
    script_work(s, 1, out, in, usual, 1);
    script_work(s, 2, in, in, usual, 1);
    script_send(s, 0, 5, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_send(s, 1, 0, out, 2, 0);
    script_receive(s, 2, 1, in, 1, 0);
    script_play(s, &p);
    assert_near(p.replay.waits, 8);
    assert_near(played_cost(&p, slow, 0), 8);
    assert_near(p.costs.direct_of[slow * 3], 4); /* rank 1 waits for it, rank 2 for rank 1 */
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).direct, 4);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).indirect, 4);
    assert_near(p.costs.unexplained, 0);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

START_TEST(all_wait_for_the_last_at_an_allreduce)
{
    struct script *s = script_new(4);
    struct played p;
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t sum = script_site(s, "MPI_Allreduce", 20);
    for (uint32_t r = 0; r < 4; r++) {
        script_work(s, r, sum, sum, loop, r == 2 ? 4 : 1);
        script_collective(s, r, r == 2 ? 4 : 1, sum, SCA_ALL_TO_ALL, -1, 0);
    }
    script_play(s, &p);
    assert_near(p.replay.waits, 9);
    assert_near(played_cost(&p, loop, 2), 9);
    assert_near(only(&p, SCA_WAIT_AT_NXN).count, 3);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

START_TEST(rooted_collectives_wait_one_bounds)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t bcast = script_site(s, "MPI_Bcast", 20), reduce = script_site(s, "MPI_Reduce", 21);
    for (uint32_t r = 0; r < 3; r++) {
        script_collective(s, r, r == 2 ? 2 : 1, bcast, SCA_ONE_TO_ALL, 0, 0);
        script_collective(s, r, 1, reduce, SCA_ALL_TO_ONE, 0, 1);
    }
    script_play(s, &p);
    /* The root waits for nobody at the broadcast, and for rank 2 at the reduction. */
    assert_near(p.replay.waits, 1);
    assert_near(played_left(&p, 0, 1), 3);
    assert_near(p.replay.end, 3);
    assert_near(only(&p, SCA_WAIT_EARLY_REDUCE).count, 1);
    script_end(s, &p);
}
END_TEST

START_TEST(other_collectives_have_their_own_classes)
{
    static const struct {
        const char *name;
        uint8_t shape;
        enum sca_wait_class kind;
    } cases[] = {{"MPI_Bcast", SCA_ONE_TO_ALL, SCA_WAIT_LATE_BROADCAST},
                 {"MPI_Barrier", SCA_ALL_TO_ALL, SCA_WAIT_AT_BARRIER},
                 {"MPI_Scan", SCA_PREFIX, SCA_WAIT_AT_SCAN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script *s = script_new(3);
        struct played p;
        uint32_t all = script_site(s, cases[i].name, 20);
        for (uint32_t r = 0; r < 3; r++)
            script_collective(s, r, r ? 1 : 2, all, cases[i].shape, 0, 0);
        script_play(s, &p);
        assert_near(only(&p, cases[i].kind).seconds, 2); /* ranks 1 and 2 wait for rank 0 */
        script_end(s, &p);
    }
}
END_TEST

/* Rank 2 asks for rank 0's message first, though rank 1's has long been there. */
START_TEST(a_receive_in_the_wrong_order_is_told_from_a_late_sender)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
    script_send(s, 0, 5, out, 2, 0);
    script_send(s, 1, 1, out, 2, 0);
    script_receive(s, 2, 2, in, 0, 0);
    script_receive(s, 2, 0, in, 1, 0);
    script_play(s, &p);
    assert_near(only(&p, SCA_WAIT_WRONG_ORDER).seconds, 3);
    script_end(s, &p);
}
END_TEST

static void also_receive(struct script *s, uint32_t r, int32_t from, uint64_t n)
{
    script_op(s, r, (struct sca_op){.kind = SCA_OP_RECV_POST, .peer = from, .number = n});
    script_op(s, r, (struct sca_op){.kind = SCA_OP_RECV, .peer = from, .number = n});
}

/* Rank 1 is a round ahead of rank 0: its next message is there, but its last one was taken. */
START_TEST(a_message_of_the_next_round_is_no_wrong_order)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t out = script_site(s, "MPI_Send", 20), all = script_site(s, "MPI_Waitall", 21);
    for (uint64_t i = 0; i < 2; i++) {
        script_send(s, 0, 5, out, 2, i);
        script_send(s, 1, 1, out, 2, i);
        script_receive(s, 2, 1, all, 0, i);
        also_receive(s, 2, 1, i);
    }
    script_play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 8);
    script_end(s, &p);
}
END_TEST

/* One function exchanges with both neighbours, and is called from two places. */
START_TEST(nor_is_one_of_a_neighbour_that_is_ahead)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t out = script_site(s, "MPI_Send", 20);
    const uint32_t all[] = {script_site(s, "MPI_Waitall", 21), script_site(s, "MPI_Waitall", 22)};
    for (uint64_t i = 0; i < 2; i++) {
        script_send(s, 0, 5, out, 2, i);
        script_send(s, 1, 1, out, 2, i);
        script_receive(s, 2, 1, all[i], 0, i);
        also_receive(s, 2, 1, i);
    }
    script_play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 8);
    script_end(s, &p);
}
END_TEST

START_TEST(nor_is_one_that_is_received_further_up_in_the_loop)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t out = script_site(s, "MPI_Send", 20);
    uint32_t one = script_site(s, "MPI_Recv", 21), other = script_site(s, "MPI_Recv", 22);
    for (uint64_t i = 0; i < 2; i++) {
        script_send(s, 0, 5, out, 2, i);
        script_send(s, 1, 0.5, out, 2, i);
        script_receive(s, 2, 1, one, 1, i);
        script_receive(s, 2, 1, other, 0, i);
    }
    script_play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 6);
    script_end(s, &p);
}
END_TEST

static void half(struct script *s, uint32_t r, double interval, uint32_t site, uint8_t kind,
                 uint8_t shape, int32_t root, uint64_t n)
{
    script_call(s, r, interval, site);
    script_op(s, r, (struct sca_op){.kind = kind, .shape = shape, .peer = root, .number = n});
}

START_TEST(a_non_blocking_collective_waits_for_the_others_to_begin)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t start = script_site(s, "MPI_Iallreduce", 20), wait = script_site(s, "MPI_Wait", 21);
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    for (uint32_t r = 0; r < 2; r++) {
        script_work(s, r, wait, start, loop, r ? 3 : 1);
        half(s, r, r ? 3 : 1, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ALL, -1, 0);
        half(s, r, 1, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ALL, -1, 0);
    }
    script_play(s, &p);
    /* Rank 0 waits from 2 to 3, where rank 1 begins; rank 1 itself never waits. */
    assert_near(played_left(&p, 0, 1), 3);
    assert_near(played_left(&p, 1, 1), 4);
    assert_near(p.replay.waits, 1);
    ck_assert(sca_replay_is_collective(&p.replay, sca_replay_at(&p.replay, 0, 1)));
    assert_near(only(&p, SCA_WAIT_AT_NXN).direct, 1);
    assert_near(played_cost(&p, loop, 1), 1);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

/* Who completes it long after the others had begun it does not meet them there: what makes rank 1
 * late is what it does before it waits. */
START_TEST(work_beside_a_non_blocking_collective_is_charged)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t start = script_site(s, "MPI_Iallreduce", 20), wait = script_site(s, "MPI_Wait", 21);
    uint32_t before = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t beside = model_vertex(s->model, 0, SCA_LOOP, "", "main", 12);
    for (uint32_t r = 0; r < 2; r++) {
        script_work(s, r, wait, start, before, 3);
        script_work(s, r, start, wait, beside, r ? 9 : 3);
        for (uint64_t i = 0; i < 3; i++) {
            half(s, r, 1, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ALL, -1, i);
            half(s, r, r ? 3 : 1, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ALL, -1, i);
        }
    }
    script_play(s, &p);
    /* Rank 0 waits from 4 to 5, then from 7 to 9. */
    assert_near(p.replay.waits, 3);
    assert_near(played_cost(&p, beside, 1), 3);
    assert_near(played_cost(&p, before, 1), 0);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

START_TEST(computation_hides_a_non_blocking_collective)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t start = script_site(s, "MPI_Ibcast", 20), wait = script_site(s, "MPI_Wait", 21);
    for (uint32_t r = 0; r < 2; r++) {
        half(s, r, r ? 1 : 3, start, SCA_OP_COLLECTIVE_POST, SCA_ONE_TO_ALL, 0, 0);
        half(s, r, r ? 4 : 0, wait, SCA_OP_COLLECTIVE_DONE, SCA_ONE_TO_ALL, 0, 0);
        half(s, r, 0, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ONE, 0, 1);
        half(s, r, 0, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ONE, 0, 1);
    }
    script_play(s, &p);
    /* The broadcast had come before rank 1 asked; at the reduction the root waits for rank 1. */
    assert_near(played_left(&p, 1, 1), 5);
    assert_near(p.replay.waits, 2);
    assert_near(played_left(&p, 0, 3), 5);
    script_end(s, &p);
}
END_TEST

/* The order of the steps is found once, with calls that are forced; times are those of the
 * intervals. */
START_TEST(other_intervals_are_played_in_the_same_order)
{
    struct script *s = script_new(3);
    struct played p;
    uint32_t out = script_site(s, "MPI_Send", 20), in = script_site(s, "MPI_Recv", 21);
    uint32_t all = script_site(s, "MPI_Barrier", 22);
    script_send(s, 0, 5, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0);
    script_receive(s, 0, 0, in, 2, 1); /* ranks 0 and 2 both ask first: one has to go on without */
    script_send(s, 0, 0, out, 2, 2);
    script_receive(s, 2, 1, in, 0, 2);
    script_send(s, 2, 0, out, 0, 1);
    for (uint32_t r = 0; r < 3; r++)
        script_collective(s, r, 1, all, SCA_ALL_TO_ALL, -1, 0);
    script_play(s, &p);
    assert_near(p.replay.waits, 4 + 4);
    p.replay.interval[sca_replay_at(&p.replay, 0, 0)] = 0;
    p.replay.interval[sca_replay_at(&p.replay, 2, 2)] = 9;
    sca_replay_run(&p.replay);
    assert_near(played_left(&p, 0, 1), 1);
    assert_near(played_left(&p, 1, 1), 10);
    assert_near(p.replay.waits, 9 + 8);
    ck_assert_uint_eq(p.replay.forced, 1);
    script_end(s, &p);
}
END_TEST

START_TEST(a_late_receiver_holds_up_a_synchronous_send)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t out = script_site(s, "MPI_Ssend", 20), in = script_site(s, "MPI_Recv", 21);
    script_send(s, 0, 1, out, 1, 0);
    script_op(s, 0, (struct sca_op){.kind = SCA_OP_SEND_DONE, .peer = 1, .number = 0});
    script_receive(s, 1, 4, in, 0, 0);
    script_play(s, &p);
    assert_near(p.replay.waits, 3);
    assert_near(played_left(&p, 0, 0), 4);
    assert_near(only(&p, SCA_WAIT_LATE_RECEIVER).seconds, 3);
    script_end(s, &p);
}
END_TEST

/* Three stages; the middle one is slow: in a full pipeline all wait for it each time. */
START_TEST(a_pipeline_waits_for_its_slow_stage)
{
    struct script *s = script_new(3);
    struct played p;
    enum { ITEMS = 8 };
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t in = script_site(s, "MPI_Recv", 20), out = script_site(s, "MPI_Send", 21);
    script_work(s, 0, out, out, loop, ITEMS);
    script_work(s, 1, in, out, loop, 3 * ITEMS);
    script_work(s, 2, in, in, loop, ITEMS);
    for (uint64_t i = 0; i < ITEMS; i++) {
        script_send(s, 0, 1, out, 1, i);
        script_receive(s, 1, 0, in, 0, i);
        script_send(s, 1, 3, out, 2, i);
        script_receive(s, 2, i ? 1 : 0, in, 1, i);
    }
    script_play(s, &p);
    assert_near(p.replay.end, 1 + 3 * ITEMS);
    ck_assert(played_cost(&p, loop, 1) > 0.7 * p.costs.waits);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

START_TEST(a_message_that_never_comes_does_not_hang)
{
    struct script *s = script_new(2);
    struct played p;
    uint32_t in = script_site(s, "MPI_Recv", 20), out = script_site(s, "MPI_Send", 21);
    script_receive(s, 0, 1, in, 1, 0);
    script_send(s, 0, 0, out, 1, 0);
    script_receive(s, 1, 1, in, 0, 0); /* each receives first: no order fits */
    script_send(s, 1, 0, out, 0, 0);
    script_receive(s, 1, 0, in, 0, 7); /* and this one was never sent */
    script_play(s, &p);
    ck_assert_uint_gt(p.replay.forced, 0);
    assert_balance(&p);
    script_end(s, &p);
}
END_TEST

SCA_SUITE("replay", a_late_sender_is_charged, a_chain_is_charged_to_its_origin,
          all_wait_for_the_last_at_an_allreduce, rooted_collectives_wait_one_bounds,
          other_collectives_have_their_own_classes,
          a_receive_in_the_wrong_order_is_told_from_a_late_sender,
          a_message_of_the_next_round_is_no_wrong_order,
          nor_is_one_that_is_received_further_up_in_the_loop,
          nor_is_one_of_a_neighbour_that_is_ahead,
          a_non_blocking_collective_waits_for_the_others_to_begin,
          work_beside_a_non_blocking_collective_is_charged,
          computation_hides_a_non_blocking_collective, a_late_receiver_holds_up_a_synchronous_send,
          other_intervals_are_played_in_the_same_order, a_pipeline_waits_for_its_slow_stage,
          a_message_that_never_comes_does_not_hang)
