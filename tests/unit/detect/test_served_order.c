/* A rank that answers the others one by one. */
#include "price/served_order.h"
#include "replay_script.h"
#include "check_main.h"

enum { RANKS = 4, WORKERS = RANKS - 1, ROUNDS = 8, MASTER = 0 };

static struct script *s;
static struct staged st;
static uint32_t ask, answer, meet;

static void begin(void)
{
    s = script_new(RANKS);
    model_vertex(s->model, 0, SCA_LOOP, "", "main", 10);
    ask = script_site(s, "MPI_Send", 20);
    answer = script_site(s, "MPI_Recv", 21);
    meet = script_site(s, "MPI_Barrier", 22);
}

/* The master takes a worker's n-th message and answers; `to` is another one if it does not. */
static void serve(uint32_t worker, uint32_t to, uint64_t n)
{
    script_receive(s, MASTER, 0, answer, (int32_t)worker, n);
    script_send(s, MASTER, 0, ask, (int32_t)to, n);
}

/* Whom it takes as the i-th of a round: in their order, or backwards in every other round. */
static uint32_t fixed(uint32_t round, uint32_t i)
{
    (void)round;
    return 1 + i;
}

static uint32_t changing(uint32_t round, uint32_t i)
{
    return round % 2 ? WORKERS - i : 1 + i;
}

typedef uint32_t order_of(uint32_t round, uint32_t i);

static uint32_t find(order_of *order, bool back, bool shared)
{
    begin();
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t i = 0; i < WORKERS; i++) {
            uint32_t w = order(round, i), to = back ? w : 1 + w % WORKERS;
            script_send(s, w, 1, ask, MASTER, round);
            serve(w, to, round);
        }
    for (uint32_t w = 1; w < RANKS; w++)
        for (uint32_t round = 0; round < ROUNDS; round++)
            script_receive(s, w, 0, answer, MASTER, round);
    for (uint32_t r = 0; r < RANKS; r++)
        script_collective(s, r, 0, meet, SCA_ALL_TO_ALL, -1, 0);
    script_stage(s, &st);
    st.measure.shared = shared;
    uint32_t server = sca_served_order_server(&st.space, &st.stage);
    staged_end(s, &st);
    return server;
}

START_TEST(who_answers_in_an_order_that_changes_is_a_server)
{
    ck_assert_uint_eq(find(changing, true, true), MASTER);
}
END_TEST

START_TEST(an_order_of_the_program_is_none_of_the_cores)
{
    ck_assert_uint_eq(find(fixed, true, true), SCA_NONE);
}
END_TEST

START_TEST(who_answers_somebody_else_is_no_server)
{
    ck_assert_uint_eq(find(changing, false, true), SCA_NONE);
}
END_TEST

START_TEST(with_a_core_for_each_rank_who_is_first_is_first)
{
    ck_assert_uint_eq(find(changing, true, false), SCA_NONE);
}
END_TEST

SCA_SUITE("served_order", who_answers_in_an_order_that_changes_is_a_server,
          an_order_of_the_program_is_none_of_the_cores, who_answers_somebody_else_is_no_server,
          with_a_core_for_each_rank_who_is_first_is_first)
