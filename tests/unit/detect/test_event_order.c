/* In which order the steps of a trace are entered. */
#include "replay/event_order.h"
#include "replay/links.h"
#include "replay_script.h"
#include "check_main.h"

static struct script *s;
static struct played p;
static uint32_t out, in;

static void begin(uint32_t nranks)
{
    s = script_new(nranks);
    out = script_site(s, "MPI_Send", 20);
    in = script_site(s, "MPI_Recv", 21);
}

static struct sca_order order(uint64_t most_forced)
{
    struct sca_order found;
    script_traces(s, &p);
    struct sca_trace *trace = &p.traces.traces[0];
    sca_event_order_find(&p.space, trace, sca_links_build(&p.space, trace), most_forced, &found);
    return found;
}

static uint32_t number(const struct sca_order *o, uint32_t rank, uint32_t i)
{
    return o->number[p.traces.traces[0].first[rank] + i];
}

/* However late it is by the clock: what a step waits for is entered before the one after it. */
START_TEST(a_step_comes_after_what_the_one_before_waits_for)
{
    begin(3);
    script_receive(s, 0, 0, in, 1, 0);
    script_send(s, 0, 0, out, 1, 0);
    script_receive(s, 1, 0, in, 2, 0);
    script_send(s, 1, 0, out, 0, 0);
    script_send(s, 2, 9, out, 1, 0);
    struct sca_order o = order(UINT64_MAX);
    ck_assert_uint_eq(o.nfirst, 3);
    ck_assert_uint_lt(number(&o, 2, 0), number(&o, 1, 1));
    ck_assert_uint_lt(number(&o, 1, 1), number(&o, 0, 1));
    script_end(s, &p);
}
END_TEST

START_TEST(first_steps_come_first_and_each_has_one_number)
{
    begin(2);
    script_send(s, 0, 1, out, 1, 0);
    script_send(s, 0, 1, out, 1, 1);
    script_receive(s, 1, 1, in, 0, 0);
    script_receive(s, 1, 1, in, 0, 1);
    struct sca_order o = order(0);
    uint32_t nevents = p.traces.traces[0].nevents;
    ck_assert_uint_lt(number(&o, 0, 0), 2);
    ck_assert_uint_lt(number(&o, 1, 0), 2);
    ck_assert_uint_eq(o.forced, 0);
    for (uint32_t place = 0; place < nevents; place++)
        ck_assert_uint_eq(o.place[o.number[place]], place);
    script_end(s, &p);
}
END_TEST

/* Each waits for what the other sends only afterwards. */
static void add_circle(void)
{
    begin(2);
    script_receive(s, 0, 1, in, 1, 0);
    script_send(s, 0, 0, out, 1, 0);
    script_receive(s, 1, 2, in, 0, 0);
    script_send(s, 1, 0, out, 0, 0);
}

START_TEST(a_circle_is_broken_once)
{
    add_circle();
    struct sca_order o = order(UINT64_MAX);
    ck_assert_uint_eq(o.forced, 1);
    ck_assert_uint_lt(number(&o, 0, 1), number(&o, 1, 1)); /* the earlier one leaves */
    script_end(s, &p);
}
END_TEST

/* With more than none the search ends at the first. */
START_TEST(there_is_no_order_with_more_than_may_be_forced)
{
    add_circle();
    ck_assert_uint_gt(order(0).forced, 0);
    script_end(s, &p);
}
END_TEST

SCA_SUITE("event_order", a_step_comes_after_what_the_one_before_waits_for,
          first_steps_come_first_and_each_has_one_number, a_circle_is_broken_once,
          there_is_no_order_with_more_than_may_be_forced)
