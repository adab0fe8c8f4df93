/* One function of machine code becomes vertices: its loops and calls, at lines and in functions
 * that the test says. */
#include "graph/instance.h"
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT = 0x401000, HELPER = AT + 32, MAIN_SIZE = 26, COUNT = 2 };

/* main: 0 xor %eax,%eax; 2 mov $7,%edi; 7 call helper; 12 inc %eax; 14 cmp $9,%eax; 17 jne 2;
 * 19 call helper; 24 nop; 25 ret | helper: 32 ret */
static const uint8_t code[33] = {0x31, 0xc0, 0xbf, 7,    0,    0,    0,    0xe8, 20,
                                 0,    0,    0,    0xff, 0xc0, 0x83, 0xf8, 9,    0x75,
                                 0xef, 0xe8, 8,    0,    0,    0,    0x90, 0xc3, [32] = 0xc3};
enum { XOR, MOV, CALL, INC, CMP, JNE, CALL_2, NOP, RET, INSTRUCTIONS };

static char folder[TEMP_FOLDER];
static struct sca_binary *binary;
static struct sca_code_image image;
static struct sca_code_functions functions;
static struct sca_units units;
static struct sca_draft draft;
static uint32_t of_code[COUNT] = {SCA_NO_DRAFT, SCA_NO_DRAFT};
static struct sca_naming naming;
static struct sca_stack_table stacks;
static struct sca_flow_graph graph;
static struct sca_source_map map;
static struct sca_loop_places places;

static void write_file(char *path, size_t size)
{
    const struct laid_file file = {
        .sections = {{".text", AT, code, sizeof code, true}},
        .symbols = {{"main", AT, MAIN_SIZE, false}, {"helper", HELPER, 1, true}}};
    snprintf(path, size, "%s/program", folder);
    laid_file_write(&file, path);
}

static void set_up(void)
{
    char path[TEMP_FOLDER + 16];
    temp_folder(folder);
    write_file(path, sizeof path);
    ck_assert_int_eq(sca_binary_open(path, "", &binary), SCA_OK);
    ck_assert_int_eq(sca_code_image_read(binary, &image), SCA_OK);
    ck_assert_int_eq(sca_code_functions_read(binary, &image, &functions), SCA_OK);
    ck_assert_uint_eq(functions.count, COUNT);
    struct sca_flow_code flow = {.image = &image, .functions = &functions};
    ck_assert_int_eq(sca_flow_graph_fill(&flow, 0, true, &graph), SCA_OK);
    ck_assert_uint_eq(graph.ninstructions, INSTRUCTIONS);
    ck_assert_uint_eq(graph.nloops, 1);
    ck_assert_int_eq(sca_source_map_fill(&units, &graph, &map), SCA_OK);
    naming = (struct sca_naming){binary, &units, &functions, &draft, of_code};
}

static void tear_down(void)
{
    sca_loop_places_free(&places);
    sca_source_map_free(&map);
    sca_flow_graph_free(&graph);
    sca_stack_table_free(&stacks);
    sca_draft_free(&draft);
    sca_code_functions_free(&functions);
    sca_code_image_free(&image);
    sca_binary_close(binary);
    temp_folder_drop(folder);
}

static void set_lines(const uint32_t of[INSTRUCTIONS])
{
    for (int i = 0; i < INSTRUCTIONS; i++)
        map.line[i] = (struct sca_source_line){"a.c", of[i]};
}

static void add(void)
{
    ck_assert_int_eq(sca_loop_places_find(&graph, &map, &places), SCA_OK);
    struct sca_instance instance = {&image, &naming, &stacks, &graph, &map, &places};
    ck_assert_int_eq(sca_instance_add(&instance, 0), SCA_OK);
    sca_stack_table_finish(&stacks);
}

/* The innermost frame of the instruction's stack. */
static const struct sca_stack_frame *frame_at(int instruction)
{
    const struct sca_structure found = {.rows = stacks.rows, .nrows = stacks.nrows};
    return &stacks.frames[sca_structure_find(&found, graph.instructions[instruction].address)];
}

static const struct sca_draft_vertex *vertex_at(int instruction)
{
    const struct sca_stack_frame *frame = frame_at(instruction);
    return &draft.functions[frame->function].vertices[frame->vertex];
}

static const struct sca_draft_vertex *parent_of(const struct sca_draft_vertex *v)
{
    return &draft.functions[of_code[0]].vertices[v->parent];
}

static const uint32_t plain[INSTRUCTIONS] = {3, 5, 5, 6, 4, 4, 8, 9, 9};

START_TEST(loops_and_calls_are_vertices)
{
    set_lines(plain);
    add();
    ck_assert_uint_eq(vertex_at(CALL)->kind, SCA_CALL);
    ck_assert_uint_eq(vertex_at(CALL)->line, 5);
    ck_assert_uint_eq(vertex_at(CALL)->called, of_code[1]);
    ck_assert_uint_eq(parent_of(vertex_at(CALL))->kind, SCA_LOOP);
    ck_assert_uint_eq(parent_of(vertex_at(CALL))->line, 4);
    ck_assert_uint_eq(parent_of(vertex_at(CALL))->end_line, 6);
    ck_assert_uint_eq(vertex_at(CALL_2)->kind, SCA_CALL);
    ck_assert_uint_eq(vertex_at(CALL_2)->line, 8);
    ck_assert_uint_eq(vertex_at(CALL_2)->parent, 0);
    ck_assert_str_eq(draft.functions[of_code[0]].linkage, "main");
    ck_assert_str_eq(draft.functions[of_code[1]].linkage, "helper");
}
END_TEST

START_TEST(the_rest_is_computation_between_them)
{
    set_lines(plain);
    add();
    ck_assert_uint_eq(vertex_at(XOR)->kind, SCA_COMP);
    ck_assert_uint_eq(vertex_at(XOR)->parent, 0);
    ck_assert_uint_eq(vertex_at(INC)->kind, SCA_COMP);
    ck_assert_uint_eq(parent_of(vertex_at(INC))->kind, SCA_LOOP);
    ck_assert_ptr_eq(vertex_at(CMP), vertex_at(INC));
    ck_assert_ptr_eq(vertex_at(RET), vertex_at(NOP));
    ck_assert_ptr_ne(vertex_at(RET), vertex_at(XOR));
}
END_TEST

/* Of the same line: what puts its arguments where it expects them. */
START_TEST(what_prepares_a_call_is_part_of_it)
{
    set_lines(plain);
    add();
    ck_assert_ptr_eq(vertex_at(MOV), vertex_at(CALL));
    ck_assert_ptr_ne(vertex_at(INC), vertex_at(CALL));
}
END_TEST

START_TEST(without_lines_places_are_told_by_addresses)
{
    add();
    const struct sca_draft_vertex *loop = parent_of(vertex_at(CALL));
    ck_assert_uint_eq(loop->kind, SCA_LOOP);
    ck_assert_uint_eq(loop->line, 0);
    ck_assert_str_eq(loop->file, "program+0x401002");
    ck_assert_ptr_ne(vertex_at(CALL), vertex_at(CALL_2));
}
END_TEST

/* Two calls of one function in one line are one vertex, but not one in a loop and one behind it. */
START_TEST(a_call_in_a_loop_is_another)
{
    static const uint32_t one[INSTRUCTIONS] = {3, 4, 4, 4, 4, 4, 4, 9, 9};
    set_lines(one);
    add();
    ck_assert_ptr_ne(vertex_at(CALL), vertex_at(CALL_2));
    ck_assert_uint_eq(parent_of(vertex_at(CALL))->kind, SCA_LOOP);
    ck_assert_uint_eq(vertex_at(CALL_2)->parent, 0);
}
END_TEST

START_TEST(code_ends_where_the_function_does)
{
    add();
    const struct sca_structure all = {.rows = stacks.rows, .nrows = stacks.nrows};
    ck_assert_uint_ne(sca_structure_find(&all, AT + MAIN_SIZE - 1), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&all, AT + MAIN_SIZE), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&all, AT - 1), SCA_NO_STACK);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("instance");
    TCase *tcase = tcase_create("instance");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, loops_and_calls_are_vertices);
    tcase_add_test(tcase, the_rest_is_computation_between_them);
    tcase_add_test(tcase, what_prepares_a_call_is_part_of_it);
    tcase_add_test(tcase, without_lines_places_are_told_by_addresses);
    tcase_add_test(tcase, a_call_in_a_loop_is_another);
    tcase_add_test(tcase, code_ends_where_the_function_does);
    suite_add_tcase(suite, tcase);
    return suite;
}
