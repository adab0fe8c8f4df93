#include "profile/event_io.h"
#include "sca_error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check_main.h"

enum { SITES = 10, EVENTS = 300, MOST_OPS = 2000 };

static struct sca_event events[EVENTS], back[EVENTS];
static struct sca_op ops[MOST_OPS], ops_back[MOST_OPS];
static struct sca_event_time times[EVENTS], times_back[EVENTS];
static uint32_t last[SITES];
static uint8_t bytes[1 << 16];
static uint32_t nops;

/* Iterations that mostly repeat, with something new now and then. */
static void make_events(void)
{
    nops = 0;
    memset(ops, 0, sizeof ops);
    for (uint32_t e = 0; e < EVENTS; e++) {
        uint32_t site = e % 7, n = site == 3 ? 4 : site % 3;
        events[e] = (struct sca_event){site, nops, n, (uint64_t)rand() % 1000000};
        for (uint32_t i = 0; i < n; i++)
            ops[nops++] = (struct sca_op){.kind = (uint8_t)((site + i) % 5),
                                          .comm = e % 50 == 0,
                                          .peer = e % 31 == 0 ? -1 : (int32_t)i,
                                          .tag = (int32_t)(site * 100 + (e % 41 == 0)),
                                          .number = e / 7 + (e % 29 == 0),
                                          .bytes = 8u << site};
        for (uint32_t i = nops - n; i < nops; i++)
            if (ops[i].kind == SCA_OP_COLLECTIVE)
                ops[i].shape = SCA_PREFIX;
    }
}

static const struct sca_events plain = {events, NULL, ops, EVENTS, 0, 17};
static const struct sca_events plain_back = {back, NULL, ops_back, EVENTS, 0, 17};

static size_t encode_as(const struct sca_events *window)
{
    struct sca_writer w;
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_event_io_encode(&w, window, last, 42);
    ck_assert(!w.failed);
    return w.length;
}

static size_t encode(void)
{
    return encode_as(&plain);
}

START_TEST(events_come_back)
{
    make_events();
    size_t length = encode();
    uint32_t n = 0;
    ck_assert_int_eq(sca_event_io_count(bytes, length, EVENTS, false, last, SITES, &n), SCA_OK);
    ck_assert_uint_eq(n, nops);
    ck_assert_int_eq(sca_event_io_decode(bytes, length, &plain_back, last, SITES), SCA_OK);
    for (uint32_t e = 0; e < EVENTS; e++) {
        ck_assert_uint_eq(back[e].site, events[e].site);
        ck_assert_uint_eq(back[e].nops, events[e].nops);
        ck_assert_uint_eq(back[e].first_op, events[e].first_op);
        double interval = (double)events[e].gap_ns;
        ck_assert(fabs((double)back[e].gap_ns - interval) <= (interval < 1024   ? 0.1
                                                              : interval < 8192 ? 0.05
                                                                                : 0.012) *
                                                                     interval +
                                                                 1);
    }
    for (uint32_t i = 0; i < nops; i++)
        ck_assert(!memcmp(&ops[i], &ops_back[i], sizeof *ops));
}
END_TEST

START_TEST(a_repeated_iteration_costs_its_site_and_interval)
{
    for (uint32_t e = 0; e < EVENTS; e++) {
        events[e] = (struct sca_event){3, e, 1, 1000};
        ops[e] =
            (struct sca_op){.kind = SCA_OP_SEND, .peer = 2, .tag = 5, .number = e, .bytes = 64};
    }
    ck_assert_uint_le(encode(), 3 * EVENTS + 8);
}
END_TEST

START_TEST(times_come_back_exactly)
{
    static const struct sca_events timed = {events, times, ops, EVENTS, 5000, 0};
    static const struct sca_events timed_back = {back, times_back, ops_back, EVENTS, 5000, 0};
    uint64_t now = 4000; /* the first call was entered before the window began */
    make_events();
    for (uint32_t e = 0; e < EVENTS; e++) {
        times[e].enter_ns = now += (uint64_t)rand() % 100000;
        times[e].exit_ns = now += (uint64_t)rand() % 100000;
    }
    size_t length = encode_as(&timed);
    uint32_t n = 0;
    ck_assert_int_eq(sca_event_io_count(bytes, length, EVENTS, true, last, SITES, &n), SCA_OK);
    ck_assert_uint_eq(n, nops);
    ck_assert_int_eq(sca_event_io_decode(bytes, length, &timed_back, last, SITES), SCA_OK);
    ck_assert(!memcmp(times, times_back, sizeof times));
    ck_assert(!memcmp(ops, ops_back, nops * sizeof *ops));
    for (uint32_t e = 0; e < EVENTS; e++)
        ck_assert_uint_eq(back[e].gap_ns, events[e].gap_ns);
    ck_assert_int_eq(sca_event_io_count(bytes, length - 1, EVENTS, true, last, SITES, &n),
                     SCA_EFORMAT);
}
END_TEST

START_TEST(damage_is_an_error)
{
    make_events();
    size_t length = encode();
    uint32_t n;
    for (size_t cut = 0; cut < length; cut++)
        ck_assert_int_eq(sca_event_io_count(bytes, cut, EVENTS, false, last, SITES, &n),
                         SCA_EFORMAT);
    ck_assert_int_eq(sca_event_io_count(bytes, length, EVENTS, false, last, 6, &n), SCA_EFORMAT);
    ck_assert_int_eq(sca_event_io_count(bytes, length, EVENTS + 1, false, last, SITES, &n),
                     SCA_EFORMAT);
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 0x55;
        if (sca_event_io_count(bytes, length, EVENTS, false, last, SITES, &n) == SCA_OK &&
            n <= MOST_OPS)
            ck_assert_int_eq(sca_event_io_decode(bytes, length, &plain_back, last, SITES), SCA_OK);
        bytes[i] ^= 0x55;
    }
}
END_TEST

START_TEST(intervals_are_right_on_average)
{
    static const uint64_t intervals[] = {1, 2, 3, 17, 100, 999, 12345, 87654321, 5000000000000u};
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++) {
        double sum = 0;
        for (int n = 0; n < 20000; n++)
            sum += (double)sca_event_io_interval_value(sca_event_io_interval_code(
                intervals[i], ((uint64_t)rand() << 33) ^ ((uint64_t)rand() << 11)));
        ck_assert_double_eq_tol(sum / 20000 / (double)intervals[i], 1,
                                0.001 + 0.5 / (double)intervals[i]);
    }
    ck_assert_uint_eq(sca_event_io_interval_value(sca_event_io_interval_code(0, 1)), 0);
}
END_TEST

SCA_SUITE("event_io", events_come_back, a_repeated_iteration_costs_its_site_and_interval,
          times_come_back_exactly, damage_is_an_error, intervals_are_right_on_average)
