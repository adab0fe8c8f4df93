/* What a note says of why a finding is not confirmed. */
#include "check_main.h"
#include "measured.h"
#include "report/notes.h"
#include "sca_report.h"

#include <string.h>

enum { RANKS = 8 };

static struct sca_measure measures[2] = {{.nranks = RANKS, .shared = true},
                                         {.nranks = RANKS, .shared = true}};
static struct sca_ppg ppg = {.nruns = 2};
static struct sca_report report;

/* Whether the doubt on a finding with these two pieces of evidence contains the words. */
static void check(enum sca_evidence_kind one, enum sca_evidence_kind two, const char *words)
{
    struct sca_analysis c = {.ppg = &ppg, .measures = measures, .last = 1, .report = &report};
    struct sca_evidence items[] = {{.kind = one}, {.kind = two}};
    struct sca_finding finding = {.ratio = 9, .evidence = {2, items}};
    const char *doubt = sca_notes_doubt(&c, &finding);
    ck_assert_msg(strstr(doubt, words) != NULL, "%s", doubt);
}

START_TEST(what_no_run_has_again_is_not_blamed_on_cores)
{
    check(SCA_EVIDENCE_NOT_IN, SCA_EVIDENCE_NOT_CONFIRMED, "no other run has it");
}
END_TEST

START_TEST(what_cores_can_make_is)
{
    check(SCA_EVIDENCE_NOT_CONFIRMED, SCA_EVIDENCE_CORES, "shared cores may differ this much");
    check(SCA_EVIDENCE_SKEWED, SCA_EVIDENCE_SLOW_ELSEWHERE, "shared cores may differ this much");
    measures[1].shared = false;
    check(SCA_EVIDENCE_NOT_CONFIRMED, SCA_EVIDENCE_CORES, "run on other cores");
    measures[1].shared = true;
}
END_TEST

START_TEST(what_a_run_confirms_is_not)
{
    check(SCA_EVIDENCE_CORES, SCA_EVIDENCE_CONFIRMED, "no other run");
}
END_TEST

SCA_SUITE("notes_doubt", what_no_run_has_again_is_not_blamed_on_cores, what_cores_can_make_is,
          what_a_run_confirms_is_not)
