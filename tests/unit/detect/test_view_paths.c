/* All backtracking paths as a table: a row for each step; what --top cuts off are paths. */
#include "verdict_program.h"
#include "views/view.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, SLOW = 2, OF_CALL = 4 }; /* so many ranks of a call begin one */

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_table table;
static struct program p;

/* Rank 2 has 3 seconds of extra work, the others 1: all wait for it in the reduction. */
static void view(uint32_t top)
{
    double work[RANKS], extra[RANKS];
    p = program_new();
    program_fill(work, RANKS, 4);
    program_fill(extra, RANKS, 1);
    extra[SLOW] = 3;
    program_run(&p, RANKS, work, extra);
    model_ppg(p.model);
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    const struct sca_view_input in = {&space, model_graph(p.model), &program_settings, top};
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "paths"};
    sca_view_paths(&in, &table);
    ck_assert_int_eq(table.status, SCA_OK);
}

static void finish(void)
{
    sca_workspace_free(&space);
    model_free(p.model);
}

static const struct sca_cell *cell(uint32_t row, const char *key)
{
    for (uint32_t c = 0; c < table.ncolumns; c++)
        if (!strcmp(table.columns[c].key, key))
            return &table.rows[row].cells[c];
    ck_abort_msg("no column %s", key);
}

static uint32_t path_of(uint32_t row)
{
    return (uint32_t)cell(row, "path")->number;
}

START_TEST(each_path_leads_from_a_wait_to_the_cause)
{
    view(0);
    uint32_t from_waits = 0;
    for (uint32_t i = 0; i < table.nrows; i++) {
        bool begins = !i || path_of(i - 1) != path_of(i);
        bool ends = i + 1 == table.nrows || path_of(i + 1) != path_of(i);
        bool waits = !strcmp(cell(i, "start")->text, "waiting");
        ck_assert(isnan(cell(i, "wait_s")->number) || begins);
        if (begins && waits)
            ck_assert_ptr_eq(table.rows[i].place, &table.ppg->vertices[p.sum]);
        if (!ends || !waits)
            continue;
        from_waits++;
        ck_assert_ptr_eq(table.rows[i].place, &table.ppg->vertices[p.body]);
        ck_assert_double_eq(cell(i, "rank")->number, SLOW);
        ck_assert_double_eq(cell(i, "cause")->number, 1);
    }
    ck_assert_uint_eq(from_waits, OF_CALL);
    ck_assert_uint_eq(table.left_out, 0);
    finish();
}
END_TEST

START_TEST(paths_are_left_out_not_steps)
{
    view(0);
    uint32_t all = path_of(table.nrows - 1);
    finish();
    view(1);
    for (uint32_t i = 0; i < table.nrows; i++)
        ck_assert_double_eq(cell(i, "path")->number, 1);
    ck_assert_uint_gt(table.nrows, 1);
    ck_assert_uint_eq(table.left_out, all - 1);
    char *text = NULL, expected[64];
    size_t size = 0;
    snprintf(expected, sizeof expected, "%u more paths (--top=0 shows all)", all - 1);
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &table, false), SCA_OK);
    fclose(out);
    ck_assert_msg(strstr(text, expected) != NULL, "%s", text);
    free(text);
    finish();
}
END_TEST

SCA_SUITE("paths view", each_path_leads_from_a_wait_to_the_cause, paths_are_left_out_not_steps)
