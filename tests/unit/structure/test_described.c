/* Functions as debug information describes them, byte by byte as DWARF 4 lays it out. */
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "sca_psg.h"
#include "sca_structure.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>

enum { AT = 0x401000 };

static char folder[TEMP_FOLDER];
static struct sca_structure structure;
static struct sca_psg psg;

static void set_up(void)
{
    temp_folder(folder);
}

static void tear_down(void)
{
    sca_psg_free(&psg);
    sca_structure_free(&structure);
    temp_folder_drop(folder);
}

/* 1: a unit with children, low_pc (address), high_pc (four bytes); 2: a function, name (string),
 * external (there), low_pc, high_pc; 3: the same with a linkage name. */
static const uint8_t abbreviations[] = {1, 0x11, 1,    0x11, 1,    0x12, 6, 0,    0, 2, 0x2e, 0, 3,
                                        8, 0x3f, 0x19, 0x11, 1,    0x12, 6, 0,    0, 3, 0x2e, 0, 3,
                                        8, 0x6e, 8,    0x3f, 0x19, 0x11, 1, 0x12, 6, 0, 0,    0};
#define ADDRESS(low) low, 0x10, 0x40, 0, 0, 0, 0, 0
/* Length, version 4, abbreviations at 0, addresses of 8; the unit, 32 bytes of code. */
#define UNIT(length) length, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, ADDRESS(0), 32, 0, 0, 0

/* The structure of two functions without symbols, with that in .debug_info. */
static void recover(const uint8_t *info, size_t size)
{
    static const uint8_t code[32] = {0xc3, [16] = 0xc3};
    char path[TEMP_FOLDER + 16];
    struct laid_file file = {
        .sections = {{".text", AT, code, sizeof code, true},
                     {".debug_info", 0, info, size, false},
                     {".debug_abbrev", 0, abbreviations, sizeof abbreviations, false}},
        .symbols = {{"first_symbol", AT, 16, false}, {"second_symbol", AT + 16, 16, false}}};
    snprintf(path, sizeof path, "%s/program", folder);
    laid_file_write(&file, path);
    ck_assert_int_eq(sca_structure_of(path, &structure), SCA_OK);
    int status = sca_psg_add(&psg, structure.psg, structure.psg_size, "it");
    ck_assert_msg(!status, "%s", sca_error_message());
    ck_assert_uint_eq(psg.nfunctions, 2);
}

START_TEST(a_function_is_called_what_its_description_says)
{
    static const uint8_t info[] = {UNIT(54), 2,   'f', 0, ADDRESS(0),  16, 0, 0, 0, 3, 'g',
                                   0,        'h', '_', 0, ADDRESS(16), 16, 0, 0, 0, 0};
    recover(info, sizeof info);
    bool in_order = !strcmp(psg.functions[0].linkage, "f");
    const struct sca_function *first = &psg.functions[!in_order],
                              *second = &psg.functions[in_order];
    ck_assert_str_eq(first->linkage, "f");
    ck_assert_str_eq(first->name, "f");
    ck_assert_str_eq(second->linkage, "h_");
    ck_assert_str_eq(second->name, "g");
}
END_TEST

/* Neither name nor linkage name has a letter: the graph must be one that can be read. */
START_TEST(an_empty_name_is_none)
{
    static const uint8_t info[] = {UNIT(51), 2, 0, ADDRESS(0),  16, 0, 0, 0, 3,
                                   'g',      0, 0, ADDRESS(16), 16, 0, 0, 0, 0};
    recover(info, sizeof info);
    ck_assert_str_ne(psg.functions[0].linkage, "");
    ck_assert_str_ne(psg.functions[1].linkage, "");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("described");
    TCase *tcase = tcase_create("described");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_function_is_called_what_its_description_says);
    tcase_add_test(tcase, an_empty_name_is_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
