/* What lacks something is said in a sentence; of several files in one. */
#include "symbols/attribution.h"
#include "check_main.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH = TEMP_FOLDER + 32 };

static char folder[TEMP_FOLDER];
static struct sca_attribution code;

static void set_up(void)
{
    code = (struct sca_attribution){0};
    temp_folder(folder);
}

static void tear_down(void)
{
    sca_attribution_free(&code);
    temp_folder_drop(folder);
}

static void add(const char *name, const char *program)
{
    char path[PATH], target[4096];
    struct sca_module module = {path, ""};
    uint32_t index;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(target, sizeof target, "%s/%s", TEST_PROGRAMS, program);
    ck_assert_int_eq(symlink(target, path), 0);
    ck_assert_int_eq(sca_attribution_add(&code, &module, code.nmodules == 0, &index), SCA_OK);
}

/* The sentence but for the folder in front of each name. */
static void check_note(uint32_t note, const char *expected)
{
    char text[1024] = "";
    size_t length = strlen(folder) + 1;
    ck_assert_uint_lt(note, code.nnotes);
    for (const char *at = code.notes[note]; *at;) {
        at += strncmp(at, folder, length - 1) ? 0 : length;
        strncat(text, at++, 1);
    }
    ck_assert_str_eq(text, expected);
}

START_TEST(one_file_has_a_sentence)
{
    add("a", "nested_o2");
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    ck_assert_uint_eq(code.nnotes, 1);
    check_note(
        0,
        "loops of a were recovered from machine code, because scalana-static did not compile it");
}
END_TEST

START_TEST(files_that_lack_the_same_share_one)
{
    add("a", "nested_o2");
    add("s", "halo_stripped");
    add("b", "nested_o2");
    add("c", "nested_o2");
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    ck_assert_uint_eq(code.nnotes, 2);
    check_note(0, "loops of a, b and c were recovered from machine code, because scalana-static "
                  "did not compile it");
    check_note(1, "loops of s were recovered from machine code, with addresses instead of lines: "
                  "it is stripped, and no debug file was found");
}
END_TEST

START_TEST(of_many_some_are_named)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++)
        add(names[i], "nested_o2");
    ck_assert_int_eq(sca_attribution_ready(&code), SCA_OK);
    check_note(0, "loops of a, b, c and 2 more were recovered from machine code, because "
                  "scalana-static did not compile it");
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("file_notes");
    TCase *tcase = tcase_create("file_notes");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, one_file_has_a_sentence);
    tcase_add_test(tcase, files_that_lack_the_same_share_one);
    tcase_add_test(tcase, of_many_some_are_named);
    suite_add_tcase(suite, tcase);
    return suite;
}
