/* Metrics as text and JSON: a list of all, a tree of one, the critical path by place. */
#include "viewed.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 4 };

static struct viewed v;

/* Rank 2 has two seconds more of it than the others, who wait for it in the reduction. */
static void begin(void)
{
    viewed_begin(&v);
    viewed_run(&v, RANKS, 4, 0, 2, 2);
}

static int show_metric(const char *metric)
{
    v.settings.metric = metric;
    return viewed_show(&v, sca_view_metrics, "metrics", 0);
}

START_TEST(a_tree_has_own_and_inclusive_values)
{
    begin();
    model_ppg(v.program.model);
    ck_assert_int_eq(show_metric("delay_cost"), SCA_OK);
    ck_assert_ptr_eq(v.table.rows[0].place, model_graph(v.program.model)->vertices);
    double whole = viewed_cell(&v, 0, "inclusive")->number;
    ck_assert_double_eq_tol(whole, 2 * (RANKS - 1), 0.05);
    ck_assert_double_eq(viewed_cell(&v, 0, "exclusive")->number, 0);
    ck_assert_double_eq_tol(viewed_cell(&v, 0, "share")->number, 1, 1e-9);
    ck_assert_double_eq(viewed_cell(&v, 0, "most_rank")->number, 2);
    ck_assert_double_eq(viewed_cell(&v, 0, "least")->number, 0);
    ck_assert_uint_eq(viewed_cell(&v, 0, "inclusive_by_rank")->count, RANKS);
    uint32_t extra = viewed_row(&v, v.program.extra);
    ck_assert_double_eq_tol(
        viewed_cell(&v, extra, "exclusive")->number +
            viewed_cell(&v, viewed_row(&v, v.program.body), "exclusive")->number,
        whole, 0.05 * whole);
    viewed_has_text(&v, "delay_cost (s)");
    viewed_end(&v);
}
END_TEST

START_TEST(ranks_and_roots_are_chosen)
{
    begin();
    model_ppg(v.program.model);
    v.settings.ranks = "0-1,3";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_double_eq_tol(viewed_cell(&v, 0, "inclusive")->number, 2 * (RANKS - 1), 0.05);
    ck_assert_uint_eq(viewed_cell(&v, 0, "ranks")->count, 3);
    ck_assert_double_eq(viewed_cell(&v, 0, "ranks")->series[2], 3);
    v.settings.ranks = "2";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_uint_eq(v.table.nrows, 0);
    viewed_has_text(&v, "No context has any of it");
    v.settings.ranks = NULL;
    v.settings.root = "MPI_Allreduce";
    ck_assert_int_eq(show_metric("waiting"), SCA_OK);
    ck_assert_uint_eq(v.table.nrows, 1);
    ck_assert_ptr_eq(v.table.rows[0].place, &model_graph(v.program.model)->vertices[v.program.sum]);
    ck_assert_uint_eq(v.table.rows[0].depth, 0);
    viewed_end(&v);
}
END_TEST

START_TEST(all_metrics_are_listed)
{
    begin();
    model_meta(v.program.model, 0, "metrics.absent", "PAPI_TOT_INS");
    model_meta(v.program.model, 0, "sampling", "a timer");
    model_ppg(v.program.model);
    ck_assert_int_eq(show_metric(NULL), SCA_OK);
    ck_assert_uint_gt(v.table.nrows, 25);
    bool found = false;
    for (uint32_t i = 0; i < v.table.nrows; i++) {
        const char *name = viewed_cell(&v, i, "metric")->text;
        if (!strcmp(name, "computation"))
            ck_assert_double_eq_tol(viewed_cell(&v, i, "total")->number, 4 * RANKS + 2, 0.05);
        if (!strcmp(name, "waiting"))
            ck_assert_double_eq_tol(viewed_cell(&v, i, "most")->number, 2, 0.05);
        if (strcmp(name, "PAPI_TOT_INS"))
            continue;
        found = true;
        ck_assert(isnan(viewed_cell(&v, i, "total")->number));
        ck_assert_str_eq(viewed_cell(&v, i, "absent")->text,
                         "not counted: samples came from a timer");
    }
    ck_assert(found);
    viewed_has_text(&v, "n/a: not counted: samples came from a timer");
    ck_assert_int_eq(show_metric("PAPI_TOT_INS"), SCA_OK);
    ck_assert_uint_eq(v.table.nrows, 0);
    viewed_has_text(&v, "n/a: not counted");
    viewed_end(&v);
}
END_TEST

START_TEST(what_the_run_does_not_have_is_said)
{
    begin();
    model_ppg(v.program.model);
    ck_assert_int_eq(show_metric("heat"), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--metric=heat: no metric of this run"));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "critical_imbalance"));
    static const char *const sets[] = {"4", "1-", "-1", "2-1", "0,,1", "x", "0-9", "1;2"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        v.settings.ranks = sets[i];
        ck_assert_int_eq(show_metric("waiting"), SCA_EINVAL);
        ck_assert_ptr_nonnull(strstr(sca_error_message(), "ranks 0 to 3"));
    }
    v.settings.ranks = NULL;
    v.settings.root = "nowhere.c:1";
    ck_assert_int_eq(show_metric("waiting"), SCA_EINVAL);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "--root=nowhere.c:1: no context"));
    viewed_end(&v);
}
END_TEST

/* Rank 2 is the path; the others' four seconds are the mean of the work. */
START_TEST(the_critical_path_by_place)
{
    begin();
    model_ppg(v.program.model);
    ck_assert_int_eq(viewed_show(&v, sca_view_critical, "critical", 0), SCA_OK);
    double path = 0, lost = 0;
    for (uint32_t i = 0; i < v.table.nrows; i++) {
        path += viewed_cell(&v, i, "path_s")->number;
        lost += viewed_cell(&v, i, "imbalance_s")->number;
        ck_assert(i == 0 ||
                  viewed_cell(&v, i, "path_s")->number <= viewed_cell(&v, i - 1, "path_s")->number);
    }
    ck_assert_double_eq_tol(path, 6, 0.05);
    ck_assert_double_eq_tol(lost, 2 - 2.0 / RANKS, 0.05);
    ck_assert_uint_eq(viewed_cell(&v, 0, "ranks")->count, 1);
    ck_assert_double_eq(viewed_cell(&v, 0, "ranks")->series[0], 2);
    viewed_has_text(&v, "on rank 2 (");
    viewed_end(&v);
}
END_TEST

SCA_SUITE("view of metrics", a_tree_has_own_and_inclusive_values, ranks_and_roots_are_chosen,
          all_metrics_are_listed, what_the_run_does_not_have_is_said, the_critical_path_by_place)
