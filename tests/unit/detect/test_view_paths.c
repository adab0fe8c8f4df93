/* All backtracking paths as a table: a row for each step; what --top cuts off are paths. */
#include "viewed.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, SLOW = 2, OF_CALL = 4 }; /* so many ranks of a call begin one */

static struct viewed v;

/* Rank 2 has 3 seconds of extra work, the others 1: all wait for it in the reduction. */
static void view(uint32_t top)
{
    viewed_begin(&v);
    viewed_run(&v, RANKS, 4, 1, SLOW, 3);
    model_ppg(v.program.model);
    ck_assert_int_eq(viewed_show(&v, sca_view_paths, "paths", top), SCA_OK);
}

static uint32_t path_of(uint32_t row)
{
    return (uint32_t)viewed_cell(&v, row, "path")->number;
}

START_TEST(each_path_leads_from_a_wait_to_the_cause)
{
    view(0);
    uint32_t from_waits = 0;
    for (uint32_t i = 0; i < v.table.nrows; i++) {
        bool begins = !i || path_of(i - 1) != path_of(i);
        bool ends = i + 1 == v.table.nrows || path_of(i + 1) != path_of(i);
        bool waits = !strcmp(viewed_cell(&v, i, "start")->text, "waiting");
        ck_assert(isnan(viewed_cell(&v, i, "wait_s")->number) || begins);
        if (begins && waits)
            ck_assert_ptr_eq(v.table.rows[i].place, &v.table.ppg->vertices[v.program.sum]);
        if (!ends || !waits)
            continue;
        from_waits++;
        ck_assert_ptr_eq(v.table.rows[i].place, &v.table.ppg->vertices[v.program.body]);
        ck_assert_double_eq(viewed_cell(&v, i, "rank")->number, SLOW);
        ck_assert_double_eq(viewed_cell(&v, i, "cause")->number, 1);
    }
    ck_assert_uint_eq(from_waits, OF_CALL);
    ck_assert_uint_eq(v.table.left_out, 0);
    viewed_end(&v);
}
END_TEST

START_TEST(paths_are_left_out_not_steps)
{
    view(0);
    uint32_t all = path_of(v.table.nrows - 1);
    viewed_end(&v);
    view(1);
    for (uint32_t i = 0; i < v.table.nrows; i++)
        ck_assert_double_eq(viewed_cell(&v, i, "path")->number, 1);
    ck_assert_uint_gt(v.table.nrows, 1);
    ck_assert_uint_eq(v.table.left_out, all - 1);
    char expected[64];
    snprintf(expected, sizeof expected, "%u more paths (--top=0 shows all)", all - 1);
    viewed_has_text(&v, expected);
    viewed_end(&v);
}
END_TEST

SCA_SUITE("paths view", each_path_leads_from_a_wait_to_the_cause, paths_are_left_out_not_steps)
