/* What threads computed in a context: through the file of a report, and added up over contexts. */
#include "check_main.h"
#include "sample_report.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/sca-threads-XXXXXX";

static struct sca_report *through_file(struct sca_report *r, int expected)
{
    struct sca_report *back = NULL;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    ck_assert_int_eq(sca_report_read(path, &back), expected);
    unlink(path);
    sca_report_free(r);
    return back;
}

static struct sca_report *sample(void)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_threads(r);
    return r;
}

START_TEST(threads_survive_the_file)
{
    struct sca_report *r = sample();
    double seconds[SCA_MOST_THREADS_LISTED];
    r->thread_times.left_out = 5;
    struct sca_report *back = through_file(r, SCA_OK);
    const struct sca_report_thread_times *t = &back->thread_times;
    ck_assert_uint_eq(t->nthreads, 80);
    ck_assert_uint_eq(t->left_out, 5);
    ck_assert_uint_eq(t->nlisted, 3);
    ck_assert_uint_eq(t->listed[2], 70);
    ck_assert(sca_report_thread_seconds(back, 4, false, 4, seconds));
    double all = back->vertices[4].rank_s[4];
    ck_assert_double_gt(all, 0);
    ck_assert_double_eq_tol(seconds[0], all / 2, 1e-5 * all);
    ck_assert_double_eq_tol(seconds[1], all / 4, 1e-5 * all);
    ck_assert_double_eq_tol(seconds[2], all / 8, 1e-5 * all);
    sca_report_free(back);
}
END_TEST

START_TEST(a_context_has_what_is_below_it)
{
    struct sca_report *r = sample();
    double seconds[SCA_MOST_THREADS_LISTED];
    ck_assert(sca_report_thread_seconds(r, 0, true, 0, seconds));
    ck_assert_double_eq(seconds[0], r->vertices[4].rank_s[0] / 2);
    ck_assert(!sca_report_thread_seconds(r, 0, false, 0, seconds));
    ck_assert(!sca_report_thread_seconds(r, 4, true, 8, seconds)); /* no such rank */
    sca_report_free(r);
}
END_TEST

START_TEST(a_report_without_threads_has_none)
{
    struct sca_report *back = through_file(sca_sample_cg("/nowhere/cg.c"), SCA_OK);
    double seconds[SCA_MOST_THREADS_LISTED];
    ck_assert_uint_eq(back->thread_times.nrows, 0);
    ck_assert(!sca_report_thread_seconds(back, 0, true, 0, seconds));
    sca_report_free(back);
}
END_TEST

START_TEST(what_is_no_table_of_threads_is_refused)
{
    struct sca_report *r = sample();
    r->thread_times.listed[1] = 70; /* twice */
    through_file(r, SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "thread_times.threads"));
    r = sample();
    r->thread_times.rows[0].vertex = r->nvertices;
    through_file(r, SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "thread_times.rows"));
    r = sample();
    r->thread_times.rows[0].seconds[3] = -1;
    through_file(r, SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "thread_times.rows"));
}
END_TEST

SCA_SUITE("report_threads", threads_survive_the_file, a_context_has_what_is_below_it,
          a_report_without_threads_has_none, what_is_no_table_of_threads_is_refused)
