/* Run directories read in order, repaired, or refused with one clear message. */
#include "load/run_loading.h"
#include "check_main.h"
#include "sca_error.h"
#include "synthetic.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4, PATH = TEMP_FOLDER + 32, SECOND = 1000000000 };

static char folder[TEMP_FOLDER];
static char paths[MOST][PATH];
static struct sca_settings settings;
static struct sca_runs runs;

static void set_up(void)
{
    temp_folder(folder);
    for (int i = 0; i < MOST; i++)
        snprintf(paths[i], PATH, "%s/run-%c", folder, 'a' + i);
    settings = (struct sca_settings){.max_loop_depth = 10};
}

static void tear_down(void)
{
    sca_runs_free(&runs);
    temp_folder_drop(folder);
}

static struct synth *begin(uint32_t nranks)
{
    struct synth *s = synth_new(nranks);
    synth_meta(s, "program", "halo");
    synth_meta(s, "path", TEST_PROGRAMS "/halo_plain");
    uint32_t exe = synth_module(s, TEST_PROGRAMS "/halo_plain", "");
    synth_site(s, synth_node(s, 0, exe, 0x1150, SCA_NODE_RETURN), "MPI_Barrier");
    return s;
}

static void end(struct synth *s, const char *path)
{
    synth_write(s, path);
    synth_free(s);
}

static int load(uint32_t count)
{
    char *directories[MOST];
    for (int i = 0; i < MOST; i++)
        directories[i] = paths[i];
    return sca_runs_load(directories, count, &settings, &runs);
}

/* One line, that names what it is about. */
static void check_refused(uint32_t count, int status, const char *about)
{
    ck_assert_int_eq(load(count), status);
    const char *message = sca_error_message();
    ck_assert_msg(strstr(message, about) != NULL, "\"%s\" says nothing of %s", message, about);
    ck_assert_ptr_null(strchr(message, '\n'));
    sca_runs_free(&runs);
}

static void write_text(const char *directory, const char *text, size_t length)
{
    char path[PATH + 32];
    snprintf(path, sizeof path, "%s/profile.sca", directory);
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fwrite(text, 1, length, out);
    fclose(out);
}

START_TEST(what_is_not_there_is_named)
{
    check_refused(1, SCA_ENOTFOUND, paths[0]);
    end(begin(1), paths[0]);
    check_refused(2, SCA_ENOTFOUND, paths[1]);
}
END_TEST

START_TEST(a_run_given_twice_is_refused_by_whatever_name)
{
    end(begin(2), paths[0]);
    ck_assert_int_eq(symlink(paths[0], paths[1]), 0);
    check_refused(2, SCA_EINVAL, "given twice");
    ck_assert_ptr_nonnull(strstr(sca_error_message(), paths[0]));
    ck_assert_ptr_nonnull(strstr(sca_error_message(), paths[1]));
    end(begin(2), paths[2]); /* equal, but another */
    snprintf(paths[1], PATH, "%s", paths[2]);
    ck_assert_int_eq(load(2), SCA_OK);
}
END_TEST

START_TEST(what_is_no_profile_is_named)
{
    char bytes[1 << 14], path[PATH + 32];
    end(begin(2), paths[0]);
    snprintf(path, sizeof path, "%s/profile.sca", paths[0]);
    FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    size_t length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    write_text(paths[0], bytes, length / 2);
    check_refused(1, SCA_EFORMAT, path);
    write_text(paths[0], "hello", 5);
    check_refused(1, SCA_EFORMAT, path);
    write_text(paths[0], "", 0);
    check_refused(1, SCA_EFORMAT, path);
    write_text(paths[0], bytes, length);
    ck_assert_int_eq(load(1), SCA_OK);
}
END_TEST

static struct synth *unfinished(uint32_t nranks)
{
    struct synth *s = begin(nranks);
    synth_header(s, 0)->state = SCA_RUNNING;
    return s;
}

START_TEST(runs_stand_by_rising_ranks_the_complete_one_last)
{
    end(begin(4), paths[0]);
    end(begin(2), paths[1]);
    end(unfinished(4), paths[2]);
    end(begin(4), paths[3]);
    settings.nwork = 4;
    for (int i = 0; i < 4; i++)
        settings.work[i] = 10 + i;
    ck_assert_int_eq(load(4), SCA_OK);
    ck_assert_uint_eq(runs.count, 4);
    static const int order[] = {1, 2, 0, 3};
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(runs.profiles[i]->directory, paths[order[i]]);
        ck_assert_double_eq(runs.ppg->runs[i].work, 10 + order[i]);
        ck_assert_ptr_eq(runs.ppg->runs[i].profile, runs.profiles[i]);
    }
}
END_TEST

START_TEST(work_is_told_of_every_run_or_of_none)
{
    end(begin(4), paths[0]);
    end(begin(2), paths[1]);
    settings.nwork = 1;
    settings.work[0] = 10;
    ck_assert_int_eq(load(2), SCA_OK);
    ck_assert_double_eq(runs.ppg->runs[0].work, 0);
    ck_assert_double_eq(runs.ppg->runs[1].work, 0);
}
END_TEST

/* Whatever order the runs are given in. */
START_TEST(work_goes_by_the_number_of_ranks_where_that_is_given)
{
    end(begin(4), paths[0]);
    end(begin(2), paths[1]);
    settings.nwork = 2;
    settings.work[0] = 10;
    settings.work_ranks[0] = 2;
    settings.work[1] = 20;
    settings.work_ranks[1] = 4;
    ck_assert_int_eq(load(2), SCA_OK);
    ck_assert_double_eq(runs.ppg->runs[0].work, 10);
    ck_assert_double_eq(runs.ppg->runs[1].work, 20);
}
END_TEST

START_TEST(a_run_whose_ranks_have_no_work_is_refused)
{
    end(begin(4), paths[0]);
    settings.nwork = 1;
    settings.work[0] = 10;
    settings.work_ranks[0] = 2;
    ck_assert_int_eq(load(1), SCA_EINVAL);
}
END_TEST

/* Five ranks of 1 s; what the last one's span is taken for if it claims so much. */
static uint64_t span_of(uint64_t claimed, bool ended)
{
    struct synth *s = ended ? begin(5) : unfinished(5);
    synth_header(s, 4)->wall_ns = claimed;
    end(s, paths[0]);
    ck_assert_int_eq(load(1), SCA_OK);
    uint64_t span = runs.profiles[0]->ranks[4].wall_ns;
    ck_assert_uint_eq(runs.profiles[0]->ranks[4].absurd, span != claimed);
    ck_assert_uint_eq(runs.profiles[0]->ranks[0].absurd, 0);
    sca_runs_free(&runs);
    return span;
}

/* Twice the usual span and a second more is believed. */
START_TEST(a_rank_that_ran_far_longer_had_its_clock_jump)
{
    const uint64_t most = 3ull * SECOND;
    ck_assert_uint_eq(span_of(most, true), most);
    ck_assert_uint_eq(span_of(most + 1, true), SECOND);
    ck_assert_uint_eq(span_of(UINT64_MAX, true), SECOND);
    ck_assert_uint_eq(span_of(most + 1, false), most + 1); /* the others may have died early */
}
END_TEST

START_TEST(times_longer_than_the_run_are_left_out)
{
    struct synth *s = begin(3);
    synth_header(s, 0)->mpi_ns = 1024ull * SECOND; /* of as many threads as any rank has */
    synth_header(s, 1)->mpi_ns = 1024ull * SECOND + 1;
    synth_header(s, 2)->tool_ns = 500;
    synth_header(s, 2)->tool_gap_ns = 501; /* more than all of it */
    end(s, paths[0]);
    ck_assert_int_eq(load(1), SCA_OK);
    const struct sca_rank *ranks = runs.profiles[0]->ranks;
    ck_assert_uint_eq(ranks[0].mpi_ns, 1024ull * SECOND);
    ck_assert_uint_eq(ranks[1].mpi_ns, 0);
    ck_assert_uint_eq(ranks[2].tool_ns, 500);
    ck_assert_uint_eq(ranks[2].tool_gap_ns, 0);
    for (int r = 0; r < 3; r++)
        ck_assert_uint_eq(ranks[r].absurd, r > 0);
}
END_TEST

START_TEST(a_program_that_is_gone_is_named)
{
    struct synth *s = synth_new(1);
    synth_meta(s, "program", "halo");
    synth_meta(s, "path", "/nowhere/halo");
    synth_site(s, synth_node(s, 0, synth_module(s, "/nowhere/halo", ""), 1, SCA_NODE_RETURN),
               "MPI_Barrier");
    end(s, paths[0]);
    check_refused(1, SCA_ENOTFOUND, "/nowhere/halo");
}
END_TEST

static int count_rank(void *of, const struct sca_profile *so_far, uint32_t index,
                      const struct sca_rank *rank)
{
    ck_assert(index < so_far->nranks && rank->present);
    ++*(uint32_t *)of;
    return SCA_OK;
}

/* How many ranks were handed over. */
static uint32_t hand_over(struct synth *s)
{
    uint32_t n = 0;
    const struct sca_rank_taker taker = {count_rank, &n};
    settings.unmeasured = true;
    end(s, paths[0]);
    ck_assert_int_eq(sca_runs_load_each(paths[0], &settings, &taker, &runs), SCA_OK);
    return n;
}

START_TEST(ranks_are_handed_over_and_forgotten)
{
    struct synth *s = begin(4);
    for (uint32_t r = 0; r < 4; r++)
        synth_interval(s, r, 0, 1, 3, SECOND / 2);
    ck_assert_uint_eq(hand_over(s), 4);
    ck_assert_ptr_nonnull(runs.ppg);
    ck_assert_uint_eq(runs.ppg->runs[0].nranks, 4);
    for (uint32_t r = 0; r < 4; r++)
        ck_assert_uint_eq(runs.profiles[0]->ranks[r].nintervals, 0);
}
END_TEST

/* What they have is not what the others make of it: none is read in vain. */
START_TEST(ranks_with_locks_are_not_handed_over)
{
    struct synth *s = begin(4);
    uint32_t lock = synth_site(s, 1, "OpenMP lock");
    for (uint32_t r = 0; r < 4; r++)
        synth_total(s, r, lock, 3, 1000, 0);
    ck_assert_uint_eq(hand_over(s), 0);
    ck_assert_ptr_null(runs.ppg);
}
END_TEST

START_TEST(a_clock_that_jumped_is_found_when_all_are_there)
{
    struct synth *s = begin(4);
    for (uint32_t r = 0; r < 4; r++)
        synth_interval(s, r, 0, 1, 3, r == 2 ? 2000ull * SECOND : SECOND / 2);
    ck_assert_uint_eq(hand_over(s), 4);
    ck_assert_ptr_null(runs.ppg);
}
END_TEST

/* Both computed 1 s in ten rounds. Then the job was killed, in second 12: rank 0 waits in the call
 * since second 2, rank 1 has left it then or later, and 5 s of samples behind it. */
static void break_off(uint64_t left_ns)
{
    struct synth *s = begin(2);
    for (uint32_t r = 0; r < 2; r++) {
        struct sca_part_header *h = synth_header(s, r);
        synth_total(s, r, 1, 10, 1000, 0);
        synth_interval(s, r, 1, 1, 10, SECOND);
        h->state = SCA_RUNNING;
        h->process = (uint32_t)SCA_OBSERVED_GONE;
        h->wall_ns = h->init_ns = 0;
        h->samples = 1100;
        h->sample_period_ns = 5000000;
        h->last_ns = r ? 12ull * SECOND : 2ull * SECOND;
        h->present[0] = (struct sca_part_present){.thread = 1,
                                                  .turn = r ? 2 : 3,
                                                  .site = 1,
                                                  .left = 1,
                                                  .enter_ns = 2ull * SECOND,
                                                  .exit_ns = left_ns};
    }
    synth_sample(s, 1, synth_node(s, 0, 0, 0x1160, SCA_NODE_PC), 1, false, 1000);
    ck_assert_int_eq(mkdir(paths[0], 0700), 0);
    for (uint32_t r = 0; r < 2; r++)
        synth_write_part(s, r, paths[0]);
    synth_free(s);
    ck_assert_int_eq(load(1), SCA_OK);
}

static uint64_t computed(uint32_t rank)
{
    const struct sca_profile *p = runs.profiles[0];
    void *memory = calloc(1, sca_rank_open_size(p));
    const struct sca_rank *r =
        sca_rank_open(sca_rank_open_init(memory, p), rank, SCA_OPEN_INTERVALS);
    ck_assert_uint_eq(r->nintervals, 1);
    uint64_t ns = r->intervals[0].cpu_ns;
    free(memory);
    return ns;
}

START_TEST(what_a_rank_computed_when_its_job_was_killed_counts)
{
    break_off(2ull * SECOND);
    const struct sca_rank *ranks = runs.profiles[0]->ranks;
    ck_assert_uint_eq(computed(0), SECOND);
    ck_assert_uint_eq(computed(1), 6ull * SECOND);
    ck_assert(ranks[1].moment->open_ns == 10ull * SECOND && ranks[1].moment->open_counts);
    ck_assert_uint_eq(ranks[0].mpi_ns, 10ull * SECOND + 1000);
    for (uint32_t r = 0; r < 2; r++)
        ck_assert_uint_eq(ranks[r].wall_ns, 12ull * SECOND);
}
END_TEST

START_TEST(a_part_of_a_round_does_not_count)
{
    break_off(12ull * SECOND - SECOND / 10);
    ck_assert_uint_eq(computed(1), SECOND);
    ck_assert_uint_eq(runs.profiles[0]->ranks[1].moment->open_ns, 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("run_loading");
    TCase *tcase = tcase_create("run_loading");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_is_not_there_is_named);
    tcase_add_test(tcase, a_run_given_twice_is_refused_by_whatever_name);
    tcase_add_test(tcase, what_is_no_profile_is_named);
    tcase_add_test(tcase, runs_stand_by_rising_ranks_the_complete_one_last);
    tcase_add_test(tcase, work_is_told_of_every_run_or_of_none);
    tcase_add_test(tcase, work_goes_by_the_number_of_ranks_where_that_is_given);
    tcase_add_test(tcase, a_run_whose_ranks_have_no_work_is_refused);
    tcase_add_test(tcase, a_rank_that_ran_far_longer_had_its_clock_jump);
    tcase_add_test(tcase, times_longer_than_the_run_are_left_out);
    tcase_add_test(tcase, a_program_that_is_gone_is_named);
    tcase_add_test(tcase, ranks_are_handed_over_and_forgotten);
    tcase_add_test(tcase, ranks_with_locks_are_not_handed_over);
    tcase_add_test(tcase, a_clock_that_jumped_is_found_when_all_are_there);
    tcase_add_test(tcase, what_a_rank_computed_when_its_job_was_killed_counts);
    tcase_add_test(tcase, a_part_of_a_round_does_not_count);
    suite_add_tcase(suite, tcase);
    return suite;
}
