/* Which step waits for which, by the numbers of their messages. */
#include "replay/message_pairs.h"
#include "replay_script.h"
#include "check_main.h"

static struct script *s;
static struct played p;
static uint32_t out, in;

static void begin(void)
{
    s = script_new(3);
    out = script_site(s, "MPI_Send", 20);
    in = script_site(s, "MPI_Recv", 21);
}

static struct sca_message_pairs pairs(void)
{
    struct sca_message_pairs found;
    script_traces(s, &p);
    sca_message_pairs_find(&p.space, &p.traces.traces[0], &found);
    return found;
}

/* How many pairs of that kind are of the manieth steps of two ranks. */
static uint32_t count(const struct sca_message_pairs *found, uint32_t waiter, uint32_t i,
                      uint32_t on, uint32_t k, uint8_t kind)
{
    const uint32_t *first = p.traces.traces[0].first;
    uint32_t n = 0;
    for (uint32_t j = 0; j < found->count; j++)
        n += found->items[j].waiter == first[waiter] + i && found->items[j].on == first[on] + k &&
             found->items[j].kind == kind;
    return n;
}

START_TEST(numbers_tell_and_not_the_order)
{
    begin();
    script_send(s, 0, 1, out, 1, 5);
    script_send(s, 0, 1, out, 1, 6);
    script_receive(s, 1, 1, in, 0, 6);
    script_receive(s, 1, 1, in, 0, 5);
    struct sca_message_pairs found = pairs();
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(count(&found, 1, 0, 0, 1, SCA_OP_RECV), 1);
    ck_assert_uint_eq(count(&found, 1, 1, 0, 0, SCA_OP_RECV), 1);
    script_end(s, &p);
}
END_TEST

START_TEST(the_same_number_of_another_sender_is_another_message)
{
    begin();
    script_send(s, 0, 1, out, 2, 0);
    script_send(s, 1, 1, out, 2, 0);
    script_receive(s, 2, 1, in, 1, 0);
    struct sca_message_pairs found = pairs();
    ck_assert_uint_eq(found.count, 1);
    ck_assert_uint_eq(count(&found, 2, 0, 1, 0, SCA_OP_RECV), 1);
    script_end(s, &p);
}
END_TEST

START_TEST(tags_and_communicators_are_channels_of_their_own)
{
    begin();
    script_call(s, 0, 1, out);
    script_op(s, 0, (struct sca_op){.kind = SCA_OP_SEND, .peer = 1, .tag = 4});
    script_call(s, 1, 1, in);
    script_op(s, 1, (struct sca_op){.kind = SCA_OP_RECV, .peer = 0, .tag = 5});
    ck_assert_uint_eq(pairs().count, 0);
    script_end(s, &p);
}
END_TEST

START_TEST(a_send_that_blocks_waits_for_the_posting)
{
    begin();
    script_call(s, 0, 1, out);
    script_op(s, 0, (struct sca_op){.kind = SCA_OP_SEND, .peer = 1});
    script_op(s, 0, (struct sca_op){.kind = SCA_OP_SEND_DONE, .peer = 1});
    script_receive(s, 1, 1, in, 0, 0);
    struct sca_message_pairs found = pairs();
    ck_assert_uint_eq(found.count, 2);
    ck_assert_uint_eq(count(&found, 1, 0, 0, 0, SCA_OP_RECV), 1);
    ck_assert_uint_eq(count(&found, 0, 0, 1, 0, SCA_OP_SEND_DONE), 1);
    script_end(s, &p);
}
END_TEST

START_TEST(half_a_message_is_none)
{
    begin();
    script_send(s, 0, 1, out, 1, 0);
    script_receive(s, 2, 1, in, 1, 0);
    ck_assert_uint_eq(pairs().count, 0);
    script_end(s, &p);
}
END_TEST

SCA_SUITE("message_pairs", numbers_tell_and_not_the_order,
          the_same_number_of_another_sender_is_another_message,
          tags_and_communicators_are_channels_of_their_own,
          a_send_that_blocks_waits_for_the_posting, half_a_message_is_none)
