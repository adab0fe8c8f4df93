/* The metrics of a report: rows as short as the ranks allow, and their way through the file. */
#include "sample_report.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS = 20 };

static char path[] = "/tmp/sca-metrics-XXXXXX";
static struct sca_report_metric_row row;
static double values[RANKS];

static void fill(struct sca_report *r)
{
    row = (struct sca_report_metric_row){.vertex = 1};
    ck_assert_int_eq(sca_report_metric_row_fill(r, values, RANKS, &row), SCA_OK);
}

static void set(double (*of)(uint32_t rank))
{
    for (uint32_t r = 0; r < RANKS; r++)
        values[r] = of(r);
}

static double rising(uint32_t rank)
{
    return rank + 1;
}

static double equal(uint32_t rank)
{
    return rank < RANKS ? 3 : 0;
}

static double on_two(uint32_t rank)
{
    return rank == 3 ? 4 : rank == 17 ? 2 : 0;
}

START_TEST(rows_are_as_short_as_ranks_allow)
{
    static double (*const of[])(uint32_t) = {rising, equal, on_two};
    static const uint32_t lengths[] = {RANKS, 1, 2};
    static const double sums[] = {RANKS * (RANKS + 1) / 2.0, 3 * RANKS, 6};
    struct sca_report *r = sca_report_new();
    for (int i = 0; i < 3; i++) {
        set(of[i]);
        fill(r);
        ck_assert_uint_eq(row.nvalues, lengths[i]);
        ck_assert_double_eq(row.sum, sums[i]);
        for (uint32_t rank = 0; rank < RANKS; rank++)
            ck_assert_double_eq(sca_report_metric_value(&row, rank), values[rank]);
    }
    sca_report_free(r);
}
END_TEST

START_TEST(a_shortened_row_tells_spread_and_named_ranks)
{
    static const uint32_t named[] = {2, 9};
    double sorted[RANKS];
    struct sca_report *r = sca_report_new();
    set(rising);
    fill(r);
    ck_assert_int_eq(sca_report_metric_row_shorten(r, values, RANKS, named, 2, sorted, &row), 0);
    ck_assert(!row.complete && row.nvalues == 2 && row.nquantiles == SCA_REPORT_QUANTILES);
    ck_assert_double_eq(row.quantiles[0], 1);
    ck_assert_double_eq_tol(row.quantiles[1], 1.95,
                            1e-12); /* a twentieth of the way from 1 to 20 */
    ck_assert_double_eq_tol(row.quantiles[3], 10.5, 1e-12);
    ck_assert_double_eq(row.quantiles[6], RANKS);
    ck_assert_uint_eq(row.least_rank, 0);
    ck_assert_uint_eq(row.most_rank, RANKS - 1);
    ck_assert_double_eq(sca_report_metric_value(&row, 9), 10);
    ck_assert(isnan(sca_report_metric_value(&row, 10)));
    ck_assert_int_eq(sca_report_metric_row_shorten(r, values, RANKS, named, 0, NULL, &row), 0);
    ck_assert_uint_eq(row.nquantiles, 2);
    ck_assert_double_eq(row.quantiles[1], RANKS);
    sca_report_free(r);
}
END_TEST

static struct sca_report *round_trip(struct sca_report *report)
{
    struct sca_report *back = NULL;
    ck_assert_int_eq(sca_report_write(report, path), SCA_OK);
    ck_assert_msg(sca_report_read(path, &back) == SCA_OK, "%s", sca_error_message());
    sca_report_free(report);
    return back;
}

START_TEST(they_survive_the_file)
{
    struct sca_report *r = round_trip(sca_sample_cg("/src/cg.c"));
    ck_assert_uint_eq(r->nmetrics, 5);
    const struct sca_report_metric *comp = sca_report_metric_find(r, "computation");
    ck_assert_str_eq(comp->title, "Computation");
    ck_assert_str_eq(comp->unit, "s");
    ck_assert_uint_eq(comp->nrows, 2);
    ck_assert_uint_eq(comp->rows[0].vertex, 4);
    ck_assert_double_eq_tol(sca_report_metric_value(&comp->rows[0], 3), 1.375, 1e-9);
    ck_assert(comp->rows[1].same);
    ck_assert_double_eq(sca_report_metric_value(&comp->rows[1], 7), 0.5);
    ck_assert_double_eq_tol(comp->by_rank[3], 1.375 + 0.5, 1e-9);
    ck_assert_uint_eq(comp->nothers, 1);
    ck_assert_uint_eq(comp->others[0].run, 0);
    ck_assert_uint_eq(comp->others[0].nrows, 1);
    ck_assert_uint_eq(comp->others[0].rows[0].vertex, 4);
    ck_assert_double_eq(comp->others[0].rows[0].sum, 6.25);
    const struct sca_report_metric *waiting = sca_report_metric_find(r, "waiting");
    ck_assert_uint_eq(waiting->nothers, 0);
    ck_assert_ptr_null(waiting->by_rank);
    ck_assert_uint_eq(waiting->rows[0].nvalues, 1);
    ck_assert_double_eq(sca_report_metric_value(&waiting->rows[0], 4), 2.5);
    ck_assert_double_eq(sca_report_metric_value(&waiting->rows[0], 5), 0);
    ck_assert_ptr_eq(&r->metrics[sca_report_metric_find(r, "late_sender")->parent], waiting);
    const struct sca_report_metric *ratio = sca_report_metric_find(r, "PAPI_FP_OPS_per_s");
    ck_assert_str_eq(r->metrics[ratio->of].absent, "no counter");
    ck_assert_ptr_eq(&r->metrics[ratio->per], comp);
    ck_assert_ptr_null(sca_report_metric_find(r, "heat"));
    sca_report_free(r);
}
END_TEST

/* Of more numbers than there is room for, those of the causes' vertices and the heaviest stay. */
START_TEST(a_large_report_keeps_what_matters)
{
    enum { MANY = 4096, VERTICES = 40 };
    static double all[MANY];
    struct sca_report *r = sca_sample_large(VERTICES, MANY);
    r->ncauses = 2;
    r->nmetrics = 1;
    r->metrics = sca_report_alloc(r, sizeof *r->metrics);
    *r->metrics =
        (struct sca_report_metric){"waiting",  "", "s",      "",   "",   UINT32_MAX, UINT32_MAX,
                                   UINT32_MAX, 1,  VERTICES, NULL, NULL, 0,          NULL};
    r->metrics->rows = sca_report_alloc(r, VERTICES * sizeof *r->metrics->rows);
    for (uint32_t i = 0; i < MANY; i++)
        all[i] = i;
    for (uint32_t v = 0; v < VERTICES; v++) {
        r->metrics->rows[v] = (struct sca_report_metric_row){.vertex = v};
        ck_assert_int_eq(sca_report_metric_row_fill(r, all, MANY, &r->metrics->rows[v]), SCA_OK);
    }
    r = round_trip(r);
    uint32_t complete = 0;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const struct sca_report_metric_row *each = &r->metrics->rows[v];
        complete += each->complete;
        ck_assert_double_eq_tol(each->sum, MANY * (MANY - 1) / 2.0, 1);
        ck_assert_double_eq(sca_report_metric_value(each, r->causes[1].ranks[0]), 1);
        ck_assert(each->complete || each->most_rank == MANY - 1);
    }
    ck_assert(r->metrics->rows[1].complete && r->metrics->rows[2].complete);
    ck_assert_uint_ge(complete, 3);
    ck_assert_uint_lt(complete, VERTICES / 2);
    sca_report_free(r);
}
END_TEST

static int read_with(const char *metrics, struct sca_report **out)
{
    FILE *file = fopen(path, "w");
    fprintf(file,
            "{\"schema\":\"scalana-report/1\",\"program\":{},\"runs\":[{\"ranks\":2}],"
            "\"vertices\":[{}],\"root_causes\":[]%s}",
            metrics);
    fclose(file);
    return sca_report_read(path, out);
}

START_TEST(an_older_report_has_none)
{
    struct sca_report *r = NULL;
    ck_assert_int_eq(read_with("", &r), SCA_OK);
    ck_assert_uint_eq(r->nmetrics, 0);
    ck_assert_ptr_null(sca_report_metric_find(r, "waiting"));
    sca_report_free(r);
}
END_TEST

/* Of a row in a report of very many numbers only the spread over the ranks is there. */
START_TEST(a_row_without_ranks_survives_the_file)
{
    struct sca_report *r = NULL;
    ck_assert_int_eq(read_with(",\"metrics\":[{\"name\":\"a\",\"rows\":[{\"vertex\":0,\"sum\":3,"
                               "\"values\":[],\"ranks\":[],\"quantiles\":[1,2],\"least_rank\":0,"
                               "\"most_rank\":1}]}]",
                               &r),
                     SCA_OK);
    const struct sca_report_metric_row *row = &r->metrics->rows[0];
    ck_assert(!row->complete);
    ck_assert_double_eq(row->sum, 3);
    ck_assert(isnan(sca_report_metric_value(row, 1)));
    sca_report_free(r);
}
END_TEST

START_TEST(damage_is_named)
{
    static const char *const rows[][2] = {
        {"{\"vertex\":1,\"each\":1}", "vertex points to nothing"},
        {"{\"vertex\":0,\"values\":[1]}", "values does not have one for each rank"},
        {"{\"vertex\":0,\"values\":[1],\"ranks\":[2]}", "ranks holds a rank"},
        {"{\"vertex\":0,\"values\":[1,2],\"ranks\":[1,0]}", "ranks does not rise"},
        {"{\"vertex\":0,\"values\":[],\"ranks\":[],\"quantiles\":[1]}", "quantiles has another"},
        {"{\"vertex\":0,\"values\":[],\"ranks\":[],\"quantiles\":[1,2],\"least_rank\":0,"
         "\"most_rank\":2}",
         "most_rank points to nothing"},
        {"{\"vertex\":0,\"each\":\"x\"}", "each has the wrong type"}};
    struct sca_report *r = NULL;
    char text[512];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, ",\"metrics\":[{\"name\":\"a\",\"rows\":[%s]}]", rows[i][0]);
        ck_assert_int_eq(read_with(text, &r), SCA_EFORMAT);
        ck_assert_msg(strstr(sca_error_message(), rows[i][1]) != NULL, "%s", sca_error_message());
    }
    ck_assert_int_eq(read_with(",\"metrics\":[{\"name\":\"a\",\"parent\":\"b\"}]", &r),
                     SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "parent names no metric"));
    ck_assert_int_eq(read_with(",\"metrics\":[{\"name\":\"a\",\"of\":\"a\"}]", &r), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "ratio of one metric"));
}
END_TEST

static void open_file(void)
{
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
}

static void remove_file(void)
{
    unlink(path);
}

Suite *test_suite(void)
{
    Suite *suite = suite_create("report metrics");
    TCase *tcase = tcase_create("report metrics");
    tcase_add_checked_fixture(tcase, open_file, remove_file);
    tcase_add_test(tcase, rows_are_as_short_as_ranks_allow);
    tcase_add_test(tcase, a_row_without_ranks_survives_the_file);
    tcase_add_test(tcase, a_shortened_row_tells_spread_and_named_ranks);
    tcase_add_test(tcase, they_survive_the_file);
    tcase_add_test(tcase, a_large_report_keeps_what_matters);
    tcase_add_test(tcase, an_older_report_has_none);
    tcase_add_test(tcase, damage_is_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
