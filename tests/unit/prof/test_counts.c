/* Where events are put that were counted between two readings: certain ones at once, the others by
 * rates, worked out by hand. */
#include "arena/arena.h"
#include "sampling/counts.h"
#include "sampling/sample_next.h"
#include "check_main.h"

enum { BUSY = 10, IDLE = 11, OTHER = 12, PERIOD_NS = 1000 };

static struct sca_part_sample *samples(void)
{
    return sca_arena_table(SCA_T_SAMPLES);
}

/* Each place lies behind a call of its own, and before that one. */
static uint32_t record_before(uint32_t node, uint32_t next, uint32_t thread, uint64_t periods)
{
    const uint32_t key[SCA_SAMPLE_KEY] = {node, node, sca_sample_next_of(false, thread), next};
    uint32_t i = sca_arena_find(SCA_T_SAMPLES, key, SCA_SAMPLE_KEY);
    ck_assert_uint_ne(i, SCA_NONE);
    samples()[i].count += periods;
    return i;
}

static uint32_t record(uint32_t node, uint32_t thread, uint64_t periods)
{
    return record_before(node, 0, thread, periods);
}

static uint64_t events(uint32_t record)
{
    return samples()[record].metric[0];
}

static void take(uint32_t record, uint64_t counted, uint64_t cpu_ns)
{
    const uint64_t counters[SCA_MAX_METRICS] = {counted};
    sca_counts_take(record, counters, cpu_ns);
}

static void rest(uint64_t counted, uint64_t cpu_ns)
{
    const uint64_t counters[SCA_MAX_METRICS] = {counted};
    sca_counts_rest(counters, cpu_ns);
}

static void begin(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_counts_restart();
}

/* From a sample in the one place on: 10 events a ns until the interval is over. Then the other's
 * sample brings what lay between, of 500 ns, and nothing comes after it. */
static void count_in_both(uint32_t busy, uint32_t idle)
{
    take(busy, 0, 0);
    rest(1000, 100);
    take(idle, 5000, 600);
    rest(5000, 700);
}

/* 10 events a ns in the one place, none in the other, whose sample brought what lay between. */
START_TEST(what_may_be_of_anywhere_goes_by_rates)
{
    begin();
    uint32_t busy = record(BUSY, 0, 10), idle = record(IDLE, 0, 10);
    count_in_both(busy, idle);
    ck_assert_uint_eq(events(idle), 4000); /* for the time being */
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(busy), 5000);
    ck_assert_uint_eq(events(idle), 0);
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(busy), 5000);
}
END_TEST

/* 2 events a ns and 1, twice as much time there as here. */
START_TEST(shares_are_rates_times_time_and_sums_stay)
{
    begin();
    uint32_t busy = record(BUSY, 0, 20), idle = record(IDLE, 0, 10);
    take(busy, 0, 1000);
    rest(200, 1100);
    take(idle, 300, 2000);
    rest(400, 2100);
    take(busy, 8999, 90000);
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(busy) + events(idle), 8999);
    double unsure = 8999 - 300, of_busy = 200 * 199., of_idle = 100 * 99.;
    ck_assert_double_eq_tol((double)events(busy), 200 + unsure * of_busy / (of_busy + of_idle), 1);
}
END_TEST

/* Samples say that both places take as long, intervals that the idle one's takes nine times less.
 */
START_TEST(exact_times_count_where_there_are_any)
{
    begin();
    const uint32_t long_key[2] = {BUSY, 7}, short_key[2] = {IDLE, 7};
    uint32_t busy = record_before(BUSY, 7, 0, 5), idle = record_before(IDLE, 7, 0, 5);
    struct sca_part_interval *intervals = sca_arena_table(SCA_T_INTERVALS);
    intervals[sca_arena_find(SCA_T_INTERVALS, long_key, 2)].cpu_ns = 9100;
    intervals[sca_arena_find(SCA_T_INTERVALS, short_key, 2)].cpu_ns = 1100;
    take(busy, 0, 0);
    rest(100, 100);
    take(idle, 5000, 600);
    rest(5100, 700);
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(busy) + events(idle), 5100);
    ck_assert_double_eq_tol((double)events(busy), 100 + 4900 * 0.9, 1);
}
END_TEST

/* From sample to sample within one interval it is certain where events were, to the later one. */
START_TEST(between_samples_of_one_interval_nothing_is_unsure)
{
    begin();
    uint32_t busy = record(BUSY, 0, 10), idle = record(IDLE, 0, 10);
    take(busy, 0, 0);
    take(idle, 70, 100);
    take(busy, 100, 200);
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(idle), 70);
    ck_assert_uint_eq(events(busy), 30);
}
END_TEST

/* Samples that are booked anew take their events, certain and not, along. */
START_TEST(what_is_moved_is_shared_out_there)
{
    begin();
    uint32_t busy = record(BUSY, 0, 10), idle = record(IDLE, 0, 10), other = record(OTHER, 0, 0);
    struct sca_part_sample *all = samples();
    count_in_both(busy, idle);
    sca_counts_move(busy, other, 1);
    all[other].count = all[busy].count;
    all[other].metric[0] = all[busy].metric[0];
    all[busy].count = all[busy].metric[0] = 0;
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(other), 5000);
    ck_assert_uint_eq(events(busy) + events(idle), 0);
}
END_TEST

/* Each has its own counters: what one thread counted is no other's. */
START_TEST(threads_share_out_their_own)
{
    begin();
    uint32_t first = record(BUSY, 0, 10), second = record(IDLE, 1, 10);
    take(first, 0, 0);
    rest(1000, 100);
    sca_counts_restart();
    take(second, 300, 100);
    sca_counts_share_out(PERIOD_NS);
    ck_assert_uint_eq(events(first), 1000);
    ck_assert_uint_eq(events(second), 300);
}
END_TEST

/* What is left when the last sample has been taken, and estimates that went back. */
START_TEST(nothing_is_lost_or_counted_backwards)
{
    begin();
    uint32_t busy = record(BUSY, 0, 10);
    const uint64_t left[SCA_MAX_METRICS] = {900};
    take(busy, 500, 100);
    take(busy, 400, 200);
    ck_assert_uint_eq(events(busy), 500);
    sca_counts_end(left);
    ck_assert_uint_eq(events(busy), 900);
}
END_TEST

SCA_SUITE("counts", what_may_be_of_anywhere_goes_by_rates,
          shares_are_rates_times_time_and_sums_stay, exact_times_count_where_there_are_any,
          between_samples_of_one_interval_nothing_is_unsure, what_is_moved_is_shared_out_there,
          threads_share_out_their_own, nothing_is_lost_or_counted_backwards)
