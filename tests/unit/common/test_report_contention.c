/* Who hands locks over to whom: through the file of a report, and as a picture. */
#include "check_main.h"
#include "sample_report.h"
#include "sca_contention.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/sca-contention-XXXXXX";

static struct sca_report *through_file(struct sca_report *r, int expected)
{
    struct sca_report *back = NULL;
    strcpy(path + strlen(path) - 6, "XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    close(file);
    ck_assert_int_eq(sca_report_write(r, path), SCA_OK);
    ck_assert_int_eq(sca_report_read(path, &back), expected);
    unlink(path);
    sca_report_free(r);
    return back;
}

START_TEST(hand_overs_survive_the_file)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(r, 3);
    r->contention.left_out = 7;
    struct sca_report *back = through_file(r, SCA_OK);
    const struct sca_report_contention *c = &back->contention;
    ck_assert_double_eq(c->wait_s, 6);
    ck_assert_double_eq(c->unknown_s, 3);
    ck_assert_uint_eq(c->left_out, 7);
    ck_assert_uint_eq(c->nhand_overs, 3);
    const struct sca_report_hand_over *h = &c->hand_overs[2];
    ck_assert_uint_eq(h->rank, 1);
    ck_assert_uint_eq(h->from_thread, 2);
    ck_assert_uint_eq(h->to_thread, 0);
    ck_assert_uint_eq(h->from, 2);
    ck_assert_uint_eq(h->to, 4);
    ck_assert_double_eq(h->count, 10);
    ck_assert_uint_eq(h->lock, 1);
    ck_assert_uint_eq(c->nlocks, 2);
    ck_assert_str_eq(c->locks[0].name, "table_lock");
    ck_assert_uint_eq(c->locks[0].line, 0);
    ck_assert_str_eq(c->locks[1].file, "cg.c");
    ck_assert_uint_eq(c->locks[1].line, 12);
    sca_report_free(back);
}
END_TEST

START_TEST(what_names_no_rank_or_place_is_refused)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(r, 3);
    r->contention.hand_overs[1].rank = 8;
    through_file(r, SCA_EFORMAT);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "contention.hand_overs"));
    r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(r, 3);
    r->contention.hand_overs[1].to = r->nvertices;
    through_file(r, SCA_EFORMAT);
    r = sca_sample_cg("/nowhere/cg.c");
    sca_sample_add_contention(r, 3);
    r->contention.hand_overs[1].lock = r->contention.nlocks + 1;
    through_file(r, SCA_EFORMAT);
}
END_TEST

START_TEST(a_picture_has_the_longest_and_says_what_it_lacks)
{
    struct sca_report *r = sca_sample_cg("/nowhere/cg.c");
    struct sca_contention_grid grid;
    sca_sample_add_contention(r, 40);
    ck_assert_int_eq(sca_contention_grid_make(r, 4, 6, &grid), SCA_OK);
    ck_assert_uint_eq(grid.nthreads, 4);
    ck_assert_uint_eq(grid.threads_left_out, 36);
    ck_assert_uint_eq(grid.nplaces, 2);
    ck_assert_uint_eq(grid.places[0].vertex, 2);
    ck_assert_double_eq(grid.places[0].waited_s, 0);
    ck_assert_double_gt(grid.places[0].kept_s, 0);
    ck_assert_uint_eq(grid.threads[0].thread, 0);
    ck_assert_double_eq(grid.threads[0].kept_s, 1.25);
    ck_assert_double_eq(grid.links[0].seconds, 1.25);
    ck_assert_uint_eq(grid.links[0].from_place, 0);
    ck_assert_uint_eq(grid.links[0].to_place, 1);
    double sum = 0;
    for (uint32_t i = 0; i < grid.nlinks; i++)
        sum += grid.links[i].seconds;
    ck_assert_double_eq_tol(sum, grid.seconds, 1e-9);
    sca_contention_grid_free(&grid);
    sca_report_free(r);
}
END_TEST

SCA_SUITE("report_contention", hand_overs_survive_the_file, what_names_no_rank_or_place_is_refused,
          a_picture_has_the_longest_and_says_what_it_lacks)
