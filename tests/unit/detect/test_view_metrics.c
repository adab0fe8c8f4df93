/* Metrics as text and JSON: a list of all, a tree of one, the critical path by place. */
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
static struct sca_settings settings;
static struct sca_table table;

/* Rank 2 has two seconds more of it than the others, who wait for it in the reduction. */
static void begin(void)
{
    double work[RANKS], extra[RANKS] = {0};
    p = program_new();
    program_fill(work, RANKS, 4);
    extra[2] = 2;
    program_run(&p, RANKS, work, extra);
    settings = program_settings;
    space = (struct sca_workspace){0};
}

static int view(void (*make)(const struct sca_view_input *, struct sca_table *), const char *name)
{
    const struct sca_view_input in = {&space, model_graph(p.model), &settings, 0};
    space.out_of_memory = &out_of_memory;
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = name};
    make(&in, &table);
    return table.status;
}

static int show_metric(const char *metric)
{
    settings.metric = metric;
    return view(sca_view_metrics, "metrics");
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

static uint32_t row_at(uint32_t vertex)
{
    const struct sca_ppg_vertex *place = &model_graph(p.model)->vertices[vertex];
    for (uint32_t i = 0; i < table.nrows; i++)
        if (table.rows[i].place == place)
            return i;
    ck_abort_msg("vertex %u has no row", vertex);
}

/* In 80 columns. */
static void check_text(const char *part)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(sca_table_print(out, &table, false), SCA_OK);
    fclose(out);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    ck_assert_msg(strstr(text, part) != NULL, "%s", text);
    free(text);
}

START_TEST(a_tree_has_own_and_inclusive_values)
{
    begin();
    model_ppg(p.model);
    ck_assert_int_eq(show_metric("delay_cost"), SCA_OK);
    ck_assert_ptr_eq(table.rows[0].place, model_graph(p.model)->vertices);
    double whole = cell(0, "inclusive")->number;
    ck_assert_double_eq_tol(whole, 2 * (RANKS - 1), 0.05);
    ck_assert_double_eq(cell(0, "exclusive")->number, 0);
    ck_assert_double_eq_tol(cell(0, "share")->number, 1, 1e-9);
    ck_assert_double_eq(cell(0, "most_rank")->number, 2);
    ck_assert_double_eq(cell(0, "least")->number, 0);
    ck_assert_uint_eq(cell(0, "inclusive_by_rank")->count, RANKS);
    uint32_t extra = row_at(p.extra);
    ck_assert_double_eq_tol(cell(extra, "exclusive")->number +
                                cell(row_at(p.body), "exclusive")->number,
                            whole, 0.05 * whole);
    check_text("delay_cost (s)");
    finish();
}
END_TEST

START_TEST(ranks_and_roots_are_chosen)
{
    begin();
    model_ppg(p.model);
    settings.ranks = "0-1,3";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_double_eq_tol(cell(0, "inclusive")->number, 2 * (RANKS - 1), 0.05);
    ck_assert_uint_eq(cell(0, "ranks")->count, 3);
    ck_assert_double_eq(cell(0, "ranks")->series[2], 3);
    settings.ranks = "2";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_uint_eq(table.nrows, 0);
    check_text("There is nothing of it");
    settings.ranks = NULL;
    settings.root = "MPI_Allreduce";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_uint_eq(table.nrows, 1);
    ck_assert_ptr_eq(table.rows[0].place, &model_graph(p.model)->vertices[p.sum]);
    ck_assert_uint_eq(table.rows[0].depth, 0);
    finish();
}
END_TEST

START_TEST(all_metrics_are_listed)
{
    begin();
    model_meta(p.model, 0, "metrics.absent", "PAPI_TOT_INS");
    model_meta(p.model, 0, "sampling", "a timer");
    model_ppg(p.model);
    ck_assert_int_eq(show_metric(NULL), SCA_OK);
    ck_assert_uint_gt(table.nrows, 25);
    bool found = false;
    for (uint32_t i = 0; i < table.nrows; i++) {
        const char *name = cell(i, "metric")->text;
        if (!strcmp(name, "computation"))
            ck_assert_double_eq_tol(cell(i, "total")->number, 4 * RANKS + 2, 0.05);
        if (!strcmp(name, "waiting"))
            ck_assert_double_eq_tol(cell(i, "most")->number, 2, 0.05);
        if (strcmp(name, "PAPI_TOT_INS"))
            continue;
        found = true;
        ck_assert(isnan(cell(i, "total")->number));
        ck_assert_str_eq(cell(i, "absent")->text, "not counted: samples came from a timer");
    }
    ck_assert(found);
    check_text("n/a: not counted: samples came from a timer");
    ck_assert_int_eq(show_metric("PAPI_TOT_INS"), SCA_OK);
    ck_assert_uint_eq(table.nrows, 0);
    check_text("n/a: not counted");
    finish();
}
END_TEST

START_TEST(what_the_run_does_not_have_is_said)
{
    begin();
    model_ppg(p.model);
    ck_assert_int_eq(show_metric("heat"), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--metric=heat: no metric of this run"));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "critical_imbalance"));
    static const char *const sets[] = {"4", "1-", "-1", "2-1", "0,,1", "x", "0-9", "1;2"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        settings.ranks = sets[i];
        ck_assert_int_eq(show_metric("waiting"), SCA_EINVAL);
        ck_assert_ptr_nonnull(strstr(sca_error_message(), "ranks 0 to 3"));
    }
    settings.ranks = NULL;
    settings.root = "nowhere.c:1";
    ck_assert_int_eq(show_metric("waiting"), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--root=nowhere.c:1: no context"));
    finish();
}
END_TEST

/* Rank 2 is the path; the others' four seconds are the mean of the work. */
START_TEST(the_critical_path_by_place)
{
    begin();
    model_ppg(p.model);
    ck_assert_int_eq(view(sca_view_critical, "critical"), SCA_OK);
    double path = 0, lost = 0;
    for (uint32_t i = 0; i < table.nrows; i++) {
        path += cell(i, "path_s")->number;
        lost += cell(i, "imbalance_s")->number;
        ck_assert(i == 0 || cell(i, "path_s")->number <= cell(i - 1, "path_s")->number);
    }
    ck_assert_double_eq_tol(path, 6, 0.05);
    ck_assert_double_eq_tol(lost, 2 - 2.0 / RANKS, 0.05);
    ck_assert_uint_eq(cell(0, "ranks")->count, 1);
    ck_assert_double_eq(cell(0, "ranks")->series[0], 2);
    check_text("on rank 2 (");
    finish();
}
END_TEST

SCA_SUITE("view of metrics", a_tree_has_own_and_inclusive_values, ranks_and_roots_are_chosen,
          all_metrics_are_listed, what_the_run_does_not_have_is_said, the_critical_path_by_place)
