#include "tree.h"
#include "sample_report.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static struct sca_report *report;
static struct sca_model model;

static void open_cg(void)
{
    sca_text_setup(true);
    report = sca_sample_cg("/src/cg.c");
    ck_assert_int_eq(sca_model_open(&model, report), 0);
}

static void close_cg(void)
{
    sca_model_close(&model);
    sca_report_free(report);
}

static void expect_line(struct sca_lines *lines, const char *wanted)
{
    ck_assert_str_eq(lines->line[0].text, wanted);
    sca_lines_free(lines);
}

START_TEST(causes_sort_by_each_key)
{
    static const struct {
        enum sca_sort by;
        uint32_t first, last;
    } orders[] = {{SCA_BY_GAIN, 0, 2},
                  {SCA_BY_COST, 0, 1},
                  {SCA_BY_TIME, 0, 2},
                  {SCA_BY_IMBALANCE, 2, 1},
                  {SCA_BY_SLOPE, 1, 2}};
    open_cg();
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        sca_model_sort(&model, orders[i].by);
        ck_assert_uint_eq(model.order[0], orders[i].first);
        ck_assert_uint_eq(model.order[2], orders[i].last);
    }
    close_cg();
}
END_TEST

START_TEST(figures_of_a_vertex)
{
    open_cg();
    ck_assert_double_eq_tol(sca_model_time(&model, 4), 10.16, 0.01);
    ck_assert_double_eq_tol(sca_model_imbalance(&model, 4), 2.44, 0.01);
    ck_assert_double_eq_tol(sca_model_slope(&model, 9), 0.02, 1e-9);
    ck_assert(isnan(sca_model_slope(&model, 4)));
    ck_assert(isnan(sca_model_value(&model, 3, SCA_BY_GAIN)));
    close_cg();
}
END_TEST

START_TEST(words_for_a_vertex)
{
    struct sca_lines lines = {0};
    uint32_t ranks[] = {0, 1, 2, 5, 7, 8};
    open_cg();
    sca_lines_begin(&lines, SCA_PLAIN, 0);
    sca_model_path(&lines, &model, 4, 80);
    expect_line(&lines, "main > loop:70 > conj_grad:72 > loop:20 > loop cg.c:24");
    sca_lines_begin(&lines, SCA_PLAIN, 0);
    sca_model_path(&lines, &model, 4, 20);
    expect_line(&lines, "…p:20 > loop cg.c:24");
    close_cg();
    sca_lines_begin(&lines, SCA_PLAIN, 0);
    sca_model_ranks(&lines, ranks, 6, 20);
    expect_line(&lines, "0-2,5,7-8");
}
END_TEST

START_TEST(seconds_take_the_fitting_unit)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0 s"},           {1.234, "1.23 s"}, {12.34, "12.3 s"},  {123.4, "123 s"},
                 {0.01234, "12.3 ms"}, {1e-5, "10.0 us"}, {0.9999, "1.00 s"}, {NAN, "n/a"},
                 {45678, "45678 s"},   {-1.5, "-1.50 s"}, {3e9, "3e+09 s"},   {1e-9, "0 s"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[16];
        ck_assert_str_eq(sca_label_seconds(cases[i].seconds, text), cases[i].text);
    }
}
END_TEST

START_TEST(search_looks_at_name_function_and_place)
{
    open_cg();
    ck_assert(sca_model_matches(&model, 7, "allreduce"));
    ck_assert(sca_model_matches(&model, 7, "CONJ"));
    ck_assert(sca_model_matches(&model, 7, ":44"));
    ck_assert(sca_model_matches(&model, 7, "cg.c"));
    ck_assert(!sca_model_matches(&model, 7, "/src"));
    ck_assert(!sca_model_matches(&model, 7, ":4"));
    close_cg();
}
END_TEST

START_TEST(the_tree_opens_closes_and_sorts)
{
    struct sca_tree tree;
    open_cg();
    ck_assert_int_eq(sca_tree_open(&tree, &model), 0);
    ck_assert_uint_eq(tree.nrows, 3); /* main, its loop, the serial part */
    ck_assert_uint_eq(sca_tree_reveal(&tree, 7), 7);
    ck_assert_uint_eq(tree.depth[7], 4);
    sca_tree_sort(&tree, SCA_BY_TIME);
    ck_assert_uint_eq(tree.row[4], 7); /* the Allreduce takes longest in its loop */
    sca_tree_expand(&tree, 0, false);
    ck_assert_uint_eq(tree.nrows, 1);
    sca_tree_expand_all(&tree, true);
    ck_assert_uint_eq(tree.nrows, report->nvertices);
    sca_tree_close(&tree);
    close_cg();
}
END_TEST

START_TEST(an_empty_report_has_an_empty_model)
{
    struct sca_report *empty = sca_report_new();
    struct sca_tree tree;
    ck_assert_int_eq(sca_model_open(&model, empty), 0);
    ck_assert_ptr_null(sca_model_largest(&model));
    ck_assert_int_eq(sca_tree_open(&tree, &model), 0);
    ck_assert_uint_eq(tree.nrows, 0);
    sca_tree_close(&tree);
    sca_model_close(&model);
    sca_report_free(empty);
}
END_TEST

VIEWER_SUITE("viewer_model", causes_sort_by_each_key, figures_of_a_vertex, words_for_a_vertex,
             seconds_take_the_fitting_unit, search_looks_at_name_function_and_place,
             the_tree_opens_closes_and_sorts, an_empty_report_has_an_empty_model)
