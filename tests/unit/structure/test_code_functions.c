/* The pieces of code: from symbols and unwind tables, apart from each other, and their names. */
#include "image/code_functions.h"
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>

enum { AT = 0x401000, TABLE = 0x500000, SIZE = 0x100 };

static char folder[TEMP_FOLDER];
static struct sca_binary *binary;
static struct sca_code_image image;
static struct sca_code_functions functions;
static uint8_t code[SIZE];

static void set_up(void)
{
    temp_folder(folder);
    memset(code, 0xc3, sizeof code);
}

static void tear_down(void)
{
    sca_code_functions_free(&functions);
    sca_code_image_free(&image);
    sca_binary_close(binary);
    temp_folder_drop(folder);
}

static void read_file(struct laid_file file)
{
    char path[TEMP_FOLDER + 16];
    file.sections[0] = (struct laid_file_section){".text", AT, code, sizeof code, true};
    snprintf(path, sizeof path, "%s/program", folder);
    laid_file_write(&file, path);
    ck_assert_int_eq(sca_binary_open(path, "", &binary), SCA_OK);
    ck_assert_int_eq(sca_code_image_read(binary, &image), SCA_OK);
    ck_assert_int_eq(sca_code_functions_read(binary, &image, &functions), SCA_OK);
}

static void check_piece(uint32_t i, uint64_t low, uint64_t high, const char *name)
{
    ck_assert_uint_lt(i, functions.count);
    ck_assert_uint_eq(functions.list[i].low, low);
    ck_assert_uint_eq(functions.list[i].high, high);
    ck_assert_str_eq(functions.list[i].name, name);
    ck_assert_uint_eq(functions.list[i].owner, i);
}

START_TEST(pieces_are_apart_and_by_address)
{
    read_file((struct laid_file){.symbols = {{"third", AT + 0x40, 0x10, false},
                                             {"first", AT, 0x10, false},
                                             {"second", AT + 0x10, 0x80, false}, /* too long */
                                             {"last", AT + 0x60, 0, false},
                                             {"nowhere", 0x10, 4, false}}});
    ck_assert_uint_eq(functions.count, 4);
    check_piece(0, AT, AT + 0x10, "first");
    check_piece(1, AT + 0x10, AT + 0x40, "second");
    check_piece(2, AT + 0x40, AT + 0x50, "third");
    check_piece(3, AT + 0x60, AT + SIZE, "last"); /* without a size: to the end */
}
END_TEST

START_TEST(an_address_leads_to_its_piece)
{
    read_file(
        (struct laid_file){.symbols = {{"f", AT, 0x10, false}, {"g", AT + 0x20, 0x10, false}}});
    ck_assert_uint_eq(sca_code_functions_at(&functions, AT - 1), SCA_NO_CODE);
    ck_assert_uint_eq(sca_code_functions_at(&functions, AT + 0xf), 0);
    ck_assert_uint_eq(sca_code_functions_at(&functions, AT + 0x10), SCA_NO_CODE);
    ck_assert_uint_eq(sca_code_functions_at(&functions, AT + 0x20), 1);
    ck_assert_uint_eq(sca_code_functions_from(&functions, AT + 0x20), 1);
    ck_assert_uint_eq(sca_code_functions_from(&functions, AT + 0x21), SCA_NO_CODE);
}
END_TEST

/* Other files call it by the name that they can see. */
START_TEST(of_several_names_the_visible_one_counts)
{
    read_file((struct laid_file){
        .symbols = {{"alias", AT, 0x10, true}, {"f", AT, 0x10, false}, {"zz", AT, 0x10, true}}});
    ck_assert_uint_eq(functions.count, 1);
    check_piece(0, AT, AT + 0x10, "f");
    ck_assert(!functions.list[0].local);
    ck_assert_uint_eq(functions.list[0].nsymbols, 3);
    ck_assert_uint_eq(functions.list[0].symbol, 0);
}
END_TEST

START_TEST(parts_are_told_by_name)
{
    read_file((struct laid_file){.symbols = {{"f", AT, 0x10, false},
                                             {"f.cold", AT + 0x10, 0x10, true},
                                             {"f.cold.1", AT + 0x20, 0x10, true},
                                             {"f.colder", AT + 0x30, 0x10, true},
                                             {".cold", AT + 0x40, 0x10, true}}});
    static const bool part[] = {false, true, true, false, false};
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_msg(functions.list[i].part == part[i], "%s", functions.list[i].name);
}
END_TEST

/* A common entry and two ranges: AT .. AT + 0x20 and AT + 0x40 .. AT + 0x50. */
static const uint8_t table[] = {
    20,   0,    0,    0,    0, 0,    0, 0,  1, 'z', 'R', 0,  1, 0x78, 16, 1, 3,
    0x0c, 7,    8,    0,    0, 0,    0, 16, 0, 0,   0,   28, 0, 0,    0,  0, 0x10,
    0x40, 0,    0x20, 0,    0, 0,    0, 0,  0, 0,   16,  0,  0, 0,    48, 0, 0,
    0,    0x40, 0x10, 0x40, 0, 0x10, 0, 0,  0, 0,   0,   0,  0, 0,    0,  0, 0};

START_TEST(a_symbol_within_a_range_is_a_label)
{
    read_file((struct laid_file){
        .sections = {{0}, {".eh_frame", TABLE, table, sizeof table, false}},
        .symbols = {
            {"f", AT, 0x20, false}, {"label", AT + 8, 8, true}, {"g", AT + 0x60, 8, false}}});
    ck_assert_uint_eq(functions.count, 3);
    check_piece(0, AT, AT + 0x20, "f");
    check_piece(1, AT + 0x40, AT + 0x50, "");
    check_piece(2, AT + 0x60, AT + 0x68, "g");
    ck_assert(functions.named);
}
END_TEST

/* lea 0x39(%rip),%rdi: AT + 0x40, which the C library is to call. */
START_TEST(without_symbols_the_entry_tells_main)
{
    static const uint8_t start[] = {0x48, 0x8d, 0x3d, 0x39, 0, 0, 0};
    memcpy(code, start, sizeof start);
    read_file((struct laid_file){
        .sections = {{0}, {".eh_frame", TABLE, table, sizeof table, false}}, .entry = AT});
    ck_assert(!functions.named);
    ck_assert_uint_eq(functions.count, 2);
    check_piece(0, AT, AT + 0x20, "");
    check_piece(1, AT + 0x40, AT + 0x50, "main");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("code_functions");
    TCase *tcase = tcase_create("code_functions");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, pieces_are_apart_and_by_address);
    tcase_add_test(tcase, an_address_leads_to_its_piece);
    tcase_add_test(tcase, of_several_names_the_visible_one_counts);
    tcase_add_test(tcase, parts_are_told_by_name);
    tcase_add_test(tcase, a_symbol_within_a_range_is_a_label);
    tcase_add_test(tcase, without_symbols_the_entry_tells_main);
    suite_add_tcase(suite, tcase);
    return suite;
}
