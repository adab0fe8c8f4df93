/* A structure as its users see it: looked up by address, and recovered from a small program. */
#include "sca_structure.h"
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "sca_psg.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>

/* ---- looking up ---- */

static struct sca_structure_stack stacks[] = {{0, 0}, {0, 11}, {1, 12}, {2, 13}};
static struct sca_structure_row rows[] = {{0x1000, 1}, {0x1010, 3}, {0x1020, 0}, {0x2000, 2}};
static const struct sca_structure sample = {
    .stacks = stacks, .nstacks = 4, .rows = rows, .nrows = 4};

START_TEST(a_row_holds_up_to_the_next)
{
    static const struct sca_structure none;
    ck_assert_uint_eq(sca_structure_find(&sample, 0xfff), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&sample, 0x1000), 1);
    ck_assert_uint_eq(sca_structure_find(&sample, 0x100f), 1);
    ck_assert_uint_eq(sca_structure_find(&sample, 0x1010), 3);
    ck_assert_uint_eq(sca_structure_find(&sample, 0x1020), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&sample, 0x1fff), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&sample, UINT64_MAX), 2);
    ck_assert_uint_eq(sca_structure_find(&none, 0x1000), SCA_NO_STACK);
}
END_TEST

START_TEST(ids_come_from_the_outermost_inwards)
{
    uint32_t ids[4] = {0, 0, 0, 99};
    ck_assert_uint_eq(sca_structure_ids(&sample, 3, ids, 3), 3);
    ck_assert_uint_eq(ids[0], 11);
    ck_assert_uint_eq(ids[1], 12);
    ck_assert_uint_eq(ids[2], 13);
    ck_assert_uint_eq(ids[3], 99);
    ck_assert_uint_eq(sca_structure_ids(&sample, SCA_NO_STACK, ids, 3), 0);
}
END_TEST

/* The outermost ones are kept. */
START_TEST(no_more_ids_than_wanted)
{
    uint32_t ids[3] = {0, 0, 99};
    ck_assert_uint_eq(sca_structure_ids(&sample, 3, ids, 2), 2);
    ck_assert_uint_eq(ids[0], 11);
    ck_assert_uint_eq(ids[1], 12);
    ck_assert_uint_eq(ids[2], 99);
    ck_assert_uint_eq(sca_structure_ids(&sample, 3, ids, 0), 0);
}
END_TEST

/* ---- a program ---- */

enum { AT = 0x401000, HELPER = AT + 16 };

/* main: 0 xor %eax,%eax; 2 call helper; 7 inc %eax; 9 cmp $9,%eax; 12 jne 2; 14 ret; 15 nop
 * helper: 16 ret */
static const uint8_t code[] = {0x31, 0xc0, 0xe8, 9,    0,    0,    0,    0xff, 0xc0,
                               0x83, 0xf8, 9,    0x75, 0xf4, 0xc3, 0x90, 0xc3};

static char folder[TEMP_FOLDER], path[TEMP_FOLDER + 16];
static struct sca_structure structure;
static struct sca_psg psg;

static void recover(const struct laid_file *file)
{
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/program", folder);
    laid_file_write(file, path);
    ck_assert_int_eq(sca_structure_of(path, &structure), SCA_OK);
    ck_assert_int_eq(sca_psg_add(&psg, structure.psg, structure.psg_size, "it"), SCA_OK);
}

static void set_up(void)
{
    struct laid_file file = {.sections = {{".text", AT, code, sizeof code, true}},
                             .symbols = {{"main", AT, 15, false}, {"helper", HELPER, 1, true}},
                             .entry = AT};
    recover(&file);
}

static void tear_down(void)
{
    sca_psg_free(&psg);
    sca_structure_free(&structure);
    temp_folder_drop(folder);
}

/* The innermost vertex of an address, and the function it is in. */
static const struct sca_vertex *vertex_at(uint64_t address, const struct sca_function **of)
{
    uint32_t id, function, vertex;
    uint32_t stack = sca_structure_find(&structure, address);
    ck_assert_uint_eq(sca_structure_ids(&structure, stack, &id, 1), 1);
    ck_assert_int_eq(sca_psg_find(&psg, psg.units, id, &function, &vertex), SCA_OK);
    *of = &psg.functions[function];
    return &(*of)->vertices[vertex];
}

START_TEST(a_program_has_its_functions_and_loops)
{
    ck_assert_uint_eq(psg.nunits, 1);
    ck_assert_uint_eq(psg.units[0].hash, structure.unit);
    ck_assert_uint_eq(psg.nfunctions, 2);
    ck_assert_uint_eq(structure.loops, 1);
}
END_TEST

START_TEST(an_address_leads_to_its_vertex)
{
    const struct sca_function *of;
    const struct sca_vertex *v = vertex_at(AT, &of);
    ck_assert_str_eq(of->linkage, "main");
    ck_assert_uint_eq(v->kind, SCA_COMP);
    ck_assert_uint_eq(v->parent, 0);
    v = vertex_at(AT + 7, &of);
    ck_assert_uint_eq(v->kind, SCA_COMP);
    ck_assert_uint_eq(of->vertices[v->parent].kind, SCA_LOOP);
    v = vertex_at(AT + 2, &of);
    ck_assert_uint_eq(v->kind, SCA_CALL);
    ck_assert_str_eq(v->callee, "helper");
    ck_assert_uint_eq(of->vertices[v->parent].kind, SCA_LOOP);
    vertex_at(HELPER, &of);
    ck_assert_str_eq(of->name, "helper");
}
END_TEST

START_TEST(between_functions_there_is_nothing)
{
    ck_assert_uint_eq(sca_structure_find(&structure, AT - 1), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&structure, AT + 15), SCA_NO_STACK);
    ck_assert_uint_eq(sca_structure_find(&structure, HELPER + 1), SCA_NO_STACK);
}
END_TEST

/* f: 0 test %edi,%edi; 2 js 32; 4 ret | g: 16 ret | f.cold: 32 neg %edi; 34 jmp 4 */
static const uint8_t far_away[36] = {
    0x85, 0xff, 0x78, 28, 0xc3, [16] = 0xc3, [32] = 0xf7, [33] = 0xdf, [34] = 0xeb, [35] = 0xe0};

START_TEST(a_part_far_away_is_its_function_s)
{
    const struct sca_function *of;
    struct laid_file file = {
        .sections = {{".text", AT, far_away, sizeof far_away, true}},
        .symbols = {{"f", AT, 5, false}, {"g", AT + 16, 1, false}, {"f.cold", AT + 32, 4, true}}};
    tear_down();
    recover(&file);
    vertex_at(AT + 4, &of);
    ck_assert_str_eq(of->linkage, "f");
    vertex_at(AT + 16, &of);
    ck_assert_str_eq(of->linkage, "g");
    vertex_at(AT + 32, &of);
    ck_assert_str_eq(of->linkage, "f");
    ck_assert_uint_eq(sca_structure_find(&structure, AT + 8), SCA_NO_STACK);
}
END_TEST

START_TEST(it_is_written_to_a_file)
{
    char start[8], saved[TEMP_FOLDER + 8];
    snprintf(saved, sizeof saved, "%s/saved", folder);
    ck_assert_int_eq(sca_structure_save(&structure, saved), SCA_OK);
    FILE *file = fopen(saved, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(start, 1, sizeof start, file), sizeof start);
    ck_assert_mem_eq(start, "SCASTRUC", sizeof start);
    fclose(file);
    ck_assert_int_eq(sca_structure_save(&structure, "/nowhere/at/all"), SCA_EIO);
}
END_TEST

START_TEST(what_is_no_program_is_told)
{
    struct sca_structure none;
    ck_assert_int_eq(sca_structure_of("/nowhere/at/all", &none), SCA_ENOTFOUND);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("no program", file);
    fclose(file);
    ck_assert_int_eq(sca_structure_of(path, &none), SCA_EFORMAT);
    ck_assert_ptr_null(none.psg);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), path));
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("structure");
    TCase *looking = tcase_create("lookup"), *program = tcase_create("program");
    tcase_add_test(looking, a_row_holds_up_to_the_next);
    tcase_add_test(looking, ids_come_from_the_outermost_inwards);
    tcase_add_test(looking, no_more_ids_than_wanted);
    suite_add_tcase(suite, looking);
    tcase_add_checked_fixture(program, set_up, tear_down);
    tcase_add_test(program, a_program_has_its_functions_and_loops);
    tcase_add_test(program, an_address_leads_to_its_vertex);
    tcase_add_test(program, between_functions_there_is_nothing);
    tcase_add_test(program, a_part_far_away_is_its_function_s);
    tcase_add_test(program, it_is_written_to_a_file);
    tcase_add_test(program, what_is_no_program_is_told);
    suite_add_tcase(suite, program);
    return suite;
}
