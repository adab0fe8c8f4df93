/* The communication of a report: its way through the file, and what is none. */
#include "check_main.h"
#include "sample_report.h"
#include "written_report.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/sca-communication-XXXXXX";

static void begin(void)
{
    written_report_begin(path);
}

/* The sample with the first text in it replaced. */
static int read_with(const char *part, const char *other)
{
    return written_report_read_with(sca_sample_cg("/nowhere/cg.c"), path, "", part, other);
}

START_TEST(pairs_and_sizes_survive_the_file)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c"), *back = NULL;
    begin();
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    ck_assert_int_eq(sca_report_read(path, &back), SCA_OK);
    const struct sca_report_communication *c = &back->communication;
    ck_assert_uint_eq(c->nblocks, 8);
    ck_assert_uint_eq(c->block_ranks, 1);
    ck_assert_uint_eq(c->npairs, 8);
    ck_assert_uint_eq(c->pairs[7].from, 7);
    ck_assert_uint_eq(c->pairs[7].to, 0);
    ck_assert_double_eq(c->pairs[7].messages, 100);
    ck_assert_double_eq(c->pairs[7].bytes, 200000);
    ck_assert_uint_eq(c->nsizes, 1);
    ck_assert_double_eq(c->sizes[0].from_bytes, 1024);
    ck_assert_double_eq(c->collective_calls, 800);
    sca_report_free(r);
    sca_report_free(back);
    unlink(path);
}
END_TEST

START_TEST(what_fits_no_run_is_refused)
{
    begin();
    ck_assert_int_eq(read_with("\"ranks_per_block\"", "\"ranks_per_block\""), SCA_OK);
    ck_assert_int_eq(read_with("\"blocks\":\t8", "\"blocks\":\t9"), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "communication.blocks"));
    ck_assert_int_eq(read_with("\"pairs\":\t[[0,", "\"pairs\":\t[[8,"), SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "communication.pairs"));
    ck_assert_int_eq(read_with("\"pairs\":\t[[0, 1, 100,", "\"pairs\":\t[[0, 1, 1e999,"),
                     SCA_EFORMAT);
    ck_assert_int_eq(read_with("\"sizes\":\t[[", "\"sizes\":\t[[1, "), SCA_EFORMAT);
    unlink(path);
}
END_TEST

SCA_SUITE("report_communication", pairs_and_sizes_survive_the_file, what_fits_no_run_is_refused)
