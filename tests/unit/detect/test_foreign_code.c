/* What is told of a call into code that is not the user's: synthetic runs of programs/nested.c. */
#include "load/graph_build.h"
#include "sca_error.h"
#include "symbols/attribution.h"
#include "synthetic.h"
#include "temp_folder.h"
#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, CODE = 0x1000, CODE_END = 0x4000, IN_STRIPPED = 0x1150 };

static char folder[TEMP_FOLDER], program[PATH];
static struct synth *synth;
static struct sca_profile *profile;
static struct sca_ppg *graph;
static uint64_t in_main; /* an address of the program's main */
static uint32_t in_program;

static void find_main(void)
{
    struct sca_attribution code = {0};
    struct sca_module module = {program, ""};
    const struct sca_address_info *place = NULL;
    uint32_t index;
    ck_assert_int_eq(sca_attribution_add(&code, &module, true, &index), SCA_OK);
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    in_main = CODE;
    do {
        ck_assert_uint_lt(++in_main, CODE_END);
        ck_assert_int_eq(sca_attribution_lookup(&code, index, in_main, SCA_NODE_PC, &place),
                         SCA_OK);
    } while (!place->nframes || strcmp(place->frames[0].name, "main"));
    sca_attribution_free(&code);
}

/* A file that is not the user's, by its name: a link to one of the programs. */
static uint32_t foreign(const char *name, const char *target)
{
    char path[PATH], to[PATH];
    snprintf(path, sizeof path, "%s/libscalana-%s.so", folder, name);
    snprintf(to, sizeof to, "%s/%s", TEST_PROGRAMS, target);
    ck_assert_int_eq(symlink(to, path), 0);
    return synth_module(synth, path, "");
}

static void set_up(void)
{
    temp_folder(folder);
    snprintf(program, sizeof program, "%s/nested_o2", TEST_PROGRAMS);
    find_main();
    synth = synth_new(1);
    synth_meta(synth, "program", "nested_o2");
    synth_meta(synth, "path", program);
    uint32_t exe = synth_module(synth, program, "");
    uint32_t start = synth_node(synth, 0, SCA_NONE, 0x1234, SCA_NODE_RETURN);
    in_program = synth_node(synth, start, exe, in_main + 1, SCA_NODE_RETURN);
}

static void tear_down(void)
{
    sca_ppg_free(graph);
    sca_profile_free(profile);
    synth_free(synth);
    temp_folder_drop(folder);
}

static const struct sca_inner *told(uint32_t node)
{
    return &graph->inners.items[graph->runs[0].node_inner[node]];
}

static void build(uint32_t sampled)
{
    synth_sample(synth, 0, sampled, 0, false, 52);
    profile = synth_profile(synth);
    ck_assert_int_eq(
        sca_graph_build(&profile, 1, &(struct sca_graph_wish){.max_loop_depth = 10}, &graph),
        SCA_OK);
}

START_TEST(the_function_that_is_called_is_told_and_not_what_it_calls)
{
    uint32_t library = foreign("named", "nested_o2");
    uint32_t first = synth_node(synth, in_program, library, in_main + 1, SCA_NODE_RETURN);
    uint32_t second = synth_node(synth, first, library, in_main, SCA_NODE_PC);
    build(second);
    ck_assert_str_eq(told(first)->function, "main");
    ck_assert(told(first)->foreign && !told(first)->unnamed);
    ck_assert_ptr_eq(told(second), told(first));
}
END_TEST

START_TEST(of_stripped_code_the_first_one_with_a_name_is_told)
{
    uint32_t stripped = foreign("stripped", "halo_stripped");
    uint32_t named = foreign("named", "nested_o2");
    uint32_t first = synth_node(synth, in_program, stripped, IN_STRIPPED, SCA_NODE_RETURN);
    uint32_t second = synth_node(synth, first, named, in_main + 1, SCA_NODE_RETURN);
    uint32_t third = synth_node(synth, second, stripped, IN_STRIPPED, SCA_NODE_PC);
    build(third);
    ck_assert_ptr_nonnull(strstr(told(first)->function, "libscalana-stripped.so+0x"));
    ck_assert(told(first)->foreign && told(first)->unnamed);
    ck_assert_str_eq(told(second)->function, "main");
    ck_assert(told(second)->foreign && !told(second)->unnamed);
    ck_assert_ptr_eq(&graph->inners.items[told(second)->parent], told(first));
    ck_assert_ptr_eq(told(third), told(second));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("foreign_code");
    TCase *tcase = tcase_create("foreign_code");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_function_that_is_called_is_told_and_not_what_it_calls);
    tcase_add_test(tcase, of_stripped_code_the_first_one_with_a_name_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
