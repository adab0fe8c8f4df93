/* The bounded table of a series: neighbours merge, sums stay exact, loops are told apart. */
#include "series/series_table.h"
#include "check_main.h"

enum { CAPACITY = SCA_SERIES_MARKS, MANY = 10000000 };

static struct sca_part_mark marks[CAPACITY];
static uint32_t count;
static struct sca_series_table table;
static struct sca_part_mark total;

static void begin(void)
{
    count = 0;
    total = (struct sca_part_mark){0};
    sca_series_table_begin(&table, marks, NULL, &count, CAPACITY);
}

/* An iteration that took `ns`. */
static void go_round(uint64_t loop, uint32_t number, uint64_t ns)
{
    total.number = number;
    total.end_ns += 2 * ns;
    total.compute_ns += ns;
    total.mpi_ns += ns / 2;
    total.off_ns += ns % 7;
    total.kind += 3;
    sca_series_table_add(&table, loop, &total, NULL);
}

/* What lies between the marks of a section is all that happened in it, in order. */
static uint64_t computed_in(uint32_t section, uint32_t *iterations)
{
    uint64_t ns = 0;
    *iterations = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (marks[i].begins || marks[i].section != section)
            continue;
        ck_assert_uint_gt(marks[i].number, marks[i - 1].number);
        ck_assert_uint_ge(marks[i].end_ns, marks[i - 1].end_ns);
        ns += marks[i].compute_ns - marks[i - 1].compute_ns;
        *iterations += marks[i].number - marks[i - 1].number;
    }
    return ns;
}

START_TEST(merging_keeps_sums_exactly)
{
    uint64_t expected = 0;
    uint32_t iterations;
    begin();
    go_round(1, 0, 5);
    for (uint32_t i = 1; i <= 100003; i++) {
        uint64_t ns = 1000 + i % 977;
        expected += ns;
        go_round(1, i, ns);
    }
    sca_series_table_end(&table);
    ck_assert_uint_le(count, SCA_SERIES_SECTION_MARKS + 2);
    ck_assert_uint_eq(computed_in(0, &iterations), expected);
    ck_assert_uint_eq(iterations, 100003);
    ck_assert_uint_eq(marks[count - 1].end_ns, total.end_ns);
    ck_assert_uint_eq(marks[count - 1].kind, total.kind);
}
END_TEST

START_TEST(counters_are_read_where_marks_are_kept_and_stay_with_them)
{
    static struct sca_mark_events events[CAPACITY];
    enum { ROUNDS = 100003, FIRST = 700 };
    uint32_t readings = 0;
    begin();
    sca_series_table_begin(&table, marks, events, &count, CAPACITY);
    for (uint64_t loop = 1; loop <= 2; loop++)
        for (uint32_t i = 0; i <= (loop == 1 ? FIRST : ROUNDS); i++) {
            bool keeps = sca_series_table_keeps(&table, loop, i);
            const struct sca_mark_events now = {{loop * 1000000 + i}, 1};
            total.number = i;
            total.end_ns++;
            readings += keeps;
            ck_assert(sca_series_table_add(&table, loop, &total, keeps ? &now : NULL) == keeps);
        }
    sca_series_table_end(&table);
    for (uint32_t i = 0; i + 1 < count; i++)
        ck_assert_uint_eq(events[i].total[0], (marks[i].section + 1) * 1000000 + marks[i].number);
    ck_assert(!events[count - 1].read); /* the end, which is kept as the last one alone */
    ck_assert_uint_lt(readings, 2 * 512 + 256 * 9);
}
END_TEST

START_TEST(marks_lie_where_the_distance_divides_their_number)
{
    begin();
    for (uint32_t i = 3; i <= 5000; i++)
        go_round(1, i, 10);
    uint32_t stride = table.section[0].stride;
    ck_assert_uint_eq(stride, 16);
    for (uint32_t i = 1; i < count; i++)
        ck_assert_uint_eq(marks[i].number % stride, 0);
}
END_TEST

START_TEST(ten_million_iterations_fit)
{
    uint32_t iterations;
    begin();
    for (uint32_t i = 0; i <= MANY; i++)
        go_round(1, i, 1);
    sca_series_table_end(&table);
    ck_assert_uint_ge(count, SCA_SERIES_SECTION_MARKS / 2);
    computed_in(0, &iterations);
    ck_assert_uint_eq(iterations, MANY);
}
END_TEST

START_TEST(loops_one_after_the_other_are_sections)
{
    uint32_t iterations;
    begin();
    for (uint32_t i = 0; i <= 700; i++)
        go_round(1, i, 10);
    for (uint32_t i = 0; i <= 900; i++)
        go_round(2, i, 20);
    sca_series_table_end(&table);
    ck_assert_uint_eq(table.nsections, 2);
    ck_assert_uint_eq(computed_in(0, &iterations), 7000);
    ck_assert_uint_eq(iterations, 700);
    ck_assert_uint_eq(computed_in(1, &iterations), 18000);
    ck_assert_uint_eq(iterations, 900);
}
END_TEST

START_TEST(a_loop_within_another_leaves_no_section)
{
    begin();
    for (uint32_t step = 0; step < 50; step++) {
        go_round(1, step, 10);
        for (uint32_t i = 1; i <= 30; i++)
            go_round(2, 30 * step + i, 10);
    }
    go_round(1, 50, 10);
    ck_assert_uint_eq(table.nsections, 1);
    ck_assert_uint_eq(count, 51);
    ck_assert_uint_eq(marks[50].compute_ns - marks[49].compute_ns, 310);
}
END_TEST

START_TEST(loops_that_alternate_begin_anew)
{
    begin();
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 1; i <= 200; i++)
            go_round(1, 200 * turn + i, 10);
        for (uint32_t i = 1; i <= 200; i++)
            go_round(2, 200 * turn + i, 20);
    }
    ck_assert_uint_eq(table.nsections, 4);
}
END_TEST

START_TEST(many_sections_stay_within_bounds)
{
    begin();
    for (uint32_t loop = 1; loop < 60; loop++)
        for (uint32_t i = 0; i <= 400; i++)
            go_round(loop, i, 10);
    ck_assert_uint_le(table.nsections, SCA_SERIES_SECTIONS);
    ck_assert_uint_le(count, CAPACITY);
    for (uint32_t i = 1; i < table.nsections; i++)
        ck_assert_uint_gt(table.section[i].first, table.section[i - 1].first);
}
END_TEST

START_TEST(what_was_kept_since_can_be_dropped)
{
    begin();
    for (uint32_t i = 0; i <= 10; i++)
        go_round(1, i, 10);
    uint64_t then = total.end_ns;
    for (uint32_t i = 0; i <= 100; i++)
        go_round(2, i, 10);
    sca_series_table_drop_since(&table, then);
    ck_assert_uint_eq(table.nsections, 1);
    ck_assert_uint_eq(marks[count - 1].end_ns, then);
}
END_TEST

SCA_SUITE("series_table", merging_keeps_sums_exactly,
          counters_are_read_where_marks_are_kept_and_stay_with_them,
          marks_lie_where_the_distance_divides_their_number, ten_million_iterations_fit,
          loops_one_after_the_other_are_sections, a_loop_within_another_leaves_no_section,
          loops_that_alternate_begin_anew, many_sections_stay_within_bounds,
          what_was_kept_since_can_be_dropped)
