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
    ck_assert_str_eq(sca_phrase_saved_if(text, r, serial), "rank 0 did none of it");
    less->saved_if = "alike";
    ck_assert_ptr_nonnull(
        strstr(sca_phrase_saved_if(text, r, less), "took as long for it as the others"));
    less->saved_if = "shared";
    ck_assert_str_eq(sca_phrase_saved_if(text, r, less), "all ranks took as long for it");
    less->saved_if = "of a newer version";
    ck_assert_str_eq(sca_phrase_saved_if(text, r, less), "");
    sca_report_free(r);
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

SCA_SUITE("report verdict", what_a_gain_supposes_is_said, an_older_report_supposes_nothing)
