/* The detector against simulated programs: the cause, its ranks, its category and what fixing it
 * saves are known exactly, for it can be switched off; from 2 to 1,024 ranks. */
#include "sim_trial.h"
#include "check_main.h"

#include <string.h>

static const uint32_t sizes[] = {2, 4, 8, 64, 256, 1024};
enum { NSIZES = sizeof sizes / sizeof *sizes };

static const struct sim_variant as_it_is;

/* Every program on every size, one test each, so that each failure has its name. */
START_TEST(the_cause_is_found)
{
    struct sim_trial trial;
    const struct sim_case *chosen = &sim_cases[_i / (int)NSIZES];
    uint32_t ranks = sizes[_i % (int)NSIZES];
    if (!chosen->category || ranks < chosen->least || ranks > chosen->most)
        return;
    sim_trial_open(&trial, chosen, ranks, true, &as_it_is);
    sim_trial_judge(&trial);
    sim_trial_close(&trial);
}
END_TEST

/* What a note tells as lost stands with the causes, marked: both say the same. */
static void check_in_list(const struct sca_report *report, uint32_t note)
{
    if (strstr(report->notes[note], "The run lost"))
        ck_assert_msg(sca_report_note_is_told(report, note), "%s", report->notes[note]);
    for (uint32_t i = 0; i < report->nunconfirmed; i++)
        ck_assert(*report->causes[report->ncauses + i].doubt);
}

/* Time that no line is to blame for is told all the same. */
static void check_told(const struct sca_report *report, const char *told)
{
    for (uint32_t i = 0; i < report->nnotes; i++)
        if (!strncmp(report->notes[i], told, strlen(told))) {
            check_in_list(report, i);
            return;
        }
    ck_abort_msg("no note \"%s\", the first is: %s", told, report->nnotes ? report->notes[0] : "");
}

START_TEST(without_it_there_is_none)
{
    struct sim_trial trial;
    const struct sim_case *chosen = &sim_cases[_i / (int)NSIZES];
    uint32_t ranks = sizes[_i % (int)NSIZES];
    if (ranks < chosen->least || ranks > chosen->most)
        return;
    sim_trial_open(&trial, chosen, ranks, false, &as_it_is);
    const struct sca_report *report = trial.verdict.report;
    ck_assert_msg(report->ncauses == 0, "on %u ranks: %s", ranks, sim_trial_first(report));
    if (chosen->told)
        check_told(report, chosen->told);
    sim_trial_close(&trial);
}
END_TEST

/* Each program is a case of its own, by its name. */
Suite *test_suite(void)
{
    Suite *suite = suite_create("simulated programs");
    for (uint32_t i = 0; i < sim_ncases; i++) {
        TCase *tests = tcase_create(sim_cases[i].name);
        int first = (int)(i * NSIZES), end = first + (int)NSIZES;
        tcase_add_loop_test(tests, the_cause_is_found, first, end);
        tcase_add_loop_test(tests, without_it_there_is_none, first, end);
        suite_add_tcase(suite, tests);
    }
    return suite;
}
