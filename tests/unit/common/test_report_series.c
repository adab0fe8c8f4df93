/* The series of a report: its way through the file, and what is none. */
#include "check_main.h"
#include "sample_report.h"
#include "written_report.h"
#include "sca_error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/sca-series-XXXXXX";

static void begin(void)
{
    written_report_begin(path);
}

/* The sample with the first text behind "series" replaced. */
static int read_with(const char *part, const char *other)
{
    return written_report_read_with(sca_sample_cg("/nowhere/cg.c"), path, "\"series\":", part,
                                    other);
}

START_TEST(it_survives_the_file)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c"), *back = NULL;
    struct sca_report_series_events events[] = {{"PAPI_L2_TCM", 8, 30, 40, 20, 35},
                                                {"PAPI_FP_OPS", 0, NAN, NAN, NAN, NAN}};
    r->series.loops[0].clusters[0].nevents = 2;
    r->series.loops[0].clusters[0].events = events;
    begin();
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    ck_assert_int_eq(sca_report_read(path, &back), SCA_OK);
    const struct sca_report_series *s = &back->series, *was = &r->series;
    ck_assert_uint_eq(s->nloops, 1);
    const struct sca_report_series_loop *l = &s->loops[0];
    ck_assert_str_eq(l->source, "marker");
    ck_assert_uint_eq(l->vertex, 5);
    ck_assert_uint_eq(l->npoints, was->loops[0].npoints);
    for (int c = 0; c < SCA_REPORT_SERIES_COLUMNS; c++)
        for (uint32_t i = 0; i < l->npoints; i++)
            if (isnan(was->loops[0].points[c][i]))
                ck_assert(isnan(l->points[c][i]));
            else
                ck_assert_double_eq_tol(l->points[c][i], was->loops[0].points[c][i], 1e-9);
    ck_assert_uint_eq(l->nclusters, 2);
    ck_assert_double_eq(l->clusters[1].iterations, 3);
    ck_assert(isnan(l->clusters[1].parallel));
    ck_assert(isnan(l->clusters[1].serialisation) && isnan(l->clusters[0].transfer));
    ck_assert_double_eq(l->clusters[0].serialisation, 0.9);
    ck_assert_double_eq(l->clusters[0].recorded, 3);
    ck_assert_uint_eq(l->clusters[0].ncontexts, 2);
    ck_assert_uint_eq(l->clusters[0].contexts[1].vertex, 5);
    ck_assert_double_eq(l->clusters[0].contexts[1].wait_s, 0.1);
    ck_assert_uint_eq(l->clusters[0].nevents, 2);
    ck_assert_uint_eq(l->clusters[1].nevents, 0);
    const struct sca_report_series_events *e = l->clusters[0].events;
    ck_assert_str_eq(e[0].event, "PAPI_L2_TCM");
    ck_assert_double_eq(e[0].iterations, 8);
    ck_assert(e[0].mean == 30 && e[0].max == 40 && e[0].least == 20 && e[0].most == 35);
    ck_assert(isnan(e[1].mean) && isnan(e[1].most));
    ck_assert_double_eq(s->phases[0].transfer, 0.74);
    ck_assert_uint_eq(l->nchanges, 1);
    ck_assert_str_eq(l->changes[0].acts, "from iteration 9 on (second 4.1)");
    ck_assert_uint_eq(l->changes[0].ranks[0], 3);
    ck_assert_uint_eq(s->nphases, 2);
    ck_assert_str_eq(s->phases[1].name, "first part");
    ck_assert_uint_eq(s->phases[1].parent, 0);
    ck_assert_uint_eq(s->phases[0].parent, UINT32_MAX);
    ck_assert_double_eq(s->phases[0].load_balance, 0.75);
    sca_report_free(r);
    sca_report_free(back);
    unlink(path);
}
END_TEST

START_TEST(what_does_not_belong_together_is_refused)
{
    static const char *const wrong[][3] = {
        {"\"cluster\":\t[0, ", "\"cluster\":\t[2, ", "cluster"},
        {"\"phase\":\t[1, ", "\"phase\":\t[2, ", "phase"},
        {"\"iterations\":\t[1, ", "\"iterations\":\t[0, ", "iterations"},
        {"\"span_s\":\t[0.5, ", "\"span_s\":\t[", "span_s"},
        {"\"span_s\":\t[0.5, ", "\"span_s\":\t[\"x\", ", "span_s"},
        {"\"serialisation\":\t[0.9, ", "\"serialisation\":\t[", "serialisation"},
        {"\"vertex\":\t2", "\"vertex\":\t2000", "vertex"},
        {"\"parent\":\t0", "\"parent\":\t1", "parent"},
        {"\"vertex\":\t5", "\"vertex\":\t5000", "vertex"},
        {"\"ranks\":\t[3]", "\"ranks\":\t[300]", "ranks"},
    };
    begin();
    ck_assert_int_eq(read_with("\"loops\"", "\"loops\""), SCA_OK);
    ck_assert_int_eq(read_with("\"loops\"", "\"loop\""), SCA_OK);          /* then it has none */
    ck_assert_int_eq(read_with("\"serialisation\"", "\"older\""), SCA_OK); /* not known */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(read_with(wrong[i][0], wrong[i][1]) == SCA_EFORMAT, "%s", wrong[i][1]);
        ck_assert_ptr_nonnull(strstr(sca_error_message(), wrong[i][2]));
    }
    unlink(path);
}
END_TEST

SCA_SUITE("report_series", it_survives_the_file, what_does_not_belong_together_is_refused)
