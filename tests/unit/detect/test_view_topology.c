/* Maps as text and JSON: the usual three, one metric, a file's topology, and what does not fit. */
#include "verdict_program.h"
#include "topology/fold.h"
#include "topology/topologies.h"
#include "views/map.h"
#include "views/view.h"
#include "sca_error.h"
#include "check_main.h"
#include "temp_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct program p;
static struct sca_settings settings;
static struct sca_table table;
static char *text;

/* Rank 2 has two seconds more of it than the others, who wait for it in the reduction. */
static void begin(void)
{
    double work[RANKS], extra[RANKS] = {0};
    p = program_new();
    program_fill(work, RANKS, 4);
    extra[2] = 2;
    program_run(&p, RANKS, work, extra);
    settings = program_settings;
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    model_ppg(p.model);
}

static int view(void)
{
    const struct sca_view_input in = {&space, model_graph(p.model), &settings, 0, NULL, NULL};
    space.out_of_memory = &out_of_memory;
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "topology"};
    sca_view_topology(&in, &table);
    return table.status;
}

static void print(bool colour)
{
    size_t size = 0;
    free(text);
    text = NULL;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &table, colour), SCA_OK);
    fclose(out);
    for (const char *line = text; !colour && *line; line += strcspn(line, "\n") + 1)
        ck_assert_msg(strcspn(line, "\n") <= 80, "%s", line);
}

static void has(const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "%s\n--- in ---\n%s", part, text);
}

static void finish(void)
{
    free(text);
    text = NULL;
    sca_workspace_free(&space);
    model_free(p.model);
}

START_TEST(three_maps_stand_side_by_side)
{
    begin();
    ck_assert_int_eq(view(), SCA_OK);
    print(false);
    has("the ranks in their order");
    has("     computation (s)   waiting (s)               delay_cost (s)\n");
    has("   0 4# 4# 6@ 4#       2.00@ 2.00@ 0.00  2.00@   0.00  0.00  6.00@ 0.00 \n");
    has("delay_cost: most on rank 2, 6 s.");
    print(true);
    has("\033[30;48;5;203m6@\033[0m");
    finish();
}
END_TEST

START_TEST(a_metric_of_a_context_is_one_map)
{
    begin();
    settings.metric = "waiting";
    settings.root = "MPI_Allreduce";
    settings.ranks = "1-3";
    ck_assert_int_eq(view(), SCA_OK);
    ck_assert_uint_eq(table.nrows, 3);
    ck_assert_double_eq(table.rows[0].cells[0].number, 1);
    ck_assert_str_eq(table.columns[5].key, "waiting");
    ck_assert_double_eq_tol(table.rows[0].cells[5].number, 2, 0.05);
    print(false);
    has("of MPI_Allreduce");
    ck_assert_ptr_null(strstr(text, "computation (s)"));
    settings.metric = "heat";
    ck_assert_int_eq(view(), SCA_EINVAL);
    finish();
}
END_TEST

static void write_to(const char *path, const char *lines)
{
    FILE *file = fopen(path, "w");
    fputs(lines, file);
    fclose(file);
}

START_TEST(a_file_of_ones_own_is_drawn)
{
    char folder[TEMP_FOLDER], path[TEMP_FOLDER + 16];
    begin();
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/rooms", folder);
    write_to(path, "rank floor room\n0 1 0\n1 0 2\n2 0 0\n3 1 2\n");
    settings.topology = path;
    ck_assert_int_eq(view(), SCA_OK);
    print(false);
    has("rooms, file floor 2, room 3");
    has("floor room 0  1  2              0     1     2 ");
    has("    0      6@    4#          0.00        2.00@   6.00@       0.00 \n");
    has("    1      4#    4#          2.00@       2.00@   0.00        0.00 \n");
    has("delay_cost: most on rank 2 (floor 0, room 0), 6 s.");
    settings.slice = "floor=0";
    ck_assert_int_eq(view(), SCA_OK);
    ck_assert_uint_eq(table.nrows, 2);
    print(false);
    has("The map shows only floor = 0: 2 of 4 ranks.");
    write_to(path, "0 0\n1 1\n2 0\n3 1\n");
    ck_assert_int_eq(view(), SCA_EFORMAT);
    temp_folder_drop(folder);
    finish();
}
END_TEST

/* ---- what does not fit with numbers ---- */

static void draw(uint32_t rows, uint32_t columns)
{
    static struct sca_topology topology;
    static struct sca_fold fold;
    static struct sca_map map;
    double *values = sca_workspace_alloc(&space, (size_t)rows * columns, sizeof *values);
    sca_topologies_new(&space, rows * columns, 2, &topology);
    topology.dims[0] = rows;
    topology.dims[1] = columns;
    sca_topology_count_off(&topology);
    ck_assert_int_eq(sca_fold_make(&space, &topology, NULL, NULL, &fold), SCA_OK);
    for (uint32_t i = 0; i < rows * columns; i++)
        values[i] = i + 1 == rows * columns ? 1 : 0.001;
    map = (struct sca_map){&fold, 3, {{"a", "s", values}, {"b", "s", values}, {"c", "s", values}}};
    table =
        (struct sca_table){.space = &space, .title = "t", .draw = sca_map_draw, .drawing = &map};
    print(false);
}

static size_t count(char sign)
{
    size_t n = 0;
    for (const char *at = strchr(text, '\n'); *at && strncmp(at, "\nSigns", 6); at++)
        n += *at == sign;
    return n;
}

START_TEST(larger_maps_stand_one_below_the_other)
{
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
    draw(8, 8);
    has("dim1    0     1     2     3     4     5     6     7\n");
    ck_assert_uint_eq(count('@'), 3);
    draw(20, 20); /* signs, side by side */
    has("less than 1/6");
    ck_assert_uint_eq(count('@'), 3);
    ck_assert_uint_eq(count('.'), 3 * 399);
    draw(64, 64);
    ck_assert_uint_eq(count('.'), 3 * 4095);
    draw(256, 300);
    has("Each sign is the maximum of up to 4 x 5 places.");
    ck_assert_uint_eq(count('@'), 3);
    ck_assert_uint_eq(count('.'), 3 * (64 * 60 - 1));
    sca_workspace_free(&space);
    free(text);
    text = NULL;
}
END_TEST

SCA_SUITE("view of topologies", three_maps_stand_side_by_side, a_metric_of_a_context_is_one_map,
          a_file_of_ones_own_is_drawn, larger_maps_stand_one_below_the_other)
