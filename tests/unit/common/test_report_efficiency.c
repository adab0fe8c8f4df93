/* POP's table: its rows and lines, and what was not measured. */
#include "sca_efficiency.h"
#include "sca_phrase.h"
#include "check_main.h"
#include "sample_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *line(const struct sca_report *r, uint32_t row)
{
    static char text[SCA_EFFICIENCY_LINE];
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(r, &n);
    ck_assert_uint_lt(row, n);
    return sca_efficiency_line(text, r, &rows[row], 0);
}

START_TEST(without_counters_computation_is_not_split_up)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(r, &n);
    ck_assert_uint_eq(n, 7);
    ck_assert_str_eq(rows[n - 1].name, "computation");
    r->efficiency[1].ipc = 0.75;
    rows = sca_efficiency_rows(r, &n);
    ck_assert_uint_eq(n, 10);
    ck_assert_str_eq(line(r, 8), "      IPC                     n/a     0.75      n/a");
    sca_report_free(r);
}
END_TEST

START_TEST(lines_stand_below_each_other)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    char text[SCA_EFFICIENCY_LINE];
    r->runs[1].complete = false;
    ck_assert_str_eq(sca_efficiency_ranks(text, r, 0),
                     "  ranks                         2       *4        8");
    ck_assert_str_eq(sca_efficiency_wall(text, r, 0),
                     "  wall                       22 s     12 s      7 s");
    ck_assert_str_eq(line(r, 1), "    parallel                 0.90     0.80     0.70");
    r->efficiency[2].transfer = NAN;
    ck_assert_str_eq(line(r, 5), "        transfer             0.99     0.98      n/a");
    sca_report_free(r);
}
END_TEST

static bool has_note(const struct sca_report *r, const char *text)
{
    const char *notes[SCA_EFFICIENCY_NOTES];
    uint32_t n = sca_efficiency_notes(r, notes);
    for (uint32_t i = 0; i < n; i++)
        if (strstr(notes[i], text))
            return true;
    return false;
}

START_TEST(what_a_reader_must_know_stands_below)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    ck_assert(has_note(r, "Computation is relative to the run on the fewest ranks."));
    ck_assert(!has_note(r, "n/a") && !has_note(r, "one core per rank") &&
              !has_note(r, "incomplete"));
    r->efficiency[0].transfer = NAN;
    r->runs[0].oversubscribed = true;
    r->runs[0].complete = false;
    ck_assert(has_note(r, "n/a") && has_note(r, "one core per rank") &&
              has_note(r, "* incomplete"));
    r->scaling_mode = "weak";
    ck_assert(has_note(r, "fewest ranks, per rank."));
    sca_report_free(r);
}
END_TEST

/* Written, its text changed, and read. */
static struct sca_report *round_trip(struct sca_report *r)
{
    char path[] = "/tmp/scalana-XXXXXX";
    int fd = mkstemp(path);
    struct sca_report *read;
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(sca_report_write(r, path), 0);
    ck_assert_int_eq(sca_report_read(path, &read), 0);
    unlink(path);
    sca_report_free(r);
    return read;
}

START_TEST(what_was_not_measured_survives_the_file)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    r->efficiency[1].transfer = NAN;
    r->efficiency[2].frequency = 0.9;
    r = round_trip(r);
    ck_assert(isnan(r->efficiency[1].transfer));
    ck_assert(isnan(r->efficiency[1].frequency));
    ck_assert_double_eq_tol(r->efficiency[2].frequency, 0.9, 1e-9);
    ck_assert_double_eq_tol(r->efficiency[2].transfer, 0.97, 1e-9);
    ck_assert_double_eq_tol(r->efficiency[2].global, 0.7 * 0.92, 1e-9);
    sca_report_free(r);
}
END_TEST

/* Older reports have no global efficiency. */
START_TEST(a_global_efficiency_that_is_missing_is_the_product)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    r->efficiency[0].global = NAN;
    r = round_trip(r);
    ck_assert_double_eq_tol(r->efficiency[0].global, 0.9, 1e-9);
    sca_report_free(r);
}
END_TEST

SCA_SUITE("report efficiency", without_counters_computation_is_not_split_up,
          lines_stand_below_each_other, what_a_reader_must_know_stands_below,
          what_was_not_measured_survives_the_file,
          a_global_efficiency_that_is_missing_is_the_product)
