/* The views' options against values worked out by hand: another metric, root and end of the hot
 * path; imbalance of a metric and by call path; ways to correlate; runs that were repeated. */
#include "viewed.h"
#include "views/correlate.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 8, ODD = 5 };

static struct viewed v;

/* One run: the ranks' extra work is 1 second, rank 2 has 3; of that, others wait. */
static void begin_run(void)
{
    viewed_begin(&v);
    viewed_run(&v, RANKS, 4, 1, 2, 3);
    model_ppg(v.program.model);
}

static int view(void (*make)(const struct sca_view_input *, struct sca_table *))
{
    return viewed_show(&v, make, "a view", 0);
}

static void near(uint32_t row, const char *key, double expected)
{
    ck_assert_double_eq_tol(viewed_cell(&v, row, key)->number, expected,
                            0.02 * fabs(expected) + 1e-6);
}

/* ---- hot path ---- */

START_TEST(the_hot_path_of_waits_leads_to_the_call_that_waits)
{
    begin_run();
    v.settings.metric = "waiting";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    uint32_t last = v.table.nrows - 1;
    ck_assert_ptr_eq(v.table.rows[last].place,
                     &model_graph(v.program.model)->vertices[v.program.sum]);
    near(last, "inclusive", 2 * (RANKS - 1));
    near(last, "share", 1);
    viewed_has_text(&v, "the hot path of waiting (s)");
    viewed_end(&v);
}
END_TEST

START_TEST(the_hot_path_begins_and_ends_where_it_is_told)
{
    begin_run();
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert_ptr_eq(v.table.rows[viewed_row(&v, v.program.work)].place,
                     &model_graph(v.program.model)->vertices[v.program.work]);
    ck_assert(v.table.rows[viewed_row(&v, v.program.work)].bold);
    v.settings.stop = 0.9; /* the work has 32 of 42 seconds */
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert(!v.table.rows[viewed_row(&v, v.program.work)].bold);
    v.settings.root = "MPI_Allreduce";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_OK);
    ck_assert_ptr_eq(v.table.rows[0].place, &model_graph(v.program.model)->vertices[v.program.sum]);
    ck_assert_uint_eq(v.table.nrows, 1);
    v.settings.root = "nowhere";
    ck_assert_int_eq(view(sca_view_hotpath), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--root=nowhere"));
    viewed_end(&v);
}
END_TEST

/* ---- imbalance ---- */

START_TEST(imbalance_of_a_metric_and_above_a_threshold)
{
    begin_run();
    v.settings.metric = "delay_cost";
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_double_eq(viewed_cell(&v, 0, "top_ranks")->series[0], 2);
    near(0, "max_over_mean", RANKS); /* one rank has all of it */
    near(0, "beyond_mean_share", (RANKS - 1.0) / RANKS);
    v.settings.metric = NULL;
    v.settings.threshold = 3.5; /* of the extra work no rank has as much */
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_uint_eq(v.table.nrows, 1);
    near(viewed_row(&v, v.program.work), "max_s", 4);
    v.settings.metric = "heat";
    ck_assert_int_eq(view(sca_view_imbalance), SCA_EINVAL);
    viewed_end(&v);
}
END_TEST

/* One function that two calls lead to: even over both, uneven along each. */
START_TEST(imbalance_by_call_path)
{
    struct model *m;
    uint32_t calls[2], loops[2];
    viewed_begin(&v);
    model_free(v.program.model);
    v.program.model = m = model_new();
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
    ck_assert_uint_eq(v.table.nrows, 1);
    near(0, "loss_core_s", 0);
    ck_assert_uint_eq(viewed_cell(&v, 0, "vertices")->count, 2);
    v.settings.by_path = true;
    ck_assert_int_eq(view(sca_view_imbalance), SCA_OK);
    ck_assert_uint_eq(v.table.nrows, 2);
    for (uint32_t i = 0; i < 2; i++) {
        near(viewed_row(&v, loops[i]), "loss_core_s", 2);
        ck_assert_double_eq(viewed_cell(&v, viewed_row(&v, loops[i]), "top_ranks")->series[0], i);
    }
    viewed_has_text(&v, "main > solve (line 11)");
    viewed_end(&v);
}
END_TEST

/* ---- correlation ---- */

static double correlate(enum sca_method method, const double *x, const double *y, uint32_t n)
{
    return sca_correlate(&v.space, method, x, y, n);
}

/* Two neighbours of five change places twice: differences of positions 1, 1, 1, 1, 0, so
 * 1 - 6 * 4 / (5 * 24); and 8 of 10 pairs are in order. */
START_TEST(methods_by_hand)
{
    const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 1, 4, 3, 5}, far[] = {1, 10, 100, 1000, 1e9};
    const double tx[] = {1, 1, 2, 3}, ty[] = {1, 2, 2, 3}; /* 4 pairs in order, a tie in each */
    viewed_begin(&v);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_PEARSON, x, y, 5), 0.8, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, x, y, 5), 0.8, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, x, y, 5), 0.6, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, x, far, 5), 1, 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, far, x, 5), 1, 1e-9);
    ck_assert_double_lt(correlate(SCA_METHOD_PEARSON, x, far, 5), 0.8);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_KENDALL, tx, ty, 4), 4 / sqrt(5 * 5), 1e-9);
    ck_assert_double_eq_tol(correlate(SCA_METHOD_SPEARMAN, tx, ty, 4), 3.75 / 4.5, 1e-9);
    ck_assert(isnan(correlate(SCA_METHOD_KENDALL, (double[]){1, 1, 1}, x, 3)));
    viewed_end(&v);
}
END_TEST

/* Pairs in and out of order, one by one. */
START_TEST(kendall_against_all_pairs)
{
    enum { N = 137 };
    double x[N], y[N], in = 0, of_x = 0, of_y = 0;
    viewed_begin(&v);
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
    viewed_end(&v);
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
    viewed_begin(&v);
    sca_correlate_line(&v.space, x, y, 6, &line);
    ck_assert_double_eq_tol(line.slope, 2, 1e-9);
    ck_assert_double_eq_tol(line.intercept, 1, 1e-9);
    ck_assert_double_gt(sca_correlate_distance(&line, 4, 900), line.usual);
    ck_assert_double_le(fabs(sca_correlate_distance(&line, 6, 13)), line.usual);
    sca_correlate_line(&v.space, (double[]){1, 1, 1}, y, 3, &line);
    ck_assert(isnan(line.slope));
    viewed_end(&v);
}
END_TEST

/* A hundred bytes a call, but for one rank that has three hundred more of them in all. */
START_TEST(ranks_off_the_line_are_named)
{
    viewed_begin(&v);
    double work[RANKS];
    program_fill(work, RANKS, 4);
    uint32_t run = program_run(&v.program, RANKS, work, work);
    uint32_t site = model_site(v.program.model, run, v.program.sum);
    for (uint32_t r = 0; r < RANKS; r++)
        model_calls(v.program.model, run, r, site, 10 + r, 100 * (10 + r) + (r == ODD ? 300 : 0),
                    1e-6);
    model_ppg(v.program.model);
    v.settings.pairwise = "mpi_calls,mpi_bytes";
    ck_assert_int_eq(view(sca_view_correlation), SCA_OK);
    uint32_t row = viewed_row(&v, v.program.sum);
    near(row, "slope", 100);
    ck_assert_uint_eq(viewed_cell(&v, row, "off_ranks")->count, 1);
    ck_assert_double_eq(viewed_cell(&v, row, "off_ranks")->series[0], ODD);
    ck_assert_double_eq_tol(viewed_cell(&v, row, "off_distances")->series[0], 300, 1e-6);
    viewed_has_text(&v, "rank 5 by +300");
    v.settings.pairwise = "mpi_calls";
    ck_assert_int_eq(view(sca_view_correlation), SCA_EINVAL);
    v.settings.pairwise = "mpi_calls,heat";
    ck_assert_int_eq(view(sca_view_correlation), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--pairwise=heat"));
    viewed_end(&v);
}
END_TEST

START_TEST(the_view_has_the_method_and_chances)
{
    begin_run();
    v.settings.method = SCA_METHOD_KENDALL;
    ck_assert_int_eq(view(sca_view_correlation), SCA_OK);
    near(0, "r_computation", 1);
    ck_assert_uint_eq(viewed_cell(&v, 0, "p_values")->count, 4);
    viewed_has_text(&v, "Kendall's correlation");
    viewed_end(&v);
}
END_TEST

/* ---- repeated runs ---- */

/* Of three runs, one has two seconds more of the extra work, another half a second more of the
 * other: whole runs take 5, 7 and 5.5 seconds. */
static void begin_repeated(void)
{
    const double works[] = {4, 4, 4.5}, extras[] = {1, 3, 1};
    viewed_begin(&v);
    for (int i = 0; i < 3; i++)
        viewed_run(&v, RANKS, works[i], extras[i], 0, extras[i]);
    model_ppg(v.program.model);
}

START_TEST(variability_names_what_makes_slow_runs_slow)
{
    begin_repeated();
    ck_assert_int_eq(view(sca_view_variability), SCA_OK);
    near(0, "difference_s", 2); /* the whole run: 5, 7 and 5.5 */
    near(0, "usual_s", 5.5);
    uint32_t extra = viewed_row(&v, v.program.body);
    ck_assert_uint_eq(extra, 1);
    near(extra, "fastest_s", 1);
    near(extra, "slowest_s", 3);
    near(extra, "part", (-2.0 / 3 * -5 / 6 + 4.0 / 3 * 7 / 6 + 2.0 / 3 * 1 / 3) / (13.0 / 6));
    double all = 0;
    for (uint32_t i = 1; i < v.table.nrows; i++)
        all += viewed_cell(&v, i, "part")->number;
    ck_assert_double_eq_tol(all, 1, 1e-6);
    viewed_has_text(&v, "3 runs on 8 ranks");
    viewed_end(&v);
}
END_TEST

START_TEST(efficiency_has_the_spread_of_repeated_runs)
{
    begin_repeated();
    v.settings.scaling = SCA_SCALING_STRONG;
    ck_assert_int_eq(view(sca_view_efficiency), SCA_OK);
    ck_assert_double_eq(viewed_cell(&v, 0, "runs")->series[0], 3);
    double mean = (5 + 7 + 5.5) / 3;
    ck_assert_double_eq_tol(viewed_cell(&v, 0, "least_efficiency")->series[0], mean / 7, 0.01);
    ck_assert_double_eq_tol(viewed_cell(&v, 0, "most_efficiency")->series[0], mean / 5, 0.01);
    viewed_has_text(&v, "8 ranks 0.83 to 1.17 (3 runs)");
    viewed_end(&v);
}
END_TEST

START_TEST(one_run_does_not_vary)
{
    begin_run();
    ck_assert_int_eq(view(sca_view_variability), SCA_EINVAL);
    viewed_end(&v);
}
END_TEST

SCA_SUITE("view options", the_hot_path_of_waits_leads_to_the_call_that_waits,
          the_hot_path_begins_and_ends_where_it_is_told,
          imbalance_of_a_metric_and_above_a_threshold, imbalance_by_call_path, methods_by_hand,
          kendall_against_all_pairs, chance_is_near_the_tables,
          a_line_is_not_bent_by_what_is_off_it, ranks_off_the_line_are_named,
          the_view_has_the_method_and_chances, variability_names_what_makes_slow_runs_slow,
          efficiency_has_the_spread_of_repeated_runs, one_run_does_not_vary)
