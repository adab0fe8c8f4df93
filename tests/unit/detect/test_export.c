#include "export/export.h"
#include "export/labels.h"
#include "html/outline.h"
#include "sample_report.h"
#include "sca_error.h"
#include "check_main.h"
#include "temp_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[TEMP_FOLDER];

/* main [loop [MPI_Wait], MPI_Wait x 2]: 4, 3, 0.5, 0.25 and 0.25 s on each of two ranks. */
static struct sca_report *small(void)
{
    static const struct {
        const char *kind, *name;
        uint32_t line, parent;
        double seconds;
    } places[] = {{"root", "main", 1, 0, 4},
                  {"mpi", "MPI_Wait", 9, 0, 0.25},
                  {"mpi", "MPI_Wait", 9, 0, 0.25},
                  {"loop", "", 3, 0, 3},
                  {"mpi", "op->\"x\";y", 5, 3, 0.5}};
    struct sca_report *r = sca_report_new();
    r->program = "small";
    r->nruns = 1;
    r->runs = sca_report_alloc(r, sizeof *r->runs);
    r->runs[0] = (struct sca_report_run){.dir = "d", .ranks = 2, .wall_s = 5};
    r->nvertices = 5;
    r->vertices = sca_report_alloc(r, 5 * sizeof *r->vertices);
    for (uint32_t i = 0; i < 5; i++) {
        struct sca_report_vertex *v = &r->vertices[i];
        *v = (struct sca_report_vertex){i,
                                        places[i].kind,
                                        places[i].name,
                                        "main",
                                        "a.c",
                                        places[i].line,
                                        0,
                                        places[i].parent,
                                        2,
                                        NULL,
                                        1,
                                        NULL,
                                        false};
        v->rank_s = sca_report_alloc(r, 2 * sizeof *v->rank_s);
        v->rank_s[0] = v->rank_s[1] = places[i].seconds;
        v->run_s = sca_report_alloc(r, sizeof *v->run_s);
        v->run_s[0] = 2 * places[i].seconds;
    }
    return r;
}

/* What the format makes of a report, which is released; free() it. */
static char *exported_metric(struct sca_report *report, const char *format, const char *metric)
{
    char wish[300], *text = NULL;
    size_t space = 0;
    snprintf(wish, sizeof wish, "%s:%s/file", format, folder);
    ck_assert_msg(sca_export_write(report, wish, metric) == SCA_OK, "%s", sca_error_message());
    sca_report_free(report);
    const char *path = strchr(wish, ':') + 1;
    FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(getdelim(&text, &space, '\0', file), 0);
    fclose(file);
    unlink(path);
    return text;
}

static char *exported(struct sca_report *report, const char *format)
{
    return exported_metric(report, format, NULL);
}

/* The small one with waits of rank 1 in the last call, and bytes of each rank in the one before. */
static struct sca_report *with_metrics(void)
{
    static const struct sca_report_metric metrics[] = {
        {"waiting", "", "s", "", "", UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, NULL, NULL, 0, NULL},
        {"mpi_bytes", "", "bytes", "", "", UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, NULL, NULL, 0,
         NULL},
        {"ratio", "", "1", "", "", UINT32_MAX, 0, 1, 1, 0, NULL, NULL, 0, NULL},
        {"PAPI_FP_OPS", "", "events", "", "no counter", UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 0,
         NULL, NULL, 0, NULL}};
    static const double waits[] = {0, 0.25}, bytes[] = {8, 16};
    struct sca_report *r = small();
    r->nmetrics = sizeof metrics / sizeof *metrics;
    r->metrics = sca_report_alloc(r, sizeof metrics);
    memcpy(r->metrics, metrics, sizeof metrics);
    for (uint32_t i = 0; i < 2; i++) {
        r->metrics[i].rows = sca_report_alloc(r, sizeof *r->metrics[i].rows);
        *r->metrics[i].rows = (struct sca_report_metric_row){.vertex = i ? 1 : 4};
        ck_assert_int_eq(sca_report_metric_row_fill(r, i ? bytes : waits, 2, r->metrics[i].rows),
                         0);
    }
    return r;
}

START_TEST(stacks_show_the_metric_that_is_chosen)
{
    char *text = exported_metric(with_metrics(), "folded", "waiting");
    ck_assert_str_eq(text, "main;loop a.c:3;op->\"x\",y a.c:5 250000\n");
    free(text);
    text = exported_metric(with_metrics(), "folded", "mpi_bytes");
    ck_assert_str_eq(text, "main;MPI_Wait a.c:9 24\n");
    free(text);
    text = exported_metric(with_metrics(), "speedscope", "mpi_bytes");
    ck_assert_ptr_nonnull(strstr(text, "\"name\":\"small: mpi_bytes\""));
    ck_assert_ptr_nonnull(strstr(text, "\"unit\":\"bytes\",\"startValue\":0,\"endValue\":16,\n"
                                       "\"samples\":[[0,1]],\n\"weights\":[16]"));
    free(text);
}
END_TEST

START_TEST(trees_have_every_metric)
{
    char *text = exported(with_metrics(), "hatchet");
    ck_assert_ptr_nonnull(strstr(text, "\"metrics\":{\"time\":2,\"time (inc)\":10,\"waiting\":0,"
                                       "\"waiting (inc)\":0.25,\"mpi_bytes\":0,"
                                       "\"mpi_bytes (inc)\":24}"));
    free(text);
    text = exported(with_metrics(), "caliper");
    ck_assert_ptr_nonnull(strstr(text, "[0,0.25,0,8,1],\n[1,0.25,0,16,1],\n"));
    ck_assert_ptr_nonnull(strstr(text, "[1,0.5,0.25,0,4]"));
    ck_assert_ptr_nonnull(strstr(text, "\"columns\":[\"mpi.rank\",\"sum#time.duration\","
                                       "\"sum#waiting\",\"sum#mpi_bytes\",\"path\"]"));
    free(text);
}
END_TEST

START_TEST(a_metric_that_stacks_cannot_show_is_refused)
{
    static const char *const wrong[][2] = {{"heat", "no metric of this run"},
                                           {"ratio", "a ratio cannot"},
                                           {"PAPI_FP_OPS", "no counter"},
                                           {"waiting", "no value per rank"}};
    struct sca_report *r = with_metrics();
    r->metrics[0].rows->complete = false;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_int_eq(sca_export_check_metric(r, wrong[i][0]), SCA_EINVAL);
        ck_assert_ptr_nonnull(strstr(sca_error_message(), wrong[i][1]));
        ck_assert_int_eq(sca_export_write(r, "folded:/nowhere/x", wrong[i][0]), SCA_EINVAL);
    }
    ck_assert_int_eq(sca_export_check_metric(r, NULL), SCA_OK);
    ck_assert_int_eq(sca_export_check_metric(r, "mpi_bytes"), SCA_OK);
    sca_report_free(r);
}
END_TEST

START_TEST(own_time_is_what_children_leave_and_mpi_is_its_own)
{
    static const double own[] = {1, 0.25, 0.25, 3, 0.5};
    static const uint32_t order[] = {0, 1, 2, 3, 4}, depth[] = {0, 1, 1, 1, 2};
    struct sca_report *r = small();
    struct sca_outline o;
    ck_assert_int_eq(sca_outline_open(&o, r), SCA_OK);
    for (uint32_t v = 0; v < 5; v++) {
        ck_assert(fabs(sca_outline_rank_s(&o, v, 1) - own[v]) < 1e-12);
        ck_assert(fabs(sca_outline_run_s(&o, v, 0) - 2 * own[v]) < 1e-12);
        ck_assert_uint_eq(o.order[v], order[v]);
        ck_assert_uint_eq(o.depth[v], depth[v]);
    }
    ck_assert(sca_outline_rank_s(&o, 0, 7) == 0);
    sca_outline_close(&o);
    sca_report_free(r);
}
END_TEST

START_TEST(equal_siblings_get_labels_of_their_own)
{
    struct sca_report *r = small();
    char **labels = sca_labels_make(r);
    ck_assert_str_eq(labels[0], "main");
    ck_assert_str_eq(labels[1], "MPI_Wait a.c:9");
    ck_assert_str_eq(labels[2], "MPI_Wait a.c:9 #2");
    ck_assert_str_eq(labels[3], "loop a.c:3");
    sca_labels_free(labels, 5);
    sca_report_free(r);
}
END_TEST

START_TEST(folded_stacks_count_microseconds)
{
    char *text = exported(small(), "folded");
    ck_assert_str_eq(text, "main 2000000\n"
                           "main;MPI_Wait a.c:9 500000\n"
                           "main;MPI_Wait a.c:9 #2 500000\n"
                           "main;loop a.c:3 6000000\n"
                           "main;loop a.c:3;op->\"x\",y a.c:5 1000000\n");
    free(text);
}
END_TEST

START_TEST(extrap_gets_a_line_per_vertex_and_run)
{
    char *text = exported(small(), "extrap");
    ck_assert_ptr_nonnull(strstr(text, "{\"params\":{\"p\":2},\"callpath\":\"main\","
                                       "\"metric\":\"time\",\"value\":1}\n"));
    ck_assert_ptr_nonnull(strstr(text, "\"main->loop a.c:3->op\xe2\x86\x92\\\"x\\\";y a.c:5\""));
    free(text);
}
END_TEST

START_TEST(hatchet_nests_and_adds_up)
{
    char *text = exported(small(), "hatchet");
    ck_assert_ptr_nonnull(strstr(text, "[{\"frame\":{\"name\":\"main\",\"type\":\"root\","
                                       "\"file\":\"a.c\",\"line\":1},"
                                       "\"metrics\":{\"time\":2,\"time (inc)\":10},"));
    const char end[] = "\"time (inc)\":1}}]}]}]\n";
    ck_assert_str_eq(text + strlen(text) - strlen(end), end);
    free(text);
}
END_TEST

START_TEST(every_format_takes_every_sample)
{
    static const char *const formats[] = {"caliper", "dot", "extrap",    "folded",
                                          "hatchet", "psg", "speedscope"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        char *one = exported(sca_sample_hostile(), formats[i]);
        char *two = exported(sca_sample_hostile(), formats[i]);
        ck_assert_str_eq(one, two);
        for (char *p = one; *p; p++)
            ck_assert((unsigned char)*p >= 0x20 || *p == '\n');
        free(one);
        free(two);
        free(exported(sca_sample_large(1000, 128), formats[i]));
    }
}
END_TEST

START_TEST(a_wrong_wish_is_refused)
{
    static const char *const wrong[] = {"", "dot", "dot:", ":x", "do:x", "dots:x", "DOT:x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_int_eq(sca_export_check(wrong[i]), SCA_EINVAL);
    ck_assert_int_eq(sca_export_check("dot:x"), SCA_OK);
    ck_assert_int_eq(sca_export_check("folded:a:b"), SCA_OK);
    struct sca_report *r = small();
    ck_assert_int_eq(sca_export_write(r, "folded:/nowhere/x", NULL), SCA_EIO);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "/nowhere/x"));
    ck_assert_int_eq(sca_export_write(r, "hatchet:/dev/full", NULL), SCA_EIO);
    sca_report_free(r);
}
END_TEST

START_TEST(an_empty_report_is_exported)
{
    struct sca_report *r = sca_report_new();
    char *text;
    text = exported(r, "hatchet");
    ck_assert_str_eq(text, "[]\n");
    free(text);
}
END_TEST

static void make_folder(void)
{
    temp_folder(folder);
}

static void drop_folder(void)
{
    temp_folder_drop(folder);
}

Suite *test_suite(void)
{
    const TTest *const tests[] = {own_time_is_what_children_leave_and_mpi_is_its_own,
                                  equal_siblings_get_labels_of_their_own,
                                  folded_stacks_count_microseconds,
                                  extrap_gets_a_line_per_vertex_and_run,
                                  hatchet_nests_and_adds_up,
                                  stacks_show_the_metric_that_is_chosen,
                                  trees_have_every_metric,
                                  a_metric_that_stacks_cannot_show_is_refused,
                                  every_format_takes_every_sample,
                                  a_wrong_wish_is_refused,
                                  an_empty_report_is_exported};
    Suite *suite = suite_create("export");
    TCase *tcase = tcase_create("export");
    tcase_add_unchecked_fixture(tcase, make_folder, drop_folder);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}
