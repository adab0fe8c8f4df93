/* Phases that the program names: how they lie in each other, and whose time is whose. */
#include "series/phases.h"
#include "arena/arena.h"
#include "check_main.h"

#include <stdio.h>
#include <string.h>

enum { INIT = 1000 };

static struct sca_part_phase *list;
static uint32_t *count;

static void begin(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    list = sca_arena_phases();
    count = &sca_arena_header()->series.nphases;
    ck_assert_ptr_nonnull(list);
    sca_phases_begin(list, count, INIT);
}

static void end(void)
{
    sca_phases_end(900);
    sca_arena_close();
}

static void enter(const char *name, uint64_t at)
{
    sca_phases_enter(name, INIT + at, 0);
}

static void leave(const char *name, uint64_t at)
{
    sca_phases_leave(name, INIT + at, 0);
}

static const struct sca_part_phase *phase(const char *name, uint32_t parent)
{
    const char *strings = sca_arena_table(SCA_T_STRINGS);
    for (uint32_t i = 0; i < *count; i++)
        if (list[i].parent == parent && !strcmp(strings + list[i].name, name))
            return &list[i];
    ck_abort_msg("no phase %s in %u", name, parent);
}

/* An interval of 100 ns, 80 of them on the core, and a call of 50. */
START_TEST(an_interval_is_shared_out_by_time)
{
    begin();
    enter("outer", 10);
    enter("inner", 40);
    leave("inner", 60);
    leave("outer", 90);
    enter("other", 95);
    sca_phases_call(80, 20, 100, 50);
    leave("other", 160);
    ck_assert_uint_eq(phase("outer", 0)->wall_ns, 60);
    ck_assert_uint_eq(phase("outer", 0)->compute_ns, 48);
    ck_assert_uint_eq(phase("outer", 0)->mpi_ns, 0);
    ck_assert_uint_eq(phase("inner", 1)->wall_ns, 20);
    ck_assert_uint_eq(phase("inner", 1)->off_ns, 4);
    ck_assert_uint_eq(phase("other", 0)->wall_ns, 5 + 50); /* what was before is in none */
    ck_assert_uint_eq(phase("other", 0)->mpi_ns, 50);
    ck_assert_uint_eq(phase("inner", 1)->end_ns, 60);
    end();
}
END_TEST

START_TEST(ends_that_do_not_match_break_nothing)
{
    begin();
    leave("nothing", 1);
    enter("a", 10);
    enter("b", 20);
    enter("c", 30);
    leave("nothing", 35);
    leave("a", 40); /* and with it b and c */
    leave("b", 50);
    enter("a", 60);
    ck_assert_uint_eq(*count, 3);
    ck_assert_uint_eq(phase("a", 0)->count, 2);
    ck_assert_uint_eq(phase("c", 2)->end_ns, 40);
    end();
    ck_assert_uint_eq(sca_phases_used, 0);
}
END_TEST

START_TEST(what_is_too_deep_or_too_much_counts_for_what_is_around)
{
    char name[200];
    begin();
    for (int i = 0; i < SCA_PHASE_DEPTH + 5; i++)
        enter("again", 10);
    ck_assert_uint_eq(*count, SCA_PHASE_DEPTH);
    for (int i = 0; i < SCA_PHASE_DEPTH + 4; i++)
        leave("again", 20);
    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof name, "%d%0150d", i % 200, 0);
        enter(name, 30);
        leave(name, 40);
    }
    ck_assert_uint_eq(*count, SCA_SERIES_PHASES);
    sca_phases_call(1000, 0, 1000, 0);
    ck_assert_uint_eq(list[0].end_ns, 0); /* it is open */
    ck_assert_uint_eq(list[0].compute_ns, 970);
    ck_assert_uint_eq(strlen((char *)sca_arena_table(SCA_T_STRINGS) + list[40].name),
                      SCA_PHASE_NAME - 1);
    end();
}
END_TEST

START_TEST(an_iteration_lies_in_the_phase_of_its_later_half)
{
    begin();
    enter("main", 0);
    enter("refine", 105);
    ck_assert_uint_eq(sca_phases_of(100, 200), 2);
    leave("refine", 210);
    enter("short", 280);
    ck_assert_uint_eq(sca_phases_of(200, 300), 1);
    end();
}
END_TEST

START_TEST(what_begins_before_counts_from_there_on)
{
    sca_phases_enter("whole", 0, 0);
    sca_phases_enter("over", 0, 0);
    sca_phases_leave("over", 0, 0);
    sca_phases_leave("never", 0, 0);
    begin();
    ck_assert_uint_eq(*count, 1);
    ck_assert_uint_eq(phase("whole", 0)->count, 1);
    end();
    sca_phases_enter("late", 0, 0);
    sca_phases_leave("late", 0, 0);
}
END_TEST

SCA_SUITE("named_phases", an_interval_is_shared_out_by_time, ends_that_do_not_match_break_nothing,
          what_is_too_deep_or_too_much_counts_for_what_is_around,
          an_iteration_lies_in_the_phase_of_its_later_half, what_begins_before_counts_from_there_on)
