/* How long calls took, as an image has it: all of it for few ranks, the long ones for many. */
#include "profile/durations.h"
#include "sca_error.h"
#include "check_main.h"

#include <string.h>

enum { SITES = 3, INTERVALS = 2, ROOM = 4096 };
static const uint64_t WALL_NS = 1000000000;

static struct sca_part_site sites[SITES];
static struct sca_part_interval intervals[INTERVALS];
static struct sca_part_durations of_sites[SITES], of_intervals[INTERVALS];
static struct sca_tables tables;
static uint8_t bytes[SCA_TIMED_COUNT][ROOM];

static void book(struct sca_part_durations *d, uint64_t ns, uint32_t times)
{
    d->squares += (double)ns * (double)ns * times;
    d->classes[sca_duration_class(ns)] += times;
}

static void book_call(uint32_t site, uint64_t ns, uint32_t times)
{
    sites[site].count += times;
    sites[site].time_ns += ns * times;
    book(&of_sites[site], ns, times);
}

static void make(uint32_t ranks)
{
    memset(sites, 0, sizeof sites);
    memset(intervals, 0, sizeof intervals);
    memset(of_sites, 0, sizeof of_sites);
    memset(of_intervals, 0, sizeof of_intervals);
    tables = (struct sca_tables){.header = {.size = ranks, .wall_ns = WALL_NS}};
    tables.header.table[SCA_T_SITES].count = SITES;
    tables.header.table[SCA_T_INTERVALS].count = INTERVALS;
    tables.record[SCA_T_SITES] = sites;
    tables.record[SCA_T_INTERVALS] = intervals;
    tables.durations[SCA_TIMED_SITES] = (struct sca_tables_durations){of_sites, SITES, NULL, 0};
    tables.durations[SCA_TIMED_INTERVALS] =
        (struct sca_tables_durations){of_intervals, INTERVALS, NULL, 0};
    book_call(1, 100, 900);     /* below 128 ns: short in all */
    book_call(1, 5000, 117);    /* class 6 */
    book_call(2, 30000000, 10); /* 0.3 s in all */
    intervals[0] = (struct sca_part_interval){
        .previous = 1, .site = 2, .count = 1, .cpu_ns = 700, .blocked_ns = 300};
    book(&of_intervals[0], 1000, 1);
}

/* As a reader of the profile has it. */
static void code(void)
{
    for (int i = 0; i < SCA_TIMED_COUNT; i++) {
        struct sca_writer w;
        sca_wire_writer_init(&w, bytes[i], ROOM);
        sca_durations_encode(&w, &tables, (enum sca_timed)i);
        ck_assert(!w.failed);
        tables.durations[i] = (struct sca_tables_durations){NULL, 0, bytes[i], w.length};
    }
}

static struct sca_region region;
static struct sca_durations *found;
static uint32_t nfound;

/* Of the reading before nothing is left. */
static int read_all(void)
{
    sca_region_free(&region);
    return sca_durations_read(&region, &tables, &found, &nfound);
}

static const struct sca_durations *at(uint32_t previous, uint32_t site)
{
    for (uint32_t i = 0; i < nfound; i++)
        if (found[i].previous == previous && found[i].site == site)
            return &found[i];
    return NULL;
}

static void has_both_lengths(double tolerance)
{
    const struct sca_durations *d = at(SCA_NONE, 1);
    double mean = (900 * 100.0 + 117 * 5000.0) / 1017;
    double squares = 900 * (100 - mean) * (100 - mean) + 117 * (5000 - mean) * (5000 - mean);
    ck_assert_ptr_nonnull(d);
    ck_assert_uint_eq(d->count, 1017);
    ck_assert_uint_eq(d->first, 0);
    ck_assert_uint_eq(d->n, 7);
    ck_assert_uint_eq(d->classes[0] + d->classes[6], 1017);
    ck_assert_uint_eq(d->classes[6], 117);
    ck_assert_double_eq_tol(d->squares / squares, 1, tolerance);
}

START_TEST(a_live_state_has_all)
{
    make(64);
    ck_assert_int_eq(read_all(), SCA_OK);
    has_both_lengths(1e-9);
    ck_assert_double_eq(at(SCA_NONE, 2)->squares, 0);
    ck_assert_uint_eq(at(1, 2)->classes[0], 1);
    ck_assert_uint_eq(at(1, 2)->first, 3);
}
END_TEST

START_TEST(few_ranks_keep_all)
{
    make(8);
    code();
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_uint_eq(nfound, 3);
    has_both_lengths(1.0 / 256);
    ck_assert_uint_eq(at(SCA_NONE, 2)->classes[0], 10);
    ck_assert_double_eq(at(1, 2)->squares, 0);
    ck_assert_uint_eq(at(1, 2)->first, 3);
}
END_TEST

START_TEST(more_ranks_keep_what_takes_long)
{
    make(32);
    book_call(2, 1000, 37);
    code();
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_ptr_null(at(SCA_NONE, 1));
    ck_assert_uint_eq(at(SCA_NONE, 2)->classes[0], 37);
    ck_assert_uint_eq(at(1, 2)->count, 1);
}
END_TEST

START_TEST(many_ranks_keep_few_digits)
{
    make(33);
    book_call(2, 1000, 37); /* a class with few in it is rounded, the fullest is the rest */
    code();
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_ptr_null(at(SCA_NONE, 1));
    const struct sca_durations *d = at(SCA_NONE, 2);
    ck_assert_uint_eq(d->count, 47);
    ck_assert_uint_eq(d->classes[0] + d->classes[d->n - 1], 47);
    ck_assert_uint_eq(d->classes[d->n - 1], 10);
    ck_assert_uint_eq(at(1, 2)->count, 1); /* a single one needs no telling */
}
END_TEST

START_TEST(a_class_that_is_full_is_the_rest)
{
    make(4);
    of_sites[1].classes[0] = UINT32_MAX;
    sites[1].count = 5000000000u + 117;
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_uint_eq(at(SCA_NONE, 1)->classes[0], 5000000000u);
}
END_TEST

/* Waits outside MPI are counted, but not by their durations. */
START_TEST(what_nobody_counts_is_not_known)
{
    make(4);
    sites[1].count = 7;
    of_sites[1] = (struct sca_part_durations){0};
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_ptr_null(at(SCA_NONE, 1));
    code();
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_ptr_null(at(SCA_NONE, 1));
    ck_assert_ptr_nonnull(at(SCA_NONE, 2));
}
END_TEST

START_TEST(older_images_have_none)
{
    make(4);
    memset(tables.durations, 0, sizeof tables.durations);
    ck_assert_int_eq(read_all(), SCA_OK);
    ck_assert_uint_eq(nfound, 0);
    ck_assert_ptr_null(found);
}
END_TEST

/* Each byte wrong in turn, and each end too early: an error, or other numbers, but no harm. */
START_TEST(damage_is_refused_or_harmless)
{
    make(4);
    code();
    for (size_t i = 0; i < tables.durations[0].length; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes[0][i] ^= (uint8_t)(1 << bit);
            int status = read_all();
            ck_assert(status == SCA_OK || status == SCA_EFORMAT);
            bytes[0][i] ^= (uint8_t)(1 << bit);
        }
    for (size_t whole = tables.durations[0].length; tables.durations[0].length;) {
        tables.durations[0].length--;
        ck_assert_int_eq(read_all(), SCA_EFORMAT);
        ck_assert_uint_lt(tables.durations[0].length, whole);
    }
}
END_TEST

START_TEST(a_variance_keeps_its_digits)
{
    for (double v = 1; v < 1e24; v *= 3.7) {
        double back = sca_durations_decoded(sca_durations_code(v, 7), 7);
        ck_assert_double_eq_tol(back / v, 1, 1.0 / 256);
    }
    ck_assert_uint_eq(sca_durations_code(0.5, 7), 0);
    ck_assert_double_eq(sca_durations_decoded(0, 7), 0);
}
END_TEST

SCA_SUITE("durations", a_live_state_has_all, few_ranks_keep_all, more_ranks_keep_what_takes_long,
          many_ranks_keep_few_digits, a_class_that_is_full_is_the_rest,
          what_nobody_counts_is_not_known, older_images_have_none, damage_is_refused_or_harmless,
          a_variance_keeps_its_digits)
