/* All findings of a program, with what became of each: nothing that was found is lost. */
#include "verdict_program.h"
#include "views/view.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct program p;
static const struct sca_ppg *ppg; /* NULL until it is looked at */
static struct sca_table table;

static void view(uint32_t top)
{
    ppg = ppg ? ppg : model_ppg(p.model);
    const struct sca_view_input in = {&space, ppg, &program_settings, top, NULL, NULL};
    space.out_of_memory = &out_of_memory;
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "findings"};
    sca_view_findings(&in, &table);
    ck_assert_int_eq(table.status, SCA_OK);
    ck_assert_ptr_eq(space.out_of_memory, &out_of_memory);
}

static void finish(void)
{
    sca_workspace_free(&space);
    model_free(p.model);
    space = (struct sca_workspace){0};
    ppg = NULL;
}

static const struct sca_cell *cell(uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < table.ncolumns; c++)
        if (!strcmp(table.columns[c].key, key))
            return &table.rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

static bool is(uint32_t row, const char *outcome)
{
    return row < table.nrows && !strcmp(cell(row, "outcome")->text, outcome);
}

/* The table as a reader sees it, in 80 columns; the caller's. */
static char *print(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &table, false), SCA_OK);
    fclose(out);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    return text;
}

/* Two ranks do the work, the other two as much else, and nobody waits. */
START_TEST(what_is_not_believed_is_shown_with_the_reason)
{
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){4, 4, 0, 0}, (double[RANKS]){0, 0, 4, 4});
    view(0);
    ck_assert(is(0, "little") && is(1, "little"));
    ck_assert_double_eq_tol(cell(0, "excess_core_s")->number, 8, 1e-6);
    ck_assert(isnan(cell(0, "gain_core_s")->number));
    char *text = print();
    ck_assert_ptr_nonnull(strstr(text, "Not a cause: fixing it saves 0 core-s"));
    ck_assert_ptr_nonnull(strstr(text, "No other run is available for comparison."));
    free(text);
    finish();
}
END_TEST

/* One rank has a second more of the extra work; that of another, a tenth of it, saves too little.
 */
START_TEST(causes_come_first)
{
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){10, 10, 10, 10}, (double[RANKS]){0, 0, 1, 0});
    view(0);
    ck_assert(is(0, "cause"));
    ck_assert(!is(1, "cause"));
    ck_assert_ptr_eq(table.rows[0].place, &table.ppg->vertices[p.extra]);
    ck_assert_double_eq_tol(cell(0, "gain_core_s")->number, RANKS, 0.05);
    ck_assert_uint_eq(cell(0, "ranks")->count, 1);
    ck_assert_double_eq(cell(0, "ranks")->series[0], 2);
    finish();
}
END_TEST

/* The exact times around it say the same: they name the finding that has it. */
START_TEST(what_another_tells_names_that_one)
{
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){10, 10, 10, 10}, (double[RANKS]){0, 0, 1, 0});
    view(0);
    uint32_t i = 0;
    while (i < table.nrows && !is(i, "explained"))
        i++;
    ck_assert_uint_lt(i, table.nrows);
    ck_assert_double_eq(cell(i, "other")->number, cell(0, "number")->number);
    char *text = print();
    ck_assert_ptr_nonnull(strstr(text, "Explained by finding 1"));
    free(text);
    finish();
}
END_TEST

/* The other run has nothing of it: no cause, and the evidence says why. */
START_TEST(what_a_repetition_denies_is_told_with_it)
{
    const double even[RANKS] = {0};
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){10, 10, 10, 10}, even);
    program_run(&p, RANKS, (double[RANKS]){10, 10, 10, 10}, (double[RANKS]){0, 0, 1, 0});
    view(0);
    ck_assert(is(0, "note"));
    ck_assert_ptr_nonnull(
        strstr(cell(0, "evidence")->text, "Another run on 4 ranks does not show it."));
    finish();
}
END_TEST

START_TEST(as_many_rows_as_are_asked_for)
{
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){4, 4, 0, 0}, (double[RANKS]){0, 0, 4, 4});
    view(0);
    uint32_t all = table.nrows;
    view(1);
    ck_assert_uint_eq(table.nrows, 1);
    ck_assert_uint_eq(table.left_out, all - 1);
    finish();
}
END_TEST

START_TEST(equal_ranks_have_none)
{
    const double even[RANKS] = {0};
    p = program_new();
    program_run(&p, RANKS, (double[RANKS]){10, 10, 10, 10}, even);
    view(0);
    ck_assert_uint_eq(table.nrows, 0);
    ck_assert_ptr_nonnull(strstr(table.notes[0], "No difference between"));
    finish();
}
END_TEST

SCA_SUITE("view findings", what_is_not_believed_is_shown_with_the_reason, causes_come_first,
          what_another_tells_names_that_one, what_a_repetition_denies_is_told_with_it,
          as_many_rows_as_are_asked_for, equal_ranks_have_none)
