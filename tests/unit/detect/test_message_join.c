/* Which send and which receive are one message, and how late it was sent. */
#include "graph/message_join.h"
#include "check_main.h"
#include "sca_error.h"

#include <stdlib.h>

enum { MOST = 8, SEND_SITE = 1, RECV_SITE, OTHER_RECV_SITE, UNPLACED_SITE, SITES };
enum { SEND_AT = 5, RECV_AT = 9, OTHER_RECV_AT = 7 }; /* vertices */
enum { WORLD, SPLIT, TAINTED, COMMS };

static struct sca_comm comms[COMMS] = {{.id = 1}, {.id = 2}, {.id = 0}};
static uint32_t site_vertex[SITES] = {SCA_NONE, SEND_AT, RECV_AT, OTHER_RECV_AT, SCA_NONE};
static struct sca_part_message messages[2][MOST];
static struct sca_rank ranks[2];
static struct sca_joined *joined;
static size_t njoined;

/* Rank 0 sends to rank 1, unless a test says otherwise. */
static void set_up(void)
{
    for (int r = 0; r < 2; r++)
        ranks[r] = (struct sca_rank){.present = true, .clock_known = true, .messages = messages[r]};
    joined = NULL;
}

static void tear_down(void)
{
    free(joined);
}

static struct sca_part_message *add(uint32_t rank, enum sca_direction direction, uint64_t number,
                                    uint64_t enter_ns, uint64_t exit_ns)
{
    struct sca_part_message *m = &messages[rank][ranks[rank].nmessages++];
    *m = (struct sca_part_message){.peer = (int32_t)(1 - rank),
                                   .direction = direction,
                                   .number = number,
                                   .site = direction == SCA_SENT ? SEND_SITE : RECV_SITE,
                                   .bytes = 8,
                                   .enter_ns = enter_ns,
                                   .exit_ns = exit_ns};
    return m;
}

static struct sca_part_message *sent(uint64_t number, uint64_t enter_ns)
{
    return add(0, SCA_SENT, number, enter_ns, enter_ns + 10);
}

static struct sca_part_message *received(uint64_t number, uint64_t enter_ns, uint64_t exit_ns)
{
    return add(1, SCA_RECEIVED, number, enter_ns, exit_ns);
}

static size_t join(uint32_t sender, uint32_t receiver)
{
    struct sca_profile profile = {.nranks = 2, .ranks = ranks, .ncomms = COMMS, .comms = comms};
    struct sca_ppg_run run = {.profile = &profile, .nranks = 2, .site_vertex = site_vertex};
    void *memory = calloc(1, sca_rank_open_size(&profile));
    struct sca_opened *opened = sca_rank_open_init(memory, &profile);
    free(joined);
    ck_assert_int_eq(sca_message_join(&run, opened, sender, receiver, &joined, &njoined), SCA_OK);
    free(memory);
    return njoined;
}

START_TEST(messages_between_the_same_places_are_summed)
{
    sent(0, 3000000);
    sent(1, 9000000)->bytes = 100;
    received(1, 10000000, 10000100)->bytes = 100; /* 1 ms after the send */
    received(0, 1000000, 3500000);                /* 2 ms before it */
    ck_assert_uint_eq(join(0, 1), 1);
    ck_assert_uint_eq(joined->send_vertex, SEND_AT);
    ck_assert_uint_eq(joined->send_rank, 0);
    ck_assert_uint_eq(joined->receive_vertex, RECV_AT);
    ck_assert_uint_eq(joined->receive_rank, 1);
    ck_assert_uint_eq(joined->count, 2);
    ck_assert_uint_eq(joined->bytes, 108);
    ck_assert_double_eq_tol(joined->late, 2e-3 - 1e-3, 1e-12);
}
END_TEST

START_TEST(each_place_has_its_own_in_order)
{
    sent(0, 1000);
    sent(1, 2000);
    received(0, 1000, 2000);
    received(1, 1000, 3000)->site = OTHER_RECV_SITE;
    ck_assert_uint_eq(join(0, 1), 2);
    ck_assert_uint_eq(joined[0].receive_vertex, OTHER_RECV_AT);
    ck_assert_uint_eq(joined[1].receive_vertex, RECV_AT);
    ck_assert_double_eq_tol(joined[0].late, 1e-6, 1e-15);
    ck_assert_double_eq_tol(joined[1].late, 0, 1e-15);
}
END_TEST

/* 1 s on the clock of a rank that began 0.5 s later and runs fast by 1 % is 1.51 s. */
START_TEST(times_are_those_of_the_runs_line)
{
    ranks[1].begin_ns = 500000000;
    ranks[1].drift = 0.01;
    sent(0, 2000000000);
    received(0, 1000000000, 2000000000);
    ck_assert_uint_eq(join(0, 1), 1);
    ck_assert_double_eq_tol(joined->late, 2 - 1.51, 1e-9);
}
END_TEST

/* How many are joined if a receive ends so long before its send begins. */
static size_t join_early(uint64_t ns)
{
    ranks[0].nmessages = ranks[1].nmessages = 0;
    sent(0, 500000000);
    received(0, 1000, 500000000 - ns);
    return join(0, 1);
}

START_TEST(no_message_arrives_before_it_is_sent_but_for_the_clocks)
{
    ck_assert_uint_eq(join_early(20000), 1); /* one clock */
    ck_assert_uint_eq(join_early(20001), 0);
    ranks[1].clock = 1;
    ranks[0].clock_error_ns = 300;
    ranks[1].clock_error_ns = 200;
    ck_assert_uint_eq(join_early(1000500), 1);
    ck_assert_uint_eq(join_early(1000501), 0);
    ranks[0].clock_known = false;
    ck_assert_uint_eq(join_early(100000000), 1);
    ck_assert_uint_eq(join_early(100000001), 0);
}
END_TEST

START_TEST(what_differs_in_channel_number_or_size_is_another_message)
{
    sent(0, 1000)->tag = 1;
    received(0, 1000, 2000)->tag = 2;
    sent(1, 1000)->comm = SPLIT;
    received(1, 1000, 2000);
    sent(2, 1000);
    received(3, 1000, 2000);
    sent(4, 1000)->bytes = 16;
    received(4, 1000, 2000);
    ck_assert_uint_eq(join(0, 1), 0);
    ck_assert_ptr_null(joined);
}
END_TEST

START_TEST(a_number_that_came_twice_is_believed_of_neither)
{
    sent(0, 1000);
    received(0, 1000, 2000);
    received(0, 5000, 6000);
    sent(1, 1000);
    sent(1, 2000);
    received(1, 1000, 3000);
    sent(2, 7000);
    received(2, 7000, 8000);
    ck_assert_uint_eq(join(0, 1), 1);
    ck_assert_uint_eq(joined->count, 1);
    ck_assert_double_eq_tol(joined->late, 0, 1e-15);
}
END_TEST

START_TEST(what_cannot_be_placed_is_left_out)
{
    sent(0, 1000)->comm = TAINTED;
    received(0, 1000, 2000)->comm = TAINTED;
    sent(1, 1000);
    received(1, 1000, 2000)->site = UNPLACED_SITE;
    sent(2, 1000)->peer = -1;
    received(2, 1000, 2000);
    ck_assert_uint_eq(join(0, 1), 0);
}
END_TEST

START_TEST(the_way_back_is_another_way)
{
    add(1, SCA_SENT, 0, 1000, 1010);
    add(0, SCA_RECEIVED, 0, 1000, 2000);
    ck_assert_uint_eq(join(0, 1), 0);
    ck_assert_uint_eq(join(1, 0), 1);
    ck_assert_uint_eq(joined->send_rank, 1);
    ck_assert_uint_eq(joined->receive_rank, 0);
}
END_TEST

START_TEST(one_side_alone_joins_nothing)
{
    ck_assert_uint_eq(join(0, 1), 0);
    sent(0, 1000);
    ck_assert_uint_eq(join(0, 1), 0);
    ck_assert_ptr_null(joined);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("message_join");
    TCase *tcase = tcase_create("message_join");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, messages_between_the_same_places_are_summed);
    tcase_add_test(tcase, each_place_has_its_own_in_order);
    tcase_add_test(tcase, times_are_those_of_the_runs_line);
    tcase_add_test(tcase, no_message_arrives_before_it_is_sent_but_for_the_clocks);
    tcase_add_test(tcase, what_differs_in_channel_number_or_size_is_another_message);
    tcase_add_test(tcase, a_number_that_came_twice_is_believed_of_neither);
    tcase_add_test(tcase, what_cannot_be_placed_is_left_out);
    tcase_add_test(tcase, the_way_back_is_another_way);
    tcase_add_test(tcase, one_side_alone_joins_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
