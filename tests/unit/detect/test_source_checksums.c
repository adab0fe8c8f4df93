/* Which sources get the checksum that their line table has: programs/rows.s has three. */
#include "symbols/source_checksums.h"
#include "check_main.h"

#include <string.h>

#define ROWS TEST_PROGRAMS "/rows"

static struct sca_report *report;
static struct sca_report_vertex vertices[8];

static void set_up(void)
{
    static const char *const files[] = {"", "/src/rows.c", "/src/lib/inner.h", "/src/rows.c",
                                        "/src/nowhere.c"};
    report = sca_report_new();
    ck_assert_ptr_nonnull(report);
    report->path = ROWS;
    report->build_id = "";
    report->vertices = vertices;
    report->nvertices = sizeof files / sizeof *files;
    for (uint32_t v = 0; v < report->nvertices; v++)
        vertices[v] = (struct sca_report_vertex){.file = files[v]};
}

static void tear_down(void)
{
    sca_report_free(report);
}

static void fill(struct sca_module *modules, uint32_t count)
{
    struct sca_profile run = {.directory = ".", .nmodules = count, .modules = modules};
    sca_source_checksums_fill(report, &run, NULL);
}

static const char *md5_of(const char *file)
{
    for (uint32_t i = 0; i < report->nsources; i++)
        if (!strcmp(report->sources[i].file, file))
            return report->sources[i].md5;
    return "none";
}

START_TEST(each_file_that_is_shown_has_its_sum_once)
{
    fill(NULL, 0);
    ck_assert_uint_eq(report->nsources, 2);
    ck_assert_str_eq(md5_of("/src/rows.c"), "000102030405060708090a0b0c0d0e0f");
    ck_assert_str_eq(md5_of("/src/lib/inner.h"), "fedcba98765432100123456789abcdef");
    ck_assert_str_eq(md5_of("/opt/other/other.h"), "none"); /* no vertex is there */
}
END_TEST

START_TEST(a_directory_may_stand_by_itself)
{
    vertices[4].file = "/opt/other/other.h";
    fill(NULL, 0);
    ck_assert_uint_eq(report->nsources, 3);
    ck_assert_str_eq(md5_of("/opt/other/other.h"), "11111111111111111111111111111111");
}
END_TEST

START_TEST(the_users_libraries_are_asked_too)
{
    struct sca_module modules[] = {{"[vdso]", ""}, {"/nowhere/libgone.so", ""}, {ROWS, ""}};
    report->path = TEST_PROGRAMS "/nested_sections"; /* DWARF 4 has no sums */
    fill(modules, 2);
    ck_assert_uint_eq(report->nsources, 0);
    fill(modules, 3);
    ck_assert_uint_eq(report->nsources, 2);
    ck_assert_str_eq(md5_of("/src/rows.c"), "000102030405060708090a0b0c0d0e0f");
}
END_TEST

START_TEST(another_build_says_nothing_of_these_sources)
{
    report->build_id = "00112233";
    fill(NULL, 0);
    ck_assert_uint_eq(report->nsources, 0);
}
END_TEST

START_TEST(what_cannot_be_read_has_none)
{
    static const char *const paths[] = {"/nowhere/program", TEST_PROGRAMS, "/dev/null", "",
                                        TEST_PROGRAMS "/halo_stripped"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        report->path = paths[i];
        fill(NULL, 0);
        ck_assert_uint_eq(report->nsources, 0);
    }
}
END_TEST

START_TEST(a_report_of_no_places_has_none)
{
    report->nvertices = 0;
    fill(NULL, 0);
    ck_assert_uint_eq(report->nsources, 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("source_checksums");
    TCase *tcase = tcase_create("source_checksums");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, each_file_that_is_shown_has_its_sum_once);
    tcase_add_test(tcase, a_directory_may_stand_by_itself);
    tcase_add_test(tcase, the_users_libraries_are_asked_too);
    tcase_add_test(tcase, another_build_says_nothing_of_these_sources);
    tcase_add_test(tcase, what_cannot_be_read_has_none);
    tcase_add_test(tcase, a_report_of_no_places_has_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
