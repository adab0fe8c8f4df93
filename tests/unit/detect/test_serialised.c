/* A lock serialises: a region, or an interval, takes no less than all threads had the lock in it.
 */
#include "load/serialised.h"
#include "synthetic.h"
#include "check_main.h"

#include <stdlib.h>

enum { MS = 1000000, PERIOD = MS, INTERVAL = 1000 * MS, REGION = 200 * MS, THREADS = 2 };

static struct sca_profile *profile;
static struct sca_opened *opened;
static void *memory;

struct held {
    uint64_t periods;  /* in which threads had the lock */
    bool in_region;    /* the recording says in which region */
    uint64_t computed; /* periods of all threads */
};

static void add_lock(struct synth *s, uint32_t region, uint32_t sum, const struct held *held)
{
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t lock = synth_node(s, 0, exe, 0x1150, SCA_NODE_RETURN);
    synth_site(s, lock, "OpenMP critical");
    struct sca_part_sample record = {
        .node = lock, .in_mpi = SCA_SAMPLE_HELD, .thread = 1, .next = sum, .count = held->periods};
    synth_record(s, 0, &record);
    record.node = region;
    record.in_mpi = SCA_SAMPLE_REGION_HELD;
    if (held->in_region)
        synth_record(s, 0, &record);
}

/* A rank computes 1 s, 0.2 s of it in a region of two threads. */
static void begin(const struct held *held)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff");
    uint32_t region = synth_node(s, 0, exe, 0x1130, SCA_NODE_RETURN);
    synth_site(s, region, "OpenMP region");
    uint32_t sum = synth_site(s, synth_node(s, 0, exe, 0x1140, SCA_NODE_RETURN), "MPI_Allreduce");
    synth_interval(s, 0, 0, sum, 1, INTERVAL);
    const struct sca_part_sample took = {.node = region,
                                         .in_mpi = SCA_SAMPLE_REGION,
                                         .thread = THREADS,
                                         .next = sum,
                                         .count = 1,
                                         .length_ns = REGION};
    synth_record(s, 0, &took);
    add_lock(s, region, sum, held);
    synth_sample_to(s, 0, region, 0, sum, held->computed, 0);
    profile = synth_profile(s);
    profile->ranks[0].sample_period_ns = PERIOD;
    synth_free(s);
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_serialised_add(profile, opened), 0);
}

static void end(void)
{
    sca_profile_free(profile);
    free(memory);
}

static uint64_t interval_ns(const struct held *held)
{
    begin(held);
    uint64_t ns = sca_rank_open(opened, 0, SCA_OPEN_ALL)->intervals[0].cpu_ns;
    end();
    return ns;
}

/* What the lock's records of that kind say that it took longer. */
static uint64_t missing_ns(const struct held *held, enum sca_part_sample_kind kind)
{
    begin(held);
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    uint64_t ns = 0;
    for (uint32_t i = 0; i < rank->nsamples; i++)
        ns += rank->sample[i].in_mpi == kind ? rank->sample[i].length_ns : 0;
    end();
    return ns;
}

/* Both threads had it for 0.4 s in all, much less than the interval takes, but twice the region. */
START_TEST(a_region_takes_as_long_as_its_lock_is_held)
{
    const struct held all_of_it = {400, true, 1200};
    ck_assert_uint_eq(interval_ns(&all_of_it), INTERVAL + 200 * MS);
    ck_assert_uint_eq(missing_ns(&all_of_it, SCA_SAMPLE_HELD), 200 * MS);
    ck_assert_uint_eq(missing_ns(&all_of_it, SCA_SAMPLE_REGION_HELD), 200 * MS);
}
END_TEST

START_TEST(a_lock_that_fits_into_its_region_adds_nothing)
{
    const struct held half_of_it = {200, true, 1200};
    ck_assert_uint_eq(interval_ns(&half_of_it), INTERVAL);
    ck_assert_uint_eq(missing_ns(&half_of_it, SCA_SAMPLE_HELD), 0);
}
END_TEST

START_TEST(where_no_region_is_known_the_interval_is_the_bound)
{
    const struct held fits = {400, false, 1200}, more = {1500, false, 1800};
    ck_assert_uint_eq(interval_ns(&fits), INTERVAL);
    ck_assert_uint_eq(interval_ns(&more), 1500ull * MS);
}
END_TEST

/* What a region lacks counts once. */
START_TEST(an_interval_is_not_lengthened_twice)
{
    const struct held more = {1500, true, 1800};
    ck_assert_uint_eq(interval_ns(&more), INTERVAL + 1300ull * MS);
}
END_TEST

enum { REGIONS = 5, INTERVALS = 3, LOCKS = 4 };

/* As many intervals, each with as many regions that lack 10 ms at one of their locks; records from
 * the last to the first, or the other way round. */
static uint64_t all_missing_ns(bool backwards)
{
    struct synth *s = synth_new(1);
    uint32_t exe = synth_module(s, "/tmp/prog", "00ff"), region[REGIONS], sum[INTERVALS];
    for (uint32_t i = 0; i < REGIONS; i++) {
        region[i] = synth_node(s, 0, exe, 0x1000 + 16 * i, SCA_NODE_RETURN);
        synth_site(s, region[i], "OpenMP critical");
    }
    for (uint32_t i = 0; i < INTERVALS; i++) {
        sum[i] =
            synth_site(s, synth_node(s, 0, exe, 0x2000 + 16 * i, SCA_NODE_RETURN), "MPI_Reduce");
        synth_interval(s, 0, 0, sum[i], 1, INTERVAL);
    }
    for (uint32_t k = 0; k < REGIONS * INTERVALS * LOCKS; k++) {
        uint32_t at = backwards ? REGIONS * INTERVALS * LOCKS - 1 - k : k, lock = 1 + at % LOCKS;
        struct sca_part_sample record = {.node = region[at / LOCKS % REGIONS],
                                         .next = sum[at / LOCKS / REGIONS],
                                         .in_mpi = SCA_SAMPLE_REGION_HELD,
                                         .thread = (uint16_t)lock,
                                         .count = lock == 2 ? 110 : 50};
        synth_record(s, 0, &record);
        record.in_mpi = SCA_SAMPLE_REGION;
        record.thread = THREADS;
        record.count = 1;
        record.length_ns = lock == 1 ? 100 * MS : 0;
        synth_record(s, 0, &record);
    }
    profile = synth_profile(s);
    profile->ranks[0].sample_period_ns = PERIOD;
    synth_free(s);
    memory = calloc(1, sca_rank_open_size(profile));
    opened = sca_rank_open_init(memory, profile);
    ck_assert_int_eq(sca_serialised_add(profile, opened), 0);
    const struct sca_rank *rank = sca_rank_open(opened, 0, SCA_OPEN_ALL);
    uint64_t ns = 0;
    for (uint32_t i = 0; i < INTERVALS; i++)
        ns += rank->intervals[i].cpu_ns - INTERVAL;
    end();
    return ns;
}

/* Each region lacks what its own longest lock is held beyond it. */
START_TEST(records_of_many_regions_may_stand_in_any_order)
{
    ck_assert_uint_eq(all_missing_ns(false), REGIONS * INTERVALS * 10ull * MS);
    ck_assert_uint_eq(all_missing_ns(true), REGIONS * INTERVALS * 10ull * MS);
}
END_TEST

SCA_SUITE("serialised", a_region_takes_as_long_as_its_lock_is_held,
          a_lock_that_fits_into_its_region_adds_nothing,
          where_no_region_is_known_the_interval_is_the_bound, an_interval_is_not_lengthened_twice,
          records_of_many_regions_may_stand_in_any_order)
