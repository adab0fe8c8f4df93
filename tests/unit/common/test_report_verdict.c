/* What is said of a cause, in the same words wherever it is shown. */
#include "sca_phrase.h"
#include "check_main.h"
#include "sample_report.h"

#include <string.h>

START_TEST(what_a_gain_supposes_is_said)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *serial = &r->causes[2], *less = &r->causes[0];
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_saved_if(text, r, serial), "rank 0's work here is removed");
    less->saved_if = "alike";
    ck_assert_ptr_nonnull(
        strstr(sca_phrase_saved_if(text, r, less), "took as long here as the other ranks"));
    less->saved_if = "shared";
    ck_assert_str_eq(sca_phrase_saved_if(text, r, less), "all ranks took the same time here");
    less->gain_shared_core_s = 0.25;
    ck_assert_ptr_nonnull(
        strstr(sca_phrase_saved_if(text, r, less), "; 0.25 core-s if all 8 ranks"));
    less->gain_shared_core_s = 0;
    less->gain_alike_core_s = 0.75;
    ck_assert_ptr_nonnull(strstr(sca_phrase_saved_if(text, r, less), "time here; 0.75 core-s if "));
    ck_assert_ptr_nonnull(strstr(text, "took as long here as the other ranks"));
    less->gain_alike_core_s = 0;
    less->saved_if = "of a newer version";
    ck_assert_str_eq(sca_phrase_saved_if(text, r, less), "");
    sca_report_free(r);
}
END_TEST

START_TEST(what_all_ranks_have_reaches_no_others)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *c = &r->causes[0];
    ck_assert_uint_lt(c->nranks, r->runs[r->nruns - 1].ranks);
    ck_assert_ptr_nonnull(strstr(sca_phrase_chain(r, c), "reaches the others"));
    c->nranks = r->runs[r->nruns - 1].ranks;
    ck_assert_ptr_null(strstr(sca_phrase_chain(r, c), "others"));
    sca_report_free(r);
}
END_TEST

START_TEST(how_many_times_more_next_to_nothing_is_not_said)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    struct sca_report_cause *c = &r->causes[0];
    char text[SCA_PHRASE];
    c->nranks = r->runs[r->nruns - 1].ranks;
    c->ratio = 2.5;
    ck_assert_str_eq(sca_phrase_others(text, r, c), "rotating, 2.5x the other ranks");
    c->nranks = 1;
    ck_assert_str_eq(sca_phrase_others(text, r, c), "2.5x the other ranks");
    c->moves = true;
    ck_assert_str_eq(sca_phrase_others(text, r, c), "rotating, 2.5x the other ranks");
    c->ratio = 171;
    ck_assert_ptr_nonnull(strstr(sca_phrase_others(text, r, c), "have hardly any"));
    sca_report_free(r);
}
END_TEST

START_TEST(bounds_are_told_where_they_differ)
{
    struct sca_report_cause c = {.gain_core_s = 1.45, .gain_ci = {1.4491, 1.4504}};
    char text[SCA_PHRASE];
    ck_assert_str_eq(sca_phrase_gain_ci(text, &c), "");
    c.gain_ci[1] = 1.456;
    ck_assert_str_eq(sca_phrase_gain_ci(text, &c), "1.45 to 1.46");
}
END_TEST

START_TEST(an_older_report_supposes_nothing)
{
    struct sca_report *r = sca_sample_cg("cg.c");
    char text[SCA_PHRASE];
    r->causes[2].saved_if = "";
    ck_assert_str_eq(sca_phrase_saved_if(text, r, &r->causes[2]), "");
    r->causes[2].saved_if = NULL;
    ck_assert_str_eq(sca_phrase_saved_if(text, r, &r->causes[2]), "");
    sca_report_free(r);
}
END_TEST

START_TEST(what_may_be_a_cause_is_in_the_notes)
{
    struct sca_report *r = sca_sample_healthy();
    char text[SCA_PHRASE];
    r->set_aside = true;
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_ptr_nonnull(strstr(text, "No cause of scaling loss is certain above 2 % of ranks x "
                                       "wall. The notes list possible causes. On 8 ranks"));
    sca_report_free(r);
}
END_TEST

START_TEST(what_is_put_down_to_shared_cores_is_said)
{
    struct sca_report *r = sca_sample_healthy();
    struct sca_report_account *a = &r->runs[r->nruns - 1].account;
    char text[SCA_PHRASE];
    a->disturbed_core_s = 2 * (a->explained_core_s + a->unexplained_core_s);
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_ptr_nonnull(strstr(text, "mostly waiting, attributed to shared cores"));
    sca_report_free(r);
}
END_TEST

/* Two lines that others wait at for as long. */
START_TEST(waiting_at_many_lines_is_spread)
{
    struct sca_report *r = sca_sample_healthy();
    char text[SCA_PHRASE];
    r->runs[r->nruns - 1].account.explained_core_s *= 2;
    r->runs[r->nruns - 1].account.unexplained_core_s *= 2;
    ck_assert(!sca_phrase_no_cause(text, r));
    ck_assert_ptr_nonnull(strstr(text, "mostly waiting, spread over many lines."));
    sca_report_free(r);
}
END_TEST

SCA_SUITE("report verdict", what_a_gain_supposes_is_said, what_all_ranks_have_reaches_no_others,
          how_many_times_more_next_to_nothing_is_not_said, bounds_are_told_where_they_differ,
          an_older_report_supposes_nothing, what_may_be_a_cause_is_in_the_notes,
          what_is_put_down_to_shared_cores_is_said, waiting_at_many_lines_is_spread)
