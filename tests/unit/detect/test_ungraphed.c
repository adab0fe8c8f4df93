/* How much ran in the user's code without a graph, and when that is worth a sentence. */
#include "graph/ungraphed.h"
#include "check_main.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MODULES = 6, OURS = MODULES, UNKNOWN, NODES, PATH = TEMP_FOLDER + 32 };

/* Addresses of programs/rows: of a unit that was compiled without a graph, and of one with. */
enum { IN_ALONE = 0x100b0, IN_OUTER = 0x10010 };

/* Libraries a to f, all of them programs/rows; our own; and a node in no module. */
static char folder[TEMP_FOLDER];
static struct sca_attribution code;
static uint32_t index_of[NODES];
static struct sca_node nodes[NODES];
static struct sca_part_sample samples[NODES];
static struct sca_rank rank;

static void add_module(uint32_t m, const char *name)
{
    char path[PATH];
    struct sca_module module = {path, ""};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(symlink(TEST_PROGRAMS "/rows", path), 0);
    ck_assert_int_eq(sca_attribution_add(&code, &module, false, &index_of[m]), SCA_OK);
}

static void set_up(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "libscalana-own.so"};
    code = (struct sca_attribution){0};
    rank = (struct sca_rank){.present = true, .sample = samples};
    temp_folder(folder);
    for (uint32_t m = 0; m <= OURS; m++)
        add_module(m, names[m]);
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    code.nnotes = 0;
    index_of[UNKNOWN] = SCA_NONE;
    for (uint32_t n = 0; n < NODES; n++)
        nodes[n] = (struct sca_node){.module = n, .offset = IN_ALONE, .kind = SCA_NODE_PC};
    nodes[UNKNOWN].module = SCA_NONE;
}

static void tear_down(void)
{
    sca_attribution_free(&code);
    temp_folder_drop(folder);
}

static void sample(uint32_t node, bool in_mpi, uint64_t count)
{
    samples[rank.nsamples++] =
        (struct sca_part_sample){.node = node, .in_mpi = in_mpi, .count = count};
}

/* The note, or "". */
static const char *note(void)
{
    struct sca_profile run = {.nranks = 1,
                              .ranks = &rank,
                              .nnodes = NODES,
                              .nodes = nodes,
                              .nmodules = MODULES + 1,
                              .modules = NULL};
    ck_assert_int_eq(sca_ungraphed_note(&code, &run, index_of), SCA_OK);
    ck_assert_uint_le(code.nnotes, 1);
    return code.nnotes ? code.notes[0] : "";
}

START_TEST(one_in_twenty_is_worth_a_sentence)
{
    sample(0, false, 1);
    sample(UNKNOWN, false, 19);
    ck_assert_str_eq(note(),
                     "No graph (not compiled with scalana-static): a, 5 % of the samples. "
                     "Functions are known there, and lines if compiled with -g, but no loops.");
}
END_TEST

START_TEST(less_is_not)
{
    sample(0, false, 1);
    sample(UNKNOWN, false, 20);
    ck_assert_str_eq(note(), "");
}
END_TEST

START_TEST(slight_ones_together_are)
{
    sample(0, false, 1);
    sample(1, false, 1);
    sample(UNKNOWN, false, 38);
    ck_assert_ptr_nonnull(strstr(note(), ": a, 2 % of the samples; b, 2 %. "));
}
END_TEST

START_TEST(the_greatest_are_named_first_and_not_all)
{
    sample(0, false, 10);
    sample(1, false, 30);
    sample(2, false, 10);
    sample(3, false, 40);
    ck_assert_ptr_nonnull(strstr(note(), ": d, 44 % of the samples; b, 33 %; a, 11 %; c, 11 %. "));
}
END_TEST

START_TEST(of_many_the_rest_is_left_out)
{
    for (uint32_t m = 0; m < 5; m++)
        sample(m, false, 20 + m);
    ck_assert_ptr_nonnull(
        strstr(note(), ": e, 22 % of the samples; d, 21 %; c, 20 %; b, 19 %; .... "));
}
END_TEST

START_TEST(computation_alone_counts)
{
    sample(0, true, 1000);
    sample(1, false, 50);
    sample(UNKNOWN, false, 50);
    sample(UNKNOWN, true, 5000);
    ck_assert_ptr_nonnull(strstr(note(), ": b, 50 % of the samples. "));
}
END_TEST

START_TEST(our_own_library_is_not_the_users)
{
    sample(OURS, false, 100);
    ck_assert_str_eq(note(), "");
}
END_TEST

/* Where the unit has a graph, a function that it leaves out is a system header's. */
START_TEST(code_of_a_unit_that_has_a_graph_is_not_told)
{
    nodes[0].offset = IN_OUTER;
    sample(0, false, 100);
    ck_assert_str_eq(note(), "");
}
END_TEST

START_TEST(without_samples_or_with_damaged_ones_nothing_is_said)
{
    ck_assert_str_eq(note(), "");
    sample(NODES, false, 7);
    ck_assert_str_eq(note(), "");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("ungraphed");
    TCase *tcase = tcase_create("ungraphed");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, one_in_twenty_is_worth_a_sentence);
    tcase_add_test(tcase, less_is_not);
    tcase_add_test(tcase, slight_ones_together_are);
    tcase_add_test(tcase, the_greatest_are_named_first_and_not_all);
    tcase_add_test(tcase, of_many_the_rest_is_left_out);
    tcase_add_test(tcase, computation_alone_counts);
    tcase_add_test(tcase, our_own_library_is_not_the_users);
    tcase_add_test(tcase, code_of_a_unit_that_has_a_graph_is_not_told);
    tcase_add_test(tcase, without_samples_or_with_damaged_ones_nothing_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
