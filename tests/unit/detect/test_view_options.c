/* The views' options against values worked out by hand: another metric, root and end of the hot
 * path; imbalance of a metric and by call path; ways to correlate; runs that were repeated. */
#include "verdict_program.h"
#include "views/correlate.h"
#include "views/view.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, ODD = 5 };

static jmp_buf out_of_memory;
static struct sca_workspace space;
static struct sca_settings settings;
static struct sca_table table;
static struct program p;

static void begin(void)
{
    p = program_new();
    settings = program_settings;
    space = (struct sca_workspace){.out_of_memory = &out_of_memory};
}

/* One run: the ranks' extra work is 1 second, rank 2 has 3; of that, others wait. */
static void begin_run(void)
{
    double work[RANKS], extra[RANKS];
    begin();
    program_fill(work, RANKS, 4);
    program_fill(extra, RANKS, 1);
    extra[2] = 3;
    program_run(&p, RANKS, work, extra);
    model_ppg(p.model);
}

static int view(void (*make)(const struct sca_view_input *, struct sca_table *))
{
    const struct sca_view_input in = {&space, model_graph(p.model), &settings, 0};
    space.out_of_memory = &out_of_memory;
    table = (struct sca_table){.space = &space, .ppg = in.ppg, .view = "a view"};
    make(&in, &table);
    return table.status;
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

static void near(uint32_t row, const char *key, double expected)
{
    ck_assert_double_eq_tol(cell(row, key)->number, expected, 0.02 * fabs(expected) + 1e-6);
}

static uint32_t row_of(uint32_t vertex)
{
    for (uint32_t i = 0; i < table.nrows; i++)
        if (table.rows[i].place == &model_graph(p.model)->vertices[vertex])
            return i;
    ck_abort_msg("vertex %u has no row", vertex);
}

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

/* ---- hot path ---- */

START_TEST(the_hot_path_of_waits_leads_to_the_call_that_waits)
{
    begin_run();
    settings.metric = "waiting";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    uint32_t last = table.nrows - 1;
    ck_assert_ptr_eq(table.rows[last].place, &model_graph(p.model)->vertices[p.sum]);
    near(last, "inclusive", 2 * (RANKS - 1));
    near(last, "share", 1);
    check_text("the hot path of waiting (s)");
    finish();
}
END_TEST

START_TEST(the_hot_path_begins_and_ends_where_it_is_told)
{
    begin_run();
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert_ptr_eq(table.rows[row_of(p.work)].place, &model_graph(p.model)->vertices[p.work]);
    ck_assert(table.rows[row_of(p.work)].bold);
    settings.stop = 0.9; /* the work has 32 of 42 seconds */
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert(!table.rows[row_of(p.work)].bold);
    settings.root = "MPI_Allreduce";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert_ptr_eq(table.rows[0].place, &model_graph(p.model)->vertices[p.sum]);
    ck_assert_uint_eq(table.nrows, 1);
    settings.root = "nowhere";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--root=nowhere"));
    finish();
}
END_TEST

/* ---- imbalance ---- */

START_TEST(imbalance_of_a_metric_and_above_a_threshold)
{
    begin_run();
    settings.metric = "delay_cost";
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_double_eq(cell(0, "top_ranks")->series[0], 2);
    near(0, "max_over_mean", RANKS); /* one rank has all of it */
    settings.metric = NULL;
    settings.threshold = 3.5; /* of the extra work no rank has as much */
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_uint_eq(table.nrows, 1);
    near(row_of(p.work), "max_s", 4);
    settings.metric = "heat";
    ck_assert_int_eq(view(sca_view_imbalance), SCA_EINVAL);
    finish();
}
END_TEST

/* One function that two calls lead to: even over both, uneven along each. */
START_TEST(imbalance_by_call_path)
{
    struct model *m;
    uint32_t calls[2], loops[2];
    begin();
    model_free(p.model);
    p.model = m = model_new();
    for (int i = 0; i < 2; i++) {
        calls[i] = model_vertex(m, 0, SCA_CALL, "solve", "main", 10 + (uint32_t)i);
        loops[i] = model_vertex(m, calls[i], SCA_LOOP, "", "solve", 30);
    }
    uint32_t sum = model_vertex(m, 0, SCA_MPI, "MPI_Allreduce", "main", 20);
    uint32_t run = model_run(m, 2), site = model_site(m, run, sum);
    for (uint32_t r = 0; r < 2; r++)
        for (uint32_t i = 0; i < 2; i++)
            model_work(m, run, r, site, site, 10, loops[i], r == i ? 3 : 1);
    model_ppg(m);
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_uint_eq(table.nrows, 1);
    near(0, "loss_core_s", 0);
    ck_assert_uint_eq(cell(0, "vertices")->count, 2);
    settings.by_path = true;
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_uint_eq(table.nrows, 2);
    for (uint32_t i = 0; i < 2; i++) {
        near(row_of(loops[i]), "loss_core_s", 2);
        ck_assert_double_eq(cell(row_of(loops[i]), "top_ranks")->series[0], i);
    }
    check_text("main > solve (line 11)");
    finish();
}
END_TEST

/* ---- correlation ---- */

static double correlate(enum sca_method method, const double *x, const double *y, uint32_t n)
{
    return sca_correlate(&space, method, x, y, n);
}

/* Two neighbours of five change places twice: differences of positions 1, 1, 1, 1, 0, so
 * 1 - 6 * 4 / (5 * 24); and 8 of 10 pairs are in order. */
START_TEST(methods_by_hand)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 1, 4, 3, 5}, far[] = {1, 10, 100, 1000, 1e9};
    const double tx[] = {1, 1, 2, 3}, ty[] = {1, 2, 2, 3}; /* 4 pairs in order, a tie in each */
    begin();
    ck_assert_double_eq_tol(correlate(SCA_METHOD_PEARSON, x, y, 5), 0.8, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, x, y, 5), 0.8, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, x, y, 5), 0.6, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, x, far, 5), 1, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, far, x, 5), 1, 1e-9);
    ck_assert_double_lt(correlate(SCA_METHOD_PEARSON, x, far, 5), 0.8);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, tx, ty, 4), 4 / sqrt(5 * 5), 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, tx, ty, 4), 3.75 / 4.5, 1e-9);
    ck_assert(isnan(correlate(SCA_METHOD_KENDALL, (double[]){1, 1, 1}, x, 3)));
    finish();
}
END_TEST

/* Pairs in and out of order, one by one. */
START_TEST(kendall_against_all_pairs)
{
    enum { N = 137 };
    double x[N], y[N], in = 0, of_x = 0, of_y = 0;
    begin();
    for (uint32_t i = 0; i < N; i++) {
        x[i] = i * 7919u % 61;
        y[i] = i * 104729u % 47 + x[i] / 3;
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = 0; j < i; j++) {
            double product = (x[i] - x[j]) * (y[i] - y[j]);
            in += (product > 0) - (product < 0);
            of_x += x[i] != x[j];
            of_y += y[i] != y[j];
        }
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, x, y, N), in / sqrt(of_x * of_y), 1e-12);
    finish();
}
END_TEST

/* Tables of critical values for ten pairs, two-sided, 1 in 20. */
START_TEST(chance_is_near_the_tables)
{
    const double tables[] = {0.632, 0.648, 0.511};
    for (int m = SCA_METHOD_PEARSON; m <= SCA_METHOD_KENDALL; m++) {
        ck_assert_double_eq_tol(sca_correlate_limit((enum sca_method)m, 10), tables[m], 0.03);
        ck_assert_double_eq_tol(sca_correlate_chance((enum sca_method)m, tables[m], 10), 0.05,
                                0.015);
        ck_assert(isnan(sca_correlate_chance((enum sca_method)m, 0.9, 3)));
    }
}
END_TEST

START_TEST(a_line_is_not_bent_by_what_is_off_it)
{
    const double x[] = {1, 2, 3, 4, 5, 6}, y[] = {3, 5, 7, 900, 11, 13};
    struct sca_line line;
    begin();
    sca_correlate_line(&space, x, y, 6, &line);
    ck_assert_double_eq_tol(line.slope, 2, 1e-9);
    ck_assert_double_eq_tol(line.intercept, 1, 1e-9);
    ck_assert_double_gt(sca_correlate_distance(&line, 4, 900), line.usual);
    ck_assert_double_le(fabs(sca_correlate_distance(&line, 6, 13)), line.usual);
    sca_correlate_line(&space, (double[]){1, 1, 1}, y, 3, &line);
    ck_assert(isnan(line.slope));
    finish();
}
END_TEST

/* A hundred bytes a call, but for one rank that has three hundred more of them in all. */
START_TEST(ranks_off_the_line_are_named)
{
    begin();
    double work[RANKS];
    program_fill(work, RANKS, 4);
    uint32_t run = program_run(&p, RANKS, work, work);
    uint32_t site = model_site(p.model, run, p.sum);
    for (uint32_t r = 0; r < RANKS; r++)
        model_calls(p.model, run, r, site, 10 + r, 100 * (10 + r) + (r == ODD ? 300 : 0), 1e-6);
    model_ppg(p.model);
    settings.pairwise = "mpi_calls,mpi_bytes";
    ck_assert_int_eq(view(sca_view_correlation), SCA_OK);
    uint32_t row = row_of(p.sum);
    near(row, "slope", 100);
    ck_assert_uint_eq(cell(row, "off_ranks")->count, 1);
    ck_assert_double_eq(cell(row, "off_ranks")->series[0], ODD);
    ck_assert_double_eq_tol(cell(row, "off_distances")->series[0], 300, 1e-6);
    check_text("rank 5 by +300");
    settings.pairwise = "mpi_calls";
    ck_assert_int_eq(view(sca_view_correlation), SCA_EINVAL);
    settings.pairwise = "mpi_calls,heat";
    ck_assert_int_eq(view(sca_view_correlation), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--pairwise=heat"));
    finish();
}
END_TEST

START_TEST(the_view_has_the_method_and_chances)
{
    begin_run();
    settings.method = SCA_METHOD_KENDALL;
    ck_assert_int_eq(view(sca_view_correlation), SCA_OK);
    near(0, "r_computation", 1);
    ck_assert_uint_eq(cell(0, "p_values")->count, 4);
    check_text("Kendall's correlation");
    finish();
}
END_TEST

/* ---- repeated runs ---- */

/* Of three runs, one has two seconds more of the extra work, another half a second more of the
 * other: whole runs take 5, 7 and 5.5 seconds. */
static void begin_repeated(void)
{
    const double works[] = {4, 4, 4.5}, extras[] = {1, 3, 1};
    begin();
    for (int i = 0; i < 3; i++) {
        double work[RANKS], extra[RANKS];
        program_fill(work, RANKS, works[i]);
        program_fill(extra, RANKS, extras[i]);
        program_run(&p, RANKS, work, extra);
    }
    model_ppg(p.model);
}

START_TEST(variability_names_what_makes_slow_runs_slow)
{
    begin_repeated();
    ck_assert_int_eq(view(sca_view_variability), SCA_OK);
    near(0, "difference_s", 2); /* the whole run: 5, 7 and 5.5 */
    near(0, "usual_s", 5.5);
    uint32_t extra = row_of(p.body);
    ck_assert_uint_eq(extra, 1);
    near(extra, "fastest_s", 1);
    near(extra, "slowest_s", 3);
    near(extra, "part", (-2.0 / 3 * -5 / 6 + 4.0 / 3 * 7 / 6 + 2.0 / 3 * 1 / 3) / (13.0 / 6));
    double all = 0;
    for (uint32_t i = 1; i < table.nrows; i++)
        all += cell(i, "part")->number;
    ck_assert_double_eq_tol(all, 1, 1e-6);
    check_text("3 runs on 8 ranks");
    finish();
}
END_TEST

START_TEST(efficiency_has_the_spread_of_repeated_runs)
{
    begin_repeated();
    settings.scaling = SCA_SCALING_STRONG;
    ck_assert_int_eq(view(sca_view_efficiency), SCA_OK);
    ck_assert_double_eq(cell(0, "runs")->series[0], 3);
    double mean = (5 + 7 + 5.5) / 3;
    ck_assert_double_eq_tol(cell(0, "least_efficiency")->series[0], mean / 7, 0.01);
    ck_assert_double_eq_tol(cell(0, "most_efficiency")->series[0], mean / 5, 0.01);
    check_text("8 ranks 0.83 to 1.17 (3 runs)");
    finish();
}
END_TEST

START_TEST(one_run_does_not_vary)
{
    begin_run();
    ck_assert_int_eq(view(sca_view_variability), SCA_EINVAL);
    finish();
}
END_TEST

SCA_SUITE("view options", the_hot_path_of_waits_leads_to_the_call_that_waits,
          the_hot_path_begins_and_ends_where_it_is_told,
          imbalance_of_a_metric_and_above_a_threshold, imbalance_by_call_path, methods_by_hand,
          kendall_against_all_pairs, chance_is_near_the_tables,
          a_line_is_not_bent_by_what_is_off_it, ranks_off_the_line_are_named,
          the_view_has_the_method_and_chances, variability_names_what_makes_slow_runs_slow,
          efficiency_has_the_spread_of_repeated_runs, one_run_does_not_vary)
