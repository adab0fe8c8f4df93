/* A walk through a run's totals goes through nested loops as the program did, and one that is
 * shortened goes through fewer rounds of the outermost. */
#include "synthetic_ppg.h"
#include "trace/trace_synthesis.h"
#include "check_main.h"

enum { INNER = 4, MIDDLE = 25 };

static jmp_buf out_of_memory;

struct nest { /* rounds times { MIDDLE times { INNER times inner; middle } outer }, then end */
    struct model *model;
    uint32_t run, inner, middle, outer, end;
};

static uint32_t site(struct nest *n, const char *function, uint32_t line)
{
    return model_site(n->model, n->run, model_vertex(n->model, 0, SCA_MPI, function, "main", line));
}

static void go(struct nest *n, uint32_t from, uint32_t to, uint64_t count)
{
    if (count)
        model_work(n->model, n->run, 0, from, to, count, 0, (double)count * 1e-6);
}

static struct nest nest(uint64_t rounds)
{
    struct nest n = {.model = model_new()};
    n.run = model_run(n.model, 1);
    n.inner = site(&n, "MPI_Send", 10);
    n.middle = site(&n, "MPI_Send", 20);
    n.outer = site(&n, "MPI_Send", 30);
    n.end = site(&n, "MPI_Finalize", 40);
    go(&n, 0, n.inner, 1);
    go(&n, n.inner, n.inner, rounds * MIDDLE * (INNER - 1));
    go(&n, n.inner, n.middle, rounds * MIDDLE);
    go(&n, n.middle, n.inner, rounds * (MIDDLE - 1));
    go(&n, n.middle, n.outer, rounds);
    go(&n, n.outer, n.inner, rounds - 1);
    go(&n, n.outer, n.end, 1);
    return n;
}

/* The call at a place of the program's own order. */
static uint32_t expected(const struct nest *n, uint32_t rounds, uint32_t i)
{
    enum { OF_MIDDLE = INNER + 1, OF_OUTER = MIDDLE * OF_MIDDLE + 1 };
    uint32_t at = i % OF_OUTER;
    if (i == rounds * OF_OUTER)
        return n->end;
    if (at == OF_OUTER - 1)
        return n->outer;
    return at % OF_MIDDLE == INNER ? n->middle : n->inner;
}

/* The walk goes through `walked` of the rounds in their order, and through all of the time. */
static void check_walk(uint64_t rounds, uint32_t walked)
{
    struct nest n = nest(rounds);
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_walk walk;
    struct sca_event_sequence sequence;
    double seconds = 0;
    sca_trace_synthesis_open(&space, model_ppg(n.model)->runs[n.run].profile, &walk);
    ck_assert_double_eq(sca_trace_synthesis_of_rank(&walk, &space, 0, &sequence), 0);
    uint32_t events = walked * (MIDDLE * (INNER + 1) + 1) + 1;
    ck_assert_uint_eq(sequence.nevents, events + 1); /* and the run's end */
    uint32_t same = 0;
    while (same < events && sequence.sites[same + 1] == expected(&n, walked, same))
        same++;
    ck_assert_uint_eq(same, events);
    for (uint32_t i = 0; i < sequence.nevents; i++)
        seconds += sequence.interval[i] * walk.factor;
    double all = (double)(rounds * (MIDDLE * (INNER + 1) + 1) + 1) * 1e-6;
    ck_assert_double_eq_tol(seconds, all, all * 1e-3);
    sca_workspace_free(&space);
    model_free(n.model);
}

START_TEST(nested_loops_come_in_the_order_of_the_program)
{
    check_walk(1, 1);
    check_walk(15, 15);
    check_walk(200, 200);
}
END_TEST

/* 300,000 steps at most: 2,380 rounds. */
START_TEST(long_runs_are_shortened_by_whole_rounds)
{
    check_walk(5000, 2380);
    check_walk(9001, 2380);
}
END_TEST

/* Sites of a set-up with a loop of three rounds, then the main loop. What goes on from the loops is
 * known by its number only, in either order. */
static void three_rounds_then(struct nest *n, const uint32_t s[5], uint64_t rounds)
{
    const uint32_t finalize = n->end;
    go(n, 0, s[0], 1);
    go(n, s[0], s[1], 3);
    go(n, s[1], s[0], 2);
    go(n, s[1], s[2], 1);
    go(n, s[2], s[3], rounds);
    go(n, s[3], s[4], rounds);
    go(n, s[4], s[2], rounds - 1);
    go(n, s[4], finalize, 1);
}

static void check_all_is_reached(bool backwards)
{
    struct nest n = {.model = model_new()};
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_walk walk;
    struct sca_event_sequence sequence;
    uint32_t s[5], rounds = 250000;
    double seconds = 0;
    n.run = model_run(n.model, 1);
    for (unsigned i = 0; i < 5; i++)
        s[backwards ? 4 - i : i] = site(&n, "MPI_Send", 10 + i);
    n.end = site(&n, "MPI_Finalize", 40);
    three_rounds_then(&n, s, rounds);
    sca_trace_synthesis_open(&space, model_ppg(n.model)->runs[n.run].profile, &walk);
    ck_assert_double_gt(walk.factor, 2);
    ck_assert_double_eq(sca_trace_synthesis_of_rank(&walk, &space, 0, &sequence), 0);
    for (uint32_t i = 0; i < sequence.nevents; i++)
        seconds += sequence.interval[i] * walk.factor;
    ck_assert_double_eq_tol(seconds, (3.0 * rounds + 7) * 1e-6, 1e-9);
    ck_assert_uint_gt(sequence.nevents, 3 * rounds / walk.factor);
    ck_assert_uint_eq(sequence.sites[sequence.nevents - 1], n.end);
    sca_workspace_free(&space);
    model_free(n.model);
}

/* Halved, a loop of three rounds is one of one round. The way out of it must be gone all the same,
 * and last. */
START_TEST(a_short_loop_does_not_end_the_walk)
{
    check_all_is_reached(false);
    check_all_is_reached(true);
}
END_TEST

/* Counts of a run that was not recorded to its end need not fit: of what can be walked all is. */
START_TEST(counts_that_do_not_fit_lose_no_more_than_that)
{
    struct nest n = nest(9001);
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_walk walk;
    struct sca_event_sequence sequence;
    uint32_t stray = site(&n, "MPI_Recv", 50), lost = site(&n, "MPI_Recv", 60);
    go(&n, n.middle, stray, 7);  /* from where nothing leads on */
    go(&n, stray, n.outer, 2);   /* but now and then */
    go(&n, lost, lost, 1000000); /* where nothing leads to */
    sca_trace_synthesis_open(&space, model_ppg(n.model)->runs[n.run].profile, &walk);
    ck_assert_double_eq_tol(sca_trace_synthesis_of_rank(&walk, &space, 0, &sequence), 1, 1e-3);
    ck_assert_uint_gt(sequence.nevents, 9000 * (MIDDLE * (INNER + 1) + 1) / walk.factor);
    sca_workspace_free(&space);
    model_free(n.model);
}
END_TEST

static uint32_t count_ops(const struct sca_event_sequence *sequence, enum sca_op_kind kind,
                          uint32_t peer)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < sequence->nops; i++)
        n += sequence->ops[i].kind == kind && sequence->ops[i].peer == (int32_t)peer;
    return n;
}

/* Rank 0 sends to each other rank once in three rounds, which receive that in one call; then all of
 * them go round, with a message from rank 0 to each in every third round. */
static void add_messages(struct nest *n, const uint32_t s[5], uint32_t rounds, uint32_t nranks)
{
    for (uint32_t r = 1; r < nranks; r++) {
        model_sent(n->model, n->run, 0, s[1], (int32_t)r, 1);
        model_sent(n->model, n->run, 0, s[3], (int32_t)r, rounds / 3);
        model_received(n->model, n->run, r, s[1], 0, 1);
        model_received(n->model, n->run, r, s[3], 0, rounds / 3);
        model_work(n->model, n->run, r, 0, s[1], 1, 0, 1e-6);
        model_work(n->model, n->run, r, s[1], s[3], 1, 0, 1e-6);
        model_work(n->model, n->run, r, s[3], s[3], rounds - 1, 0, rounds * 1e-6);
        model_work(n->model, n->run, r, s[3], n->end, 1, 0, 1e-6);
    }
}

/* However walks are shortened: as many messages are sent as are received. */
START_TEST(messages_stay_pairs)
{
    enum { ALL = 4 };
    struct nest n = {.model = model_new()};
    struct sca_workspace space = {.out_of_memory = &out_of_memory};
    struct sca_walk walk;
    struct sca_event_sequence sender, receiver;
    uint32_t s[5], rounds = 240000;
    n.run = model_run(n.model, ALL);
    for (unsigned i = 0; i < 5; i++)
        s[i] = site(&n, "MPI_Send", 10 + i);
    n.end = site(&n, "MPI_Finalize", 40);
    three_rounds_then(&n, s, rounds);
    add_messages(&n, s, rounds, ALL);
    sca_trace_synthesis_open(&space, model_ppg(n.model)->runs[n.run].profile, &walk);
    ck_assert_double_gt(walk.factor, 4);
    sca_trace_synthesis_of_rank(&walk, &space, 0, &sender);
    for (uint32_t r = 1; r < ALL; r++) {
        sca_trace_synthesis_of_rank(&walk, &space, r, &receiver);
        uint32_t sent = count_ops(&sender, SCA_OP_SEND, r);
        ck_assert_uint_eq(sent, count_ops(&receiver, SCA_OP_RECV, 0));
        ck_assert_uint_gt(sent, rounds / 3 / walk.factor);
    }
    sca_workspace_free(&space);
    model_free(n.model);
}
END_TEST

SCA_SUITE("walk", nested_loops_come_in_the_order_of_the_program,
          long_runs_are_shortened_by_whole_rounds, a_short_loop_does_not_end_the_walk,
          counts_that_do_not_fit_lose_no_more_than_that, messages_stay_pairs)
