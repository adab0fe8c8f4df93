/* The replay and the delay costs on programs whose waits are known by hand. Windows are given as
 * the runtime would record them. */
#include "replay/delay_cost.h"
#include "replay/replay.h"
#include "synthetic_ppg.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

enum { OPS = 4, EVENTS = 64 };

struct script { /* one window on every rank, written call by call */
    struct model *model;
    uint32_t run, nranks;
    struct sca_window windows[8];
    struct sca_event events[8][EVENTS];
    struct sca_op ops[8][EVENTS * OPS];
};

static jmp_buf out_of_memory;

static struct script *begin(uint32_t nranks)
{
    struct script *s = calloc(1, sizeof *s);
    s->model = model_new();
    s->nranks = nranks;
    s->run = model_run(s->model, nranks);
    for (uint32_t r = 0; r < nranks; r++)
        s->windows[r] = (struct sca_window){
            .epochs = 1, .class_total = 1, .events = s->events[r], .ops = s->ops[r]};
    return s;
}

/* Rank r computes for `gap` seconds and calls site. */
static void call(struct script *s, uint32_t r, double gap, uint32_t site)
{
    struct sca_window *w = &s->windows[r];
    ck_assert_uint_lt(w->nevents, EVENTS);
    w->events[w->nevents++] = (struct sca_event){
        .site = site, .first_op = w->nops, .gap_ns = (uint64_t)llround(gap * 1e9)};
}

static void op(struct script *s, uint32_t r, struct sca_op op)
{
    struct sca_window *w = &s->windows[r];
    w->ops[w->nops++] = op;
    w->events[w->nevents - 1].nops++;
}

static void send(struct script *s, uint32_t r, double gap, uint32_t site, int32_t to, uint64_t n)
{
    call(s, r, gap, site);
    op(s, r, (struct sca_op){.kind = SCA_OP_SEND, .peer = to, .number = n});
}

static void receive(struct script *s, uint32_t r, double gap, uint32_t site, int32_t from,
                    uint64_t n)
{
    call(s, r, gap, site);
    op(s, r, (struct sca_op){.kind = SCA_OP_RECV_POST, .peer = from, .number = n});
    op(s, r, (struct sca_op){.kind = SCA_OP_RECV, .peer = from, .number = n});
}

static void collective(struct script *s, uint32_t r, double gap, uint32_t site, uint8_t shape,
                       int32_t root, uint64_t n)
{
    call(s, r, gap, site);
    op(s, r, (struct sca_op){.kind = SCA_OP_COLLECTIVE, .shape = shape, .peer = root, .number = n});
}

struct played {
    struct sca_team team;
    struct sca_room room;
    struct sca_scenes scenes;
    struct sca_replay replay;
    struct sca_measure measure;
    struct sca_costs costs;
};

static void play(struct script *s, struct played *p)
{
    const struct sca_ppg *ppg = model_ppg(s->model);
    struct sca_profile *profile = (struct sca_profile *)ppg->runs[s->run].profile;
    *p = (struct played){.team.size = 1, .room.out_of_memory = &out_of_memory};
    for (uint32_t r = 0; r < s->nranks; r++) {
        profile->ranks[r].nwindows = 1;
        profile->ranks[r].windows = &s->windows[r];
    }
    sca_scenes_build(&p->room, &ppg->runs[s->run], &p->team, &p->scenes);
    ck_assert_uint_eq(p->scenes.count, 1);
    sca_measure_run(&p->room, ppg, s->run, &p->measure);
    sca_replay_open(&p->room, &p->scenes.scenes[0], sca_links_build(&p->room, &p->scenes.scenes[0]),
                    UINT64_MAX, &p->replay);
    sca_replay_run(&p->replay);
    sca_costs_open(&p->room, &p->measure, true, &p->costs);
    sca_costs_find(&p->room, &p->measure, &p->replay, 1, &p->costs);
}

static void end(struct script *s, struct played *p)
{
    sca_scenes_free(&p->scenes);
    sca_room_free(&p->room);
    model_free(s->model);
    free(s);
}

static void assert_near(double a, double b)
{
    ck_assert_msg(fabs(a - b) < 1e-6, "%.9f is not %.9f", a, b);
}

/* When a rank left its manieth call. */
static double left(const struct played *p, uint32_t rank, uint32_t i)
{
    return sca_replay_exit(&p->replay, sca_replay_at(&p->replay, rank, i));
}

static double cost(const struct played *p, uint32_t vertex, uint32_t rank)
{
    return p->costs.of[vertex * p->measure.nranks + rank];
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
            ck_assert_msg(k == (int)kind || w->seconds == 0, "%s", sca_wait_class_name(k));
            sum.count += w->count;
            sum.seconds += w->seconds;
            sum.direct += w->direct;
            sum.indirect += w->indirect;
        }
    assert_near(sum.seconds, p->costs.waits);
    return sum;
}

/* A vertex for work, a vertex and site for a call; work of `vertex` follows site `after`. */
static uint32_t site(struct script *s, const char *name, uint32_t line)
{
    return model_site(s->model, s->run, model_vertex(s->model, 0, SCA_MPI, name, "main", line));
}

static void works(struct script *s, uint32_t rank, uint32_t after, uint32_t before, uint32_t vertex,
                  double seconds)
{
    model_work(s->model, s->run, rank, after, before, 1, vertex, seconds);
}

START_TEST(a_late_sender_is_charged)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t out = site(s, "MPI_Send", 20), in = site(s, "MPI_Recv", 21);
    works(s, 0, out, out, loop, 3);
    works(s, 1, in, in, loop, 1);
    send(s, 0, 3, out, 1, 0);
    receive(s, 1, 1, in, 0, 0);
    play(s, &p);
    assert_near(p.replay.end, 3);
    assert_near(p.replay.waits, 2);
    assert_near(cost(&p, loop, 0), 2);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).direct, 2);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

START_TEST(a_chain_is_charged_to_its_origin)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t slow = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t usual = model_vertex(s->model, 0, SCA_LOOP, "", "main", 14);
    uint32_t in = site(s, "MPI_Recv", 21), out = site(s, "MPI_Send", 20);
    works(s, 0, out, out, slow, 5);
    works(s, 1, out, in, usual, 1);
    works(s, 2, in, in, usual, 1);
    send(s, 0, 5, out, 1, 0);
    receive(s, 1, 1, in, 0, 0);
    send(s, 1, 0, out, 2, 0);
    receive(s, 2, 1, in, 1, 0);
    play(s, &p);
    assert_near(p.replay.waits, 8);
    assert_near(cost(&p, slow, 0), 8);
    assert_near(p.costs.direct_of[slow * 3], 4); /* rank 1 waits for it, rank 2 for rank 1 */
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).direct, 4);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).indirect, 4);
    assert_near(p.costs.unexplained, 0);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

START_TEST(all_wait_for_the_last_at_an_allreduce)
{
    struct script *s = begin(4);
    struct played p;
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t sum = site(s, "MPI_Allreduce", 20);
    for (uint32_t r = 0; r < 4; r++) {
        works(s, r, sum, sum, loop, r == 2 ? 4 : 1);
        collective(s, r, r == 2 ? 4 : 1, sum, SCA_ALL_TO_ALL, -1, 0);
    }
    play(s, &p);
    assert_near(p.replay.waits, 9);
    assert_near(cost(&p, loop, 2), 9);
    assert_near(only(&p, SCA_WAIT_AT_NXN).count, 3);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

START_TEST(rooted_collectives_wait_one_way)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t bcast = site(s, "MPI_Bcast", 20), reduce = site(s, "MPI_Reduce", 21);
    for (uint32_t r = 0; r < 3; r++) {
        collective(s, r, r == 2 ? 2 : 1, bcast, SCA_ONE_TO_ALL, 0, 0);
        collective(s, r, 1, reduce, SCA_ALL_TO_ONE, 0, 1);
    }
    play(s, &p);
    /* The root waits for nobody at the broadcast, and for rank 2 at the reduction. */
    assert_near(p.replay.waits, 1);
    assert_near(left(&p, 0, 1), 3);
    assert_near(p.replay.end, 3);
    assert_near(only(&p, SCA_WAIT_EARLY_REDUCE).count, 1);
    end(s, &p);
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
        struct script *s = begin(3);
        struct played p;
        uint32_t all = site(s, cases[i].name, 20);
        for (uint32_t r = 0; r < 3; r++)
            collective(s, r, r ? 1 : 2, all, cases[i].shape, 0, 0);
        play(s, &p);
        assert_near(only(&p, cases[i].kind).seconds, 2); /* ranks 1 and 2 wait for rank 0 */
        end(s, &p);
    }
}
END_TEST

/* Rank 2 asks for rank 0's message first, though rank 1's has long been there. */
START_TEST(a_receive_in_the_wrong_order_is_told_from_a_late_sender)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t out = site(s, "MPI_Send", 20), in = site(s, "MPI_Recv", 21);
    send(s, 0, 5, out, 2, 0);
    send(s, 1, 1, out, 2, 0);
    receive(s, 2, 2, in, 0, 0);
    receive(s, 2, 0, in, 1, 0);
    play(s, &p);
    assert_near(only(&p, SCA_WAIT_WRONG_ORDER).seconds, 3);
    end(s, &p);
}
END_TEST

static void also_receive(struct script *s, uint32_t r, int32_t from, uint64_t n)
{
    op(s, r, (struct sca_op){.kind = SCA_OP_RECV_POST, .peer = from, .number = n});
    op(s, r, (struct sca_op){.kind = SCA_OP_RECV, .peer = from, .number = n});
}

/* Rank 1 is a round ahead of rank 0: its next message is there, but its last one was taken. */
START_TEST(a_message_of_the_next_round_is_no_wrong_order)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t out = site(s, "MPI_Send", 20), all = site(s, "MPI_Waitall", 21);
    for (uint64_t i = 0; i < 2; i++) {
        send(s, 0, 5, out, 2, i);
        send(s, 1, 1, out, 2, i);
        receive(s, 2, 1, all, 0, i);
        also_receive(s, 2, 1, i);
    }
    play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 8);
    end(s, &p);
}
END_TEST

/* One function exchanges with both neighbours, and is called from two places. */
START_TEST(nor_is_one_of_a_neighbour_that_is_ahead)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t out = site(s, "MPI_Send", 20);
    const uint32_t all[] = {site(s, "MPI_Waitall", 21), site(s, "MPI_Waitall", 22)};
    for (uint64_t i = 0; i < 2; i++) {
        send(s, 0, 5, out, 2, i);
        send(s, 1, 1, out, 2, i);
        receive(s, 2, 1, all[i], 0, i);
        also_receive(s, 2, 1, i);
    }
    play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 8);
    end(s, &p);
}
END_TEST

START_TEST(nor_is_one_that_is_received_further_up_in_the_loop)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t out = site(s, "MPI_Send", 20);
    uint32_t one = site(s, "MPI_Recv", 21), other = site(s, "MPI_Recv", 22);
    for (uint64_t i = 0; i < 2; i++) {
        send(s, 0, 5, out, 2, i);
        send(s, 1, 0.5, out, 2, i);
        receive(s, 2, 1, one, 1, i);
        receive(s, 2, 1, other, 0, i);
    }
    play(s, &p);
    assert_near(only(&p, SCA_WAIT_LATE_SENDER).seconds, 6);
    end(s, &p);
}
END_TEST

static void half(struct script *s, uint32_t r, double gap, uint32_t site, uint8_t kind,
                 uint8_t shape, int32_t root, uint64_t n)
{
    call(s, r, gap, site);
    op(s, r, (struct sca_op){.kind = kind, .shape = shape, .peer = root, .number = n});
}

START_TEST(a_non_blocking_collective_waits_for_the_others_to_begin)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t start = site(s, "MPI_Iallreduce", 20), wait = site(s, "MPI_Wait", 21);
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    for (uint32_t r = 0; r < 2; r++) {
        works(s, r, wait, start, loop, r ? 3 : 1);
        half(s, r, r ? 3 : 1, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ALL, -1, 0);
        half(s, r, 1, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ALL, -1, 0);
    }
    play(s, &p);
    /* Rank 0 waits from 2 to 3, where rank 1 begins; rank 1 itself never waits. */
    assert_near(left(&p, 0, 1), 3);
    assert_near(left(&p, 1, 1), 4);
    assert_near(p.replay.waits, 1);
    ck_assert(sca_replay_is_collective(&p.replay, sca_replay_at(&p.replay, 0, 1)));
    assert_near(only(&p, SCA_WAIT_AT_NXN).direct, 1);
    assert_near(cost(&p, loop, 1), 1);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

/* Who completes it long after the others had begun it does not meet them there: what makes rank 1
 * late is what it does before it waits. */
START_TEST(work_beside_a_non_blocking_collective_is_charged)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t start = site(s, "MPI_Iallreduce", 20), wait = site(s, "MPI_Wait", 21);
    uint32_t before = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t beside = model_vertex(s->model, 0, SCA_LOOP, "", "main", 12);
    for (uint32_t r = 0; r < 2; r++) {
        works(s, r, wait, start, before, 3);
        works(s, r, start, wait, beside, r ? 9 : 3);
        for (uint64_t i = 0; i < 3; i++) {
            half(s, r, 1, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ALL, -1, i);
            half(s, r, r ? 3 : 1, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ALL, -1, i);
        }
    }
    play(s, &p);
    /* Rank 0 waits from 4 to 5, then from 7 to 9. */
    assert_near(p.replay.waits, 3);
    assert_near(cost(&p, beside, 1), 3);
    assert_near(cost(&p, before, 1), 0);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

START_TEST(computation_hides_a_non_blocking_collective)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t start = site(s, "MPI_Ibcast", 20), wait = site(s, "MPI_Wait", 21);
    for (uint32_t r = 0; r < 2; r++) {
        half(s, r, r ? 1 : 3, start, SCA_OP_COLLECTIVE_POST, SCA_ONE_TO_ALL, 0, 0);
        half(s, r, r ? 4 : 0, wait, SCA_OP_COLLECTIVE_DONE, SCA_ONE_TO_ALL, 0, 0);
        half(s, r, 0, start, SCA_OP_COLLECTIVE_POST, SCA_ALL_TO_ONE, 0, 1);
        half(s, r, 0, wait, SCA_OP_COLLECTIVE_DONE, SCA_ALL_TO_ONE, 0, 1);
    }
    play(s, &p);
    /* The broadcast had come before rank 1 asked; at the reduction the root waits for rank 1. */
    assert_near(left(&p, 1, 1), 5);
    assert_near(p.replay.waits, 2);
    assert_near(left(&p, 0, 3), 5);
    end(s, &p);
}
END_TEST

/* The order of the steps is found once, with calls that are forced; times are those of the gaps. */
START_TEST(other_gaps_are_played_in_the_same_order)
{
    struct script *s = begin(3);
    struct played p;
    uint32_t out = site(s, "MPI_Send", 20), in = site(s, "MPI_Recv", 21);
    uint32_t all = site(s, "MPI_Barrier", 22);
    send(s, 0, 5, out, 1, 0);
    receive(s, 1, 1, in, 0, 0);
    receive(s, 0, 0, in, 2, 1); /* ranks 0 and 2 both ask first: one has to go on without */
    send(s, 0, 0, out, 2, 2);
    receive(s, 2, 1, in, 0, 2);
    send(s, 2, 0, out, 0, 1);
    for (uint32_t r = 0; r < 3; r++)
        collective(s, r, 1, all, SCA_ALL_TO_ALL, -1, 0);
    play(s, &p);
    assert_near(p.replay.waits, 4 + 4);
    p.replay.gap[sca_replay_at(&p.replay, 0, 0)] = 0;
    p.replay.gap[sca_replay_at(&p.replay, 2, 2)] = 9;
    sca_replay_run(&p.replay);
    assert_near(left(&p, 0, 1), 1);
    assert_near(left(&p, 1, 1), 10);
    assert_near(p.replay.waits, 9 + 8);
    ck_assert_uint_eq(p.replay.forced, 1);
    end(s, &p);
}
END_TEST

START_TEST(a_late_receiver_holds_up_a_synchronous_send)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t out = site(s, "MPI_Ssend", 20), in = site(s, "MPI_Recv", 21);
    send(s, 0, 1, out, 1, 0);
    op(s, 0, (struct sca_op){.kind = SCA_OP_SEND_DONE, .peer = 1, .number = 0});
    receive(s, 1, 4, in, 0, 0);
    play(s, &p);
    assert_near(p.replay.waits, 3);
    assert_near(left(&p, 0, 0), 4);
    assert_near(only(&p, SCA_WAIT_LATE_RECEIVER).seconds, 3);
    end(s, &p);
}
END_TEST

/* Three stages; the middle one is slow: in a full pipeline all wait for it each time. */
START_TEST(a_pipeline_waits_for_its_slow_stage)
{
    struct script *s = begin(3);
    struct played p;
    enum { ITEMS = 8 };
    uint32_t loop = model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    uint32_t in = site(s, "MPI_Recv", 20), out = site(s, "MPI_Send", 21);
    works(s, 0, out, out, loop, ITEMS);
    works(s, 1, in, out, loop, 3 * ITEMS);
    works(s, 2, in, in, loop, ITEMS);
    for (uint64_t i = 0; i < ITEMS; i++) {
        send(s, 0, 1, out, 1, i);
        receive(s, 1, 0, in, 0, i);
        send(s, 1, 3, out, 2, i);
        receive(s, 2, i ? 1 : 0, in, 1, i);
    }
    play(s, &p);
    assert_near(p.replay.end, 1 + 3 * ITEMS);
    ck_assert(cost(&p, loop, 1) > 0.7 * p.costs.waits);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

START_TEST(a_message_that_never_comes_does_not_hang)
{
    struct script *s = begin(2);
    struct played p;
    uint32_t in = site(s, "MPI_Recv", 20), out = site(s, "MPI_Send", 21);
    receive(s, 0, 1, in, 1, 0);
    send(s, 0, 0, out, 1, 0);
    receive(s, 1, 1, in, 0, 0); /* each receives first: no order fits */
    send(s, 1, 0, out, 0, 0);
    receive(s, 1, 0, in, 0, 7); /* and this one was never sent */
    play(s, &p);
    ck_assert_uint_gt(p.replay.forced, 0);
    assert_balance(&p);
    end(s, &p);
}
END_TEST

SCA_SUITE("replay", a_late_sender_is_charged, a_chain_is_charged_to_its_origin,
          all_wait_for_the_last_at_an_allreduce, rooted_collectives_wait_one_way,
          other_collectives_have_their_own_classes,
          a_receive_in_the_wrong_order_is_told_from_a_late_sender,
          a_message_of_the_next_round_is_no_wrong_order,
          nor_is_one_that_is_received_further_up_in_the_loop,
          nor_is_one_of_a_neighbour_that_is_ahead,
          a_non_blocking_collective_waits_for_the_others_to_begin,
          work_beside_a_non_blocking_collective_is_charged,
          computation_hides_a_non_blocking_collective, a_late_receiver_holds_up_a_synchronous_send,
          other_gaps_are_played_in_the_same_order, a_pipeline_waits_for_its_slow_stage,
          a_message_that_never_comes_does_not_hang)
