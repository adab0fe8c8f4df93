/* Which loop with markers is the main one, and what the series keeps of it and of others. */
#include "windows/main_loop.h"
#include "series/series.h"
#include "series/series_table.h"
#include "check_main.h"

enum { OUTER = 101, INNER, LATER, UPPER_FRAME = 2000, LOWER_FRAME = 1000 };

/* The series, with its own table and no clock. */
static struct sca_part_mark marks[SCA_SERIES_MARKS];
static uint32_t count;
static struct sca_series_table table;

bool sca_series_is_on(void)
{
    return true;
}

struct sca_part_mark sca_series_mark(uint32_t number, uint64_t ns)
{
    return (struct sca_part_mark){.number = number, .end_ns = ns};
}

const struct sca_mark_events *sca_series_events(void)
{
    return NULL;
}

static uint32_t opened;

void sca_series_open(struct sca_part_mark *mark)
{
    (void)mark;
    opened++;
}

void sca_series_start(uint64_t loop, const struct sca_part_mark *first,
                      const struct sca_mark_events *events, uint32_t n)
{
    (void)events;
    sca_series_table_drop_since(&table, first->end_ns);
    for (uint32_t i = 0; i < n; i++)
        sca_series_table_add(&table, loop, &first[i], NULL);
}

void sca_series_holds(uint64_t loop)
{
    sca_series_table_hold(&table, loop);
}

void sca_series_marker(uint64_t loop, const struct sca_part_mark *mark)
{
    sca_series_table_add(&table, loop, mark, NULL);
}

static uint64_t now;
static bool outer_is_around; /* what runs when the inner loop is the main one */

static void begin(void)
{
    count = 0;
    now = 1;
    sca_series_table_begin(&table, marks, NULL, &count, SCA_SERIES_MARKS);
}

/* An execution of the loop, of so many rounds, with nothing in them. */
static void run_loop(uint64_t name, uintptr_t frame, uint32_t rounds)
{
    struct sca_followed loop;
    if (!sca_main_loop_begins_within(&loop, name, frame))
        sca_main_loop_begins(&loop, frame, now++);
    for (uint32_t i = 1; i <= rounds; i++, now++)
        if (!sca_main_loop_stays_within(&loop, name, false) &&
            sca_main_loop_round(&loop, name, i, false, now))
            outer_is_around = true;
}

/* An outer loop, each `every`-th iteration of which holds the inner one. */
static void run_nest(uint32_t rounds, uint32_t every, uintptr_t frame, uint32_t inner)
{
    struct sca_followed outer;
    if (!sca_main_loop_begins_within(&outer, OUTER, UPPER_FRAME))
        sca_main_loop_begins(&outer, UPPER_FRAME, now++);
    for (uint32_t i = 1; i <= rounds; i++, now++) {
        if (i % every == 0)
            run_loop(INNER, frame, inner);
        if (!sca_main_loop_stays_within(&outer, OUTER, outer_is_around) &&
            sca_main_loop_round(&outer, OUTER, i, outer_is_around, now))
            outer_is_around = false;
    }
}

/* All iterations of the outer loop lie in one section, one after the other. */
static void check_whole(uint32_t rounds)
{
    sca_series_table_end(&table);
    ck_assert_uint_eq(table.nsections, 1);
    ck_assert_uint_eq(table.section[0].loop, OUTER);
    ck_assert_uint_eq(count, rounds + 1);
    for (uint32_t i = 0; i < count; i++)
        ck_assert_uint_eq(marks[i].number, i);
}

START_TEST(a_loop_in_some_iterations_is_within)
{
    begin();
    run_nest(100, 25, LOWER_FRAME, 6);
    check_whole(100);
}
END_TEST

START_TEST(so_is_one_of_many_rounds_in_a_function)
{
    begin();
    run_nest(110, 25, LOWER_FRAME, 100);
    check_whole(110);
}
END_TEST

START_TEST(so_is_one_in_each_iteration)
{
    begin();
    run_nest(50, 1, LOWER_FRAME, 9);
    check_whole(50);
    begin();
    run_nest(50, 1, LOWER_FRAME, 200);
    check_whole(50);
}
END_TEST

START_TEST(a_loop_behind_it_is_a_section)
{
    begin();
    run_nest(50, 7, LOWER_FRAME, 6);
    run_loop(LATER, UPPER_FRAME, 80);
    sca_series_table_end(&table);
    ck_assert_uint_eq(table.nsections, 2);
    ck_assert_uint_eq(table.section[1].loop, LATER);
    ck_assert_uint_eq(table.section[1].first, 51);
    ck_assert_uint_eq(marks[51].number, 0);
    ck_assert_uint_eq(marks[count - 1].number, 80);
}
END_TEST

/* Its first marks are kept until the main loop has come round twice. */
START_TEST(what_was_within_costs_nothing_later)
{
    begin();
    run_nest(10, 1, LOWER_FRAME, 6);
    uint32_t before = opened;
    run_nest(1000, 1, LOWER_FRAME, 6);
    ck_assert_uint_le(opened - before, 2 * 2 * (SCA_MAIN_LOOP_FIRST + 1));
}
END_TEST

START_TEST(what_was_within_has_its_own_iterations_alone_later)
{
    begin();
    run_nest(50, 1, LOWER_FRAME, 6);
    run_loop(INNER, LOWER_FRAME, 200);
    sca_series_table_end(&table);
    ck_assert_uint_eq(table.nsections, 2);
    ck_assert_uint_eq(table.section[1].loop, INNER);
    ck_assert_uint_le(marks[51].number, 64);
    ck_assert_uint_eq(marks[52].number, marks[51].number + 1);
    ck_assert_uint_eq(marks[count - 1].number, 200);
}
END_TEST

SCA_SUITE("main_loop", a_loop_in_some_iterations_is_within, so_is_one_of_many_rounds_in_a_function,
          so_is_one_in_each_iteration, a_loop_behind_it_is_a_section,
          what_was_within_costs_nothing_later, what_was_within_has_its_own_iterations_alone_later)
