/* The timelines of a report: their way through the file, and what is none. */
#include "check_main.h"
#include "sample_report.h"
#include "written_report.h"
#include "sca_error.h"
#include "sca_timelines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/sca-timelines-XXXXXX";
static void begin(void)
{
    written_report_begin(path);
}

static struct sca_report *sample(bool kept)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_timelines(r);
    r->timelines->kept = kept;
    return r;
}

/* The sample with the first text behind "timelines" replaced. */
static int read_with(const char *part, const char *other)
{
    return written_report_read_with(sample(true), path, "\"timelines\":", part, other);
}

static void check_play(const struct sca_report_play *play, double slow)
{
    ck_assert_double_eq(play->end, slow);
    ck_assert_double_eq(play->load_balance, 0.63);
    ck_assert(isnan(play->serialisation));
    ck_assert_uint_eq(play->nspans, 4);
    ck_assert_uint_eq(play->spans[2].by, 4);
    ck_assert_uint_eq(play->spans[2].kind, 6);
    ck_assert_uint_eq(play->spans[2].vertex, 7);
    ck_assert_double_eq(play->spans[2].begin, 0.3);
    ck_assert_uint_eq(play->spans[3].row, 1);
    ck_assert_uint_eq(play->spans[3].by, UINT32_MAX);
    ck_assert(play->spans[3].critical && !play->spans[2].critical);
    ck_assert_uint_eq(play->nmessages, 1);
    ck_assert_double_eq(play->messages[0].received, slow);
    ck_assert_uint_eq(play->nmeetings, 1);
    ck_assert_uint_eq(play->meetings[0].vertex, 7);
}

START_TEST(they_survive_the_file)
{
    struct sca_report *back = NULL;
    begin();
    (void)written_report_text(sample(true), path);
    ck_assert_int_eq(sca_report_read(path, &back), SCA_OK);
    const struct sca_report_timelines *t = back->timelines;
    ck_assert_uint_eq(t->count, 2);
    ck_assert_str_eq(t->kinds[6], "wait-at-nxn");
    ck_assert_str_eq(t->of[1].name, "slowest");
    ck_assert_double_eq(t->of[0].begin_s, 2.5);
    ck_assert_double_eq(t->of[1].begin_s, -1);
    ck_assert_uint_eq(t->of[0].iterations, 4);
    ck_assert_uint_eq(t->of[0].ranks[1], 4);
    check_play(&t->of[0].measured, 1);
    check_play(&t->of[0].mended, 0.5);
    check_play(&t->of[1].measured, 2);
    ck_assert_double_eq(t->of[1].mended.end, 0);
    sca_report_free(back);
    unlink(path);
}
END_TEST

START_TEST(who_does_not_ask_has_none)
{
    begin();
    const char *text = written_report_text(sample(false), path);
    ck_assert_ptr_null(strstr(text, "timelines"));
    unlink(path);
}
END_TEST

START_TEST(what_does_not_belong_together_is_refused)
{
    static const char *const wrong[][3] = {
        {"\"row\":\t[0, 0, 0, 1]", "\"row\":\t[0, 0, 0, 2]", "row"},
        {"\"row\":\t[0, 0, 0, 1]", "\"row\":\t[1, 0, 0, 1]", "row"},
        {"\"row\":\t[0, 0, 0, 1]", "\"row\":\t[0, 0, 0.5, 1]", "row"},
        {"\"row\":\t[0, 0, 0, 1]", "\"row\":\t[0, 0, 1]", "begin_s"},
        {"\"vertex\":\t[4, 6", "\"vertex\":\t[4, 6000", "vertex"},
        {"\"kind\":\t[0, 1, 6", "\"kind\":\t[0, 1, 7", "kind"},
        {"\"by\":\t[-1, 4, 4", "\"by\":\t[-1, 8, 4", "by"},
        {"\"by\":\t[-1, 4, 4", "\"by\":\t[-2, 4, 4", "by"},
        {"\"to\":\t[1]", "\"to\":\t[2]", "to"},
        {"\"high\":\t[1]", "\"high\":\t[-1]", "high"},
        {"\"ranks\":\t[0, 4]", "\"ranks\":\t[0, 8]", "ranks"},
    };
    begin();
    ck_assert_int_eq(read_with("\"windows\"", "\"windows\""), SCA_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ck_assert_msg(read_with(wrong[i][0], wrong[i][1]) == SCA_EFORMAT, "%s", wrong[i][1]);
        ck_assert_ptr_nonnull(strstr(sca_error_message(), wrong[i][2]));
    }
    unlink(path);
}
END_TEST

SCA_SUITE("report_timelines", they_survive_the_file, who_does_not_ask_has_none,
          what_does_not_belong_together_is_refused)
