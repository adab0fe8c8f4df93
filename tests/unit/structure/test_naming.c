/* What functions are called that have symbols only: as users wrote them, without what compilers put
 * behind names. */
#include "graph/naming.h"
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AT = 0x401000, EACH = 4, COUNT = 9 };

/* Code, and what it is shown as. */
static const struct {
    const char *linkage, *shown;
    bool local;
} cases[COUNT] = {{"plain", "plain", false},
                  {"_ZN3app5solveEi", "app::solve", false},
                  {"work.constprop.0", "work", true},
                  {"work.isra.0.constprop.2", "work", true},
                  {"_ZL4stepv.part.0", "step", true},
                  {"main._omp_fn.0", "main", true},
                  {"__fields_MOD_advance", "advance", false},
                  {"main.cold", "main", true},
                  {".cold", ".cold", true}};

static char folder[TEMP_FOLDER];
static struct sca_binary *binary;
static struct sca_code_image image;
static struct sca_code_functions functions;
static struct sca_draft draft;
static struct sca_units units;
static uint32_t of_code[COUNT];
static struct sca_naming naming;

static void write_file(const char *path)
{
    static uint8_t code[COUNT * EACH];
    struct laid_file file = {.sections = {{".text", AT, code, sizeof code, true}}};
    memset(code, 0xc3, sizeof code);
    for (uint32_t i = 0; i < COUNT; i++)
        file.symbols[i] =
            (struct laid_file_symbol){cases[i].linkage, AT + i * EACH, EACH, cases[i].local};
    laid_file_write(&file, path);
}

static void set_up(void)
{
    char path[TEMP_FOLDER + 16];
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/program", folder);
    write_file(path);
    ck_assert_int_eq(sca_binary_open(path, "", &binary), SCA_OK);
    ck_assert_int_eq(sca_code_image_read(binary, &image), SCA_OK);
    ck_assert_int_eq(sca_code_functions_read(binary, &image, &functions), SCA_OK);
    ck_assert_uint_eq(functions.count, COUNT);
    memset(of_code, 0xff, sizeof of_code);
    naming = (struct sca_naming){binary, &units, &functions, &draft, of_code};
}

static void tear_down(void)
{
    sca_draft_free(&draft);
    sca_code_functions_free(&functions);
    sca_code_image_free(&image);
    sca_binary_close(binary);
    temp_folder_drop(folder);
}

static const struct sca_draft_function *function_of(uint32_t code)
{
    uint32_t function;
    ck_assert_int_eq(sca_naming_of_code(&naming, code, &function), SCA_OK);
    return &draft.functions[function];
}

START_TEST(a_function_is_shown_as_it_was_written)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_str_eq(function_of(i)->linkage, cases[i].linkage);
        ck_assert_str_eq(function_of(i)->name, cases[i].shown);
        ck_assert_int_eq(function_of(i)->local, cases[i].local);
    }
}
END_TEST

START_TEST(code_has_one_function)
{
    const struct sca_draft_function *first = function_of(0);
    ck_assert_ptr_eq(function_of(0), first);
    ck_assert_ptr_ne(function_of(2), function_of(3)); /* of one name, but each in its own place */
}
END_TEST

START_TEST(a_part_is_told_by_its_name)
{
    for (uint32_t i = 0; i < COUNT; i++)
        ck_assert_int_eq(functions.list[i].part, i == 7);
}
END_TEST

START_TEST(what_has_no_name_has_an_address)
{
    char text[SCA_ADDRESS_NAME];
    ck_assert_str_eq(sca_naming_address(&naming, 0x12ab, text), "program+0x12ab");
    functions.list[0].name = "";
    ck_assert_str_eq(function_of(0)->name, "program+0x401000");
    ck_assert(function_of(0)->local);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("naming");
    TCase *tcase = tcase_create("naming");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_function_is_shown_as_it_was_written);
    tcase_add_test(tcase, code_has_one_function);
    tcase_add_test(tcase, a_part_is_told_by_its_name);
    tcase_add_test(tcase, what_has_no_name_has_an_address);
    suite_add_tcase(suite, tcase);
    return suite;
}
