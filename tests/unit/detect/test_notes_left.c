/* What a report says of ranks that left their class over time. */
#include "check_main.h"
#include "measured.h"
#include "report/notes.h"

#include <string.h>

enum { MOST_NOTES = 8, MOST_LEAVERS = 6 };

static struct sca_report *told(struct sca_workspace *space, uint32_t n)
{
    static struct sca_report_leaver leavers[MOST_LEAVERS];
    struct sca_report *report = sca_report_new();
    struct sca_analysis c = {.space = space, .report = report};
    *space = test_room();
    report->notes = sca_report_alloc(report, MOST_NOTES * sizeof *report->notes);
    for (uint32_t i = 0; i < n; i++)
        leavers[i] = (struct sca_report_leaver){
            .rank = 3 + i, .iteration = 302, .at_s = 38.3, .before = 1, .after = 3.99};
    report->behaviour.nleavers = n;
    report->behaviour.leavers = leavers;
    sca_notes_of_leavers(&c);
    return report;
}

START_TEST(a_rank_is_told_with_iteration_and_ratios)
{
    struct sca_workspace space;
    struct sca_report *report = told(&space, 1);
    ck_assert_uint_eq(report->nnotes, 1);
    ck_assert_str_eq(report->notes[0],
                     "Rank 3 left its class at iteration 302 (second 38.3). Ranks with the same "
                     "calls are its measure: it computed 1 times as long before, and 3.99 times "
                     "since then.");
    sca_report_free(report);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(of_many_ranks_three_are_told)
{
    struct sca_workspace space;
    struct sca_report *report = told(&space, 5);
    ck_assert_uint_eq(report->nnotes, 4);
    ck_assert_msg(!strncmp(report->notes[3], "2 more ranks left", 17), "%s", report->notes[3]);
    sca_report_free(report);
    sca_workspace_free(&space);
}
END_TEST

START_TEST(nobody_left_nothing_is_told)
{
    struct sca_workspace space;
    struct sca_report *report = told(&space, 0);
    ck_assert_uint_eq(report->nnotes, 0);
    sca_report_free(report);
    sca_workspace_free(&space);
}
END_TEST

SCA_SUITE("notes_left", a_rank_is_told_with_iteration_and_ratios, of_many_ranks_three_are_told,
          nobody_left_nothing_is_told)
