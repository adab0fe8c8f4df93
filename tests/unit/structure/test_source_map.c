/* Lines of instructions, by lines.s; and functions that are inlined into each other, by hand. */
#include "source/source_map.h"
#include "check_main.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions by hand ---- */

/* 1 and 2 are inlined into 0, at lines 10 and 20, 3 into 1 at line 11. */
static struct sca_source_node nodes[] = {
    {.depth = 0},
    {.parent = 0, .depth = 1, .call = {"f.c", 10}},
    {.parent = 0, .depth = 1, .call = {"f.c", 20}},
    {.parent = 1, .depth = 2, .call = {"h.c", 11}},
};
/* One instruction of each. */
static struct sca_source_line lines[] = {{"f.c", 1}, {"h.c", 2}, {"h.c", 3}, {"h.c", 4}};
static uint32_t own[] = {0, 1, 2, 3};
static const struct sca_source_map by_hand = {
    .nodes = nodes, .nnodes = 4, .line = lines, .node = own, .capacity = 4};

static void check_line(uint32_t instruction, uint32_t node, uint32_t line)
{
    ck_assert_uint_eq(sca_source_map_line(&by_hand, instruction, node).line, line);
}

START_TEST(what_is_inlined_is_within_all_around_it)
{
    ck_assert(sca_source_map_is_within(&by_hand, 3, 3));
    ck_assert(sca_source_map_is_within(&by_hand, 3, 1));
    ck_assert(sca_source_map_is_within(&by_hand, 3, 0));
    ck_assert(!sca_source_map_is_within(&by_hand, 3, 2));
    ck_assert(!sca_source_map_is_within(&by_hand, 1, 3));
    ck_assert_uint_eq(sca_source_map_child(&by_hand, 0, 3), 1);
    ck_assert_uint_eq(sca_source_map_child(&by_hand, 1, 3), 3);
}
END_TEST

START_TEST(seen_from_around_it_has_the_line_of_its_call)
{
    check_line(3, 3, 4);
    check_line(3, 1, 11);
    check_line(3, 0, 10);
    check_line(2, 0, 20);
    check_line(0, 0, 1);
    ck_assert_str_eq(sca_source_map_line(&by_hand, 3, 1).file, "h.c");
}
END_TEST

START_TEST(where_it_is_not_active_it_has_none)
{
    check_line(3, 2, 0);
    check_line(0, 1, 0);
    ck_assert_ptr_null(sca_source_map_line(&by_hand, 0, 1).file);
}
END_TEST

/* ---- lines of a program ---- */

static struct sca_binary *binary;
static struct sca_code_image image;
static struct sca_code_functions functions;
static struct sca_units units;
static struct sca_flow_graph graph;
static struct sca_source_map map;

static void set_up(void)
{
    ck_assert_int_eq(sca_binary_open(TEST_LINES, "", &binary), SCA_OK);
    ck_assert_int_eq(sca_code_image_read(binary, &image), SCA_OK);
    ck_assert_int_eq(sca_code_functions_read(binary, &image, &functions), SCA_OK);
    ck_assert_int_eq(sca_compile_units_read(sca_binary_dwarf(binary), &units), SCA_OK);
    ck_assert_uint_eq(functions.count, 1);
    struct sca_flow_code code = {.image = &image, .functions = &functions};
    ck_assert_int_eq(sca_flow_graph_fill(&code, 0, true, &graph), SCA_OK);
    ck_assert_uint_eq(graph.ninstructions, 5);
}

static void tear_down(void)
{
    sca_source_map_free(&map);
    sca_flow_graph_free(&graph);
    sca_compile_units_free(&units);
    sca_code_functions_free(&functions);
    sca_code_image_free(&image);
    sca_binary_close(binary);
}

static void check_lines(bool known)
{
    static const uint32_t of[] = {6, 7, 8, 9, 10}; /* of lines.s */
    for (int i = 0; i < 5; i++) {
        ck_assert_uint_eq(map.line[i].line, known ? of[i] : 0);
        ck_assert_uint_eq(map.node[i], 0);
        ck_assert(known == (map.line[i].file && strstr(map.line[i].file, "lines.s")));
    }
}

START_TEST(each_instruction_has_its_line)
{
    ck_assert_int_eq(sca_source_map_fill(&units, &graph, &map), SCA_OK);
    check_lines(true);
}
END_TEST

START_TEST(without_debug_information_there_is_one_function_and_no_line)
{
    struct sca_units none = {0};
    ck_assert_int_eq(sca_source_map_fill(&units, &graph, &map), SCA_OK);
    ck_assert_int_eq(sca_source_map_fill(&none, &graph, &map), SCA_OK); /* filled anew */
    check_lines(false);
    ck_assert_uint_eq(map.nnodes, 1);
    ck_assert(!map.nodes[0].described);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("source_map");
    TCase *hand = tcase_create("by_hand"), *program = tcase_create("program");
    tcase_add_test(hand, what_is_inlined_is_within_all_around_it);
    tcase_add_test(hand, seen_from_around_it_has_the_line_of_its_call);
    tcase_add_test(hand, where_it_is_not_active_it_has_none);
    suite_add_tcase(suite, hand);
    tcase_add_checked_fixture(program, set_up, tear_down);
    tcase_add_test(program, each_instruction_has_its_line);
    tcase_add_test(program, without_debug_information_there_is_one_function_and_no_line);
    suite_add_tcase(suite, program);
    return suite;
}
