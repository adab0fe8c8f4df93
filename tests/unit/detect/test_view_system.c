/* The tree of the hardware: sums at each level, as deep as there is room for. */
#include "verdict_program.h"
#include "views/view.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct program p;
static struct sca_settings settings;
static struct sca_table table;

static void show(const char *const *cores, uint32_t top)
{
    const struct sca_view_input in = {&space, model_graph(p.model), &settings, top, NULL, NULL};
    struct sca_rank *ranks = in.ppg->runs[0].profile->ranks;
    for (uint32_t r = 0; r < RANKS; r++) {
        ranks[r].host = r < 2 ? "a" : "b";
        ranks[r].address = r < 2 ? "10.0.0.1" : "";
        ranks[r].node = r / 2 * 2;
        ranks[r].cores = cores[r];
    }
    space.out_of_memory = &out_of_memory;
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "system"};
    sca_view_system(&in, &table);
    ck_assert_int_eq(table.status, 0);
}

/* Rank 2 has two seconds more of it than the others. */
static void begin(const char *const *cores, uint32_t top)
{
    double work[RANKS], extra[RANKS] = {0};
    p = program_new();
    program_fill(work, RANKS, 4);
    extra[2] = 2;
    program_run(&p, RANKS, work, extra);
    settings = program_settings;
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    model_ppg(p.model);
    show(cores, top);
}

static void finish(void)
{
    sca_workspace_free(&space);
    model_free(p.model);
}

static void check_row(uint32_t i, uint32_t depth, const char *label, double computation)
{
    ck_assert_uint_lt(i, table.nrows);
    ck_assert_str_eq(table.rows[i].label, label);
    ck_assert_uint_eq(table.rows[i].depth, depth);
    ck_assert_str_eq(table.columns[5].key, "computation");
    ck_assert_double_eq_tol(table.rows[i].cells[5].number, computation, 0.05);
}

START_TEST(each_level_has_the_sum_of_what_is_below)
{
    static const char *const cores[RANKS] = {"0:0", "1:4", "0:0", "0:0"};
    begin(cores, 0);
    ck_assert_uint_eq(table.nrows, 1 + 2 + 3 + 3 + 2);
    check_row(0, 0, "machine, of 2 hosts", 18);
    check_row(1, 1, "host a (10.0.0.1)", 8);
    check_row(2, 2, "package 0", 4);
    check_row(3, 3, "core 0: rank 0", 4);
    check_row(5, 3, "core 4: rank 1", 4);
    check_row(6, 1, "host b", 10);
    check_row(8, 3, "core 0", 10);
    check_row(9, 4, "rank 2", 6);
    ck_assert_uint_eq(table.rows[8].cells[2].count, 2);
    ck_assert_double_eq(table.rows[8].cells[2].series[1], 3);
    ck_assert_uint_eq(table.nnotes, 0);
    finish();
}
END_TEST

START_TEST(it_goes_as_deep_as_there_is_room)
{
    static const char *const cores[RANKS] = {"0:0", "1:4", "0:0", "0:0"};
    begin(cores, 9); /* without ranks: core 0 of host b has two */
    ck_assert_uint_eq(table.nrows, 9);
    ck_assert_uint_eq(table.left_out, 2);
    check_row(8, 3, "core 0", 10);
    show(cores, 8);
    ck_assert_uint_eq(table.nrows, 6);
    show(cores, 2);
    ck_assert_uint_eq(table.nrows, 2);
    ck_assert_uint_eq(table.left_out, 9);
    finish();
}
END_TEST

START_TEST(ranks_that_were_not_bound_stand_below_what_is_known)
{
    static const char *const cores[RANKS] = {"all", "0:0-1", "0:2 1:0", ""};
    begin(cores, 0);
    check_row(2, 2, "package 0", 4);
    check_row(3, 3, "rank 1, bound to cores 0-1", 4);
    check_row(4, 2, "rank 0, not bound", 4);
    check_row(6, 2, "rank 2, bound to cores 0:2 1:0", 6);
    check_row(7, 2, "rank 3, binding unknown", 4);
    finish();
}
END_TEST

START_TEST(what_holds_for_all_is_said_once)
{
    static const char *const free[RANKS] = {"all", "all", "all", "all"}, *const old[RANKS] = {""};
    begin(free, 0);
    ck_assert_uint_eq(table.nnotes, 1);
    ck_assert_ptr_nonnull(strstr(table.notes[0], "No rank was bound"));
    check_row(2, 2, "rank 0", 4);
    show(old, 0);
    ck_assert_ptr_nonnull(strstr(table.notes[0], "an older release"));
    settings.ranks = "2-3";
    settings.metric = "computation";
    show(free, 0);
    check_row(0, 0, "machine, of 2 hosts", 10);
    check_row(1, 1, "host b", 10);
    ck_assert_uint_eq(table.ncolumns, 6);
    finish();
}
END_TEST

SCA_SUITE("view of the system", each_level_has_the_sum_of_what_is_below,
          it_goes_as_deep_as_there_is_room, ranks_that_were_not_bound_stand_below_what_is_known,
          what_holds_for_all_is_said_once)
