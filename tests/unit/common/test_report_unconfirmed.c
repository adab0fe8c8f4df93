/* What was found but is not confirmed stands behind the causes, in the file as in memory. */
#include "sample_report.h"
#include "check_main.h"
#include "sca_phrase.h"
#include "sca_report.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>

/* The healthy sample with one such finding, and a note that says the same. */
static struct sca_report *doubted(void)
{
    static uint32_t ranks[] = {1};
    static struct sca_report_cause cause = {.vertex = 1,
                                            .category = "imbalance",
                                            .ranks = ranks,
                                            .nranks = 1,
                                            .gain_core_s = 0.5,
                                            .saved_if = "alike",
                                            .others = "less",
                                            .doubt = "shared cores may differ so much",
                                            .note = 1};
    static const char *notes[] = {"one", "rank 1 computed longer", "three"};
    struct sca_report *r = sca_sample_healthy();
    r->notes = notes;
    r->nnotes = 3;
    r->causes = &cause;
    r->nunconfirmed = 1;
    return r;
}

static struct sca_report *round_trip(struct sca_report *r)
{
    char directory[TEMP_FOLDER], path[TEMP_FOLDER + 16];
    struct sca_report *out = NULL;
    temp_folder(directory);
    snprintf(path, sizeof path, "%s/r.json", directory);
    ck_assert_int_eq(sca_report_write(r, path), 0);
    ck_assert_int_eq(sca_report_read(path, &out), 0);
    sca_report_free(r);
    temp_folder_drop(directory);
    return out;
}

START_TEST(it_survives_the_file_and_is_no_cause)
{
    struct sca_report *r = round_trip(doubted());
    ck_assert_uint_eq(r->ncauses, 0);
    ck_assert_uint_eq(r->nunconfirmed, 1);
    ck_assert_str_eq(r->causes[0].doubt, "shared cores may differ so much");
    ck_assert_double_eq(r->causes[0].gain_core_s, 0.5);
    sca_report_free(r);
}
END_TEST

START_TEST(behind_the_causes_where_there_are_some)
{
    struct sca_report *r = sca_sample_cg("/src/cg.c");
    uint32_t n = r->ncauses;
    struct sca_report_cause *all = sca_report_alloc(r, (n + 1) * sizeof *all);
    memcpy(all, r->causes, n * sizeof *all);
    all[n] = all[0];
    all[n].doubt = "one run";
    all[n].note = 0;
    all[n].nparts = 1;
    all[n].parts = sca_report_alloc(r, sizeof *all[n].parts);
    all[n].parts[0] = (struct sca_report_part){2, 1.5, 0.75};
    r->causes = all;
    r->nunconfirmed = 1;
    r = round_trip(r);
    ck_assert_uint_eq(r->ncauses, n);
    ck_assert_str_eq(r->causes[n].doubt, "one run");
    ck_assert_str_eq(r->causes[0].doubt, "");
    ck_assert_uint_eq(r->causes[0].nparts, 0);
    ck_assert_uint_eq(r->causes[n].nparts, 1);
    ck_assert_uint_eq(r->causes[n].parts[0].vertex, 2);
    ck_assert_double_eq(r->causes[n].parts[0].excess_core_s, 1.5);
    ck_assert_double_eq(r->causes[n].parts[0].share, 0.75);
    ck_assert_uint_eq(r->causes[n].vertex, r->causes[0].vertex);
    sca_report_free(r);
}
END_TEST

START_TEST(its_note_is_told_once)
{
    struct sca_report *r = doubted();
    char text[SCA_PHRASE];
    ck_assert(!sca_report_note_is_told(r, 0) && sca_report_note_is_told(r, 1));
    sca_phrase_no_cause(text, r);
    ck_assert_ptr_nonnull(strstr(text, "listed as not confirmed"));
    sca_report_free(r);
}
END_TEST

SCA_SUITE("report_unconfirmed", it_survives_the_file_and_is_no_cause,
          behind_the_causes_where_there_are_some, its_note_is_told_once)
