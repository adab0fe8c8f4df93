/* An iteration in which nobody computed: the machine slept, or its clock jumped. */
#include "check_main.h"
#include "measured.h"
#include "report/notes.h"
#include "sca_series.h"

#include <string.h>

enum { POINTS = 5, MOST_NOTES = 4 };

static struct sca_series_point points[POINTS];
static struct sca_series_section section = {.npoints = POINTS};
static struct sca_series series = {
    .nsections = 1, .npoints = POINTS, .sections = &section, .points = points};
static struct sca_profile profile = {.series = &series};
static struct sca_ppg_run run = {.profile = &profile};
static struct sca_ppg ppg = {.nruns = 1, .runs = &run};

/* The note on iterations of 1 s, of which the fourth takes `span` and has `own` computed in it. */
static void check(double span, double own, const char *note)
{
    struct sca_report *report = sca_report_new();
    struct sca_workspace space = test_room();
    struct sca_analysis c = {.ppg = &ppg, .space = &space, .report = report};
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    double end = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        double took = i == 3 ? span : 1;
        end += took;
        points[i] =
            (struct sca_series_point){.number = i + 1, .iterations = 1, .span = took, .end = end};
        points[i].own.max = i == 3 ? own : 0.9;
    }
    sca_notes_of_standstill(&c);
    ck_assert_uint_eq(report->nnotes, note ? 1 : 0);
    if (note)
        ck_assert_msg(!strncmp(report->notes[0], note, strlen(note)), "%s", report->notes[0]);
    sca_report_free(report);
    sca_workspace_free(&space);
}

START_TEST(a_standstill_is_told)
{
    check(360, 0.9,
          "The program stood still until second 363: one of the iterations up to 4 took about "
          "360 s. No rank computed for more than 0.9 s of it.");
}
END_TEST

START_TEST(a_slow_iteration_is_none)
{
    check(3600, 3000, NULL); /* it is computed */
    check(3, 0.01, NULL);    /* it is less than the others together */
    check(1, 0.9, NULL);
}
END_TEST

START_TEST(a_run_without_series_is_none)
{
    profile.series = NULL;
    check(360, 0.9, NULL);
    profile.series = &series;
}
END_TEST

SCA_SUITE("notes_stood", a_standstill_is_told, a_slow_iteration_is_none,
          a_run_without_series_is_none)
