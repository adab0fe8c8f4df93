/* How metrics go with the ranks, against slopes worked out by hand: work that is shared out, and
 * work that every rank repeats. */
#include "verdict_program.h"
#include "views/view.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <string.h>

enum { MOST = 8, WORK = 8 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_settings settings;
static struct sca_table table;
static struct program p;

static void run_on(uint32_t nranks)
{
    double work[MOST], extra[MOST];
    program_fill(work, nranks, (double)WORK / nranks);
    program_fill(extra, nranks, 1);
    program_run(&p, nranks, work, extra);
}

static void begin(void)
{
    p = program_new();
    settings = program_settings;
    settings.scaling = SCA_SCALING_STRONG;
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
}

static void begin_runs(void)
{
    begin();
    for (uint32_t nranks = 2; nranks <= MOST; nranks *= 2)
        run_on(nranks);
    model_ppg(p.model);
}

static int view(void)
{
    const struct sca_view_input in = {&space, model_graph(p.model), &settings, 0, NULL, NULL};
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "scaling"};
    sca_view_scaling(&in, &table);
    return table.status;
}

static void finish(void)
{
    sca_workspace_free(&space);
    model_free(p.model);
}

static const struct sca_cell *cell(const struct sca_row *row, const char *key)
{
    for (uint32_t c = 0; c < table.ncolumns; c++)
        if (!strcmp(table.columns[c].key, key))
            return &row->cells[c];
    ck_abort_msg("no column %s", key);
}

static const struct sca_row *row_of(uint32_t vertex)
{
    for (uint32_t i = 0; i < table.nrows; i++)
        if (table.rows[i].place == &table.ppg->vertices[vertex])
            return &table.rows[i];
    ck_abort_msg("vertex %u is not shown", vertex);
}

static const struct sca_row *row_named(const char *metric)
{
    for (uint32_t i = 0; i < table.nrows; i++)
        if (!strcmp(cell(&table.rows[i], "metric")->text, metric))
            return &table.rows[i];
    ck_abort_msg("metric %s is not shown", metric);
}

static void near(const struct sca_row *row, const char *key, double value)
{
    ck_assert_double_eq_tol(cell(row, key)->number, value, 0.01);
}

START_TEST(what_every_rank_repeats_grows)
{
    begin_runs();
    settings.metric = "computation";
    ck_assert_int_eq(view(), SCA_OK);
    const struct sca_row *repeated = row_of(p.body), *divided = row_of(p.work);
    near(repeated, "slope", 0);
    near(repeated, "ideal", -1);
    near(repeated, "fewest", 1);
    near(repeated, "most", 1);
    near(repeated, "beyond", MOST * (1 - 2.0 / MOST));
    ck_assert_str_eq(cell(repeated, "grows")->text, "yes");
    near(divided, "slope", -1);
    near(divided, "beyond", 0);
    ck_assert_str_eq(cell(divided, "grows")->text, "no");
    ck_assert_double_eq(cell(divided, "ranks")->series[1], 4);
    ck_assert_double_eq_tol(cell(divided, "per_rank")->series[1], WORK / 4.0, 0.01);
    finish();
}
END_TEST

/* Where the problem is to grow with the ranks, as much on each is ideal. */
START_TEST(weak_scaling_lets_work_stay)
{
    begin_runs();
    settings.scaling = SCA_SCALING_WEAK;
    settings.metric = "computation";
    ck_assert_int_eq(view(), SCA_OK);
    near(row_of(p.body), "ideal", 0);
    ck_assert_str_eq(cell(row_of(p.body), "grows")->text, "no");
    finish();
}
END_TEST

START_TEST(all_metrics_in_a_list)
{
    begin_runs();
    ck_assert_int_eq(view(), SCA_OK);
    near(row_named("computation"), "fewest", WORK / 2 + 1);
    near(row_named("computation"), "most", WORK / 8 + 1);
    ck_assert_str_eq(cell(row_named("computation"), "grows")->text, "yes");
    ck_assert_ptr_nonnull(row_named("computation")->detail); /* where */
    ck_assert_ptr_nonnull(
        strstr(cell(row_named("delay_cost"), "absent")->text, "only for the largest run"));
    ck_assert(isnan(cell(row_named("delay_cost"), "beyond")->number));
    finish();
}
END_TEST

START_TEST(one_number_of_ranks_has_no_slope)
{
    begin();
    run_on(4);
    model_ppg(p.model);
    settings.metric = "computation";
    ck_assert_int_eq(view(), SCA_OK);
    ck_assert(isnan(cell(row_of(p.body), "slope")->number));
    ck_assert_str_eq(cell(row_of(p.body), "grows")->text, "no");
    ck_assert_uint_eq(table.nnotes, 1);
    finish();
}
END_TEST

START_TEST(a_metric_that_there_is_not)
{
    begin_runs();
    settings.metric = "no_such";
    ck_assert_int_eq(view(), SCA_EINVAL);
    finish();
}
END_TEST

SCA_SUITE("scaling view", what_every_rank_repeats_grows, weak_scaling_lets_work_stay,
          all_metrics_in_a_list, one_number_of_ranks_has_no_slope, a_metric_that_there_is_not)
