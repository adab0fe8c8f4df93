/* Which vertex a frame stands at: by id, and by name and line where ids are lost. */
#include "symbols/graph_match.h"
#include "check_main.h"
#include "psg_fixture.h"

#include <string.h>

enum { RELAX, NORM, SOLVE, MAP, SHIFT, LESS, FUNCTIONS };

/* Unit 0: ids 1 to 3 are relax's, 4 and 5 norm's. Unit 1: 1 and 2 solve's, 3 map's, 4 and 5 those
 * of the operators. */
static struct psg_text text[FUNCTIONS] = {
    [RELAX] = {"relax", .nvertices = 3,
               .vertices = {PSG_ROOT_AT(10, 30), PSG_LOOP_AT(0, 12, 25), PSG_LOOP_AT(1, 14, 20)}},
    [NORM] = {"_ZN4grid4normEv", "grid::norm", .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}},
    [SOLVE] = {"solve", .unit = 1, .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}},
    [MAP] = {"_Z3mapIiEvT_", "map", .unit = 1, .nvertices = 1, .vertices = {PSG_ROOT}},
    [SHIFT] = {"_ZlsRSoRK5Field", "operator<<", .unit = 1, .nvertices = 1, .vertices = {PSG_ROOT}},
    [LESS] = {"_ZltRK5FieldS1_", "operator<", .unit = 1, .nvertices = 1, .vertices = {PSG_ROOT}},
};

static struct psg_fixture fixture;
static struct sca_frame frame;

static void set_up(void)
{
    psg_fixture_open(&fixture, text, FUNCTIONS);
}

static void tear_down(void)
{
    psg_fixture_close(&fixture);
}

/* Of the unit whose hash ends in `unit`; below 0: compiled without. */
static uint32_t match(int unit, const char *linkage, const char *name, uint32_t id, uint32_t line)
{
    struct sca_dwarf_unit home = {.hash = (uint64_t)(PSG_HASH + unit), .has_hash = unit >= 0};
    struct sca_identity who = {&home, linkage, name};
    frame = (struct sca_frame){.function = 77, .vertex = 77, .line = line};
    sca_graph_match_vertex(&fixture.psg, &who, id, &frame);
    return frame.function;
}

START_TEST(an_id_says_function_and_vertex)
{
    for (uint32_t id = 1; id <= 3; id++) {
        ck_assert_uint_eq(match(0, "", "relax", id, 0), RELAX);
        ck_assert_uint_eq(frame.vertex, id - 1);
    }
    ck_assert_uint_eq(match(0, "_ZN4grid4normEv", "norm", 5, 0), NORM);
    ck_assert_uint_eq(frame.vertex, 1);
    ck_assert_uint_eq(match(1, "", "solve", 2, 0), SOLVE);
    ck_assert_uint_eq(frame.vertex, 1);
}
END_TEST

/* As C functions have no linkage name, and DWARF leaves namespaces out. */
START_TEST(an_id_is_believed_only_with_a_name_that_fits)
{
    ck_assert_uint_eq(match(0, "", "norm", 4, 0), NORM);
    ck_assert_uint_eq(match(0, "_ZN4grid4normEi", "norm", 4, 0), SCA_NO_FUNCTION);
    ck_assert_uint_eq(frame.vertex, 0);
    ck_assert_uint_eq(match(0, "", "blend", 4, 0), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(0, "", "", 5, 0), NORM);
    ck_assert_uint_eq(match(0, "", "", 6, 0), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(0, "", "", 0, 0), SCA_NO_FUNCTION);
}
END_TEST

START_TEST(template_arguments_are_no_part_of_a_name_but_operators_are)
{
    ck_assert_uint_eq(match(1, "", "map<int>", 3, 0), MAP);
    ck_assert_uint_eq(match(1, "", "mop<int>", 3, 0), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(1, "", "operator<<", 4, 0), SHIFT);
    ck_assert_uint_eq(match(1, "", "operator<", 5, 0), LESS);
    ck_assert_uint_eq(match(1, "", "operator<=", 5, 0), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(1, "", "operator<<<char>", 5, 0), SCA_NO_FUNCTION);
}
END_TEST

START_TEST(inlined_into_another_unit_an_id_is_that_of_its_own)
{
    ck_assert_uint_eq(match(1, "relax", "relax", 3, 0), RELAX);
    ck_assert_uint_eq(frame.vertex, 2);
    ck_assert_uint_eq(match(3, "", "relax", 2, 0), RELAX); /* a unit whose record is gone */
    ck_assert_uint_eq(frame.vertex, 1);
    ck_assert_uint_eq(match(3, "", "", 2, 0), SCA_NO_FUNCTION);
}
END_TEST

static void check_line(uint32_t line, uint32_t vertex)
{
    ck_assert_uint_eq(match(0, "", "relax", 0, line), RELAX);
    ck_assert_uint_eq(frame.vertex, vertex);
    ck_assert_uint_eq(match(0, "", "relax", 5, line), RELAX); /* norm's id */
    ck_assert_uint_eq(frame.vertex, vertex);
}

START_TEST(without_an_id_the_innermost_loop_around_the_line)
{
    check_line(11, 0);
    check_line(12, 1);
    check_line(13, 1);
    check_line(14, 2);
    check_line(20, 2);
    check_line(21, 1);
    check_line(25, 1);
    check_line(26, 0);
}
END_TEST

START_TEST(a_line_says_nothing_of_other_functions_and_units)
{
    ck_assert_uint_eq(match(1, "", "relax", 0, 14), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(0, "", "rela", 0, 14), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(3, "", "relax", 0, 14), SCA_NO_FUNCTION);
    ck_assert_uint_eq(match(-1, "", "relax", 2, 14), SCA_NO_FUNCTION);
    ck_assert_uint_eq(frame.vertex, 0);
    ck_assert_uint_eq(frame.line, 14);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("graph_match");
    TCase *tcase = tcase_create("graph_match");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_id_says_function_and_vertex);
    tcase_add_test(tcase, an_id_is_believed_only_with_a_name_that_fits);
    tcase_add_test(tcase, template_arguments_are_no_part_of_a_name_but_operators_are);
    tcase_add_test(tcase, inlined_into_another_unit_an_id_is_that_of_its_own);
    tcase_add_test(tcase, without_an_id_the_innermost_loop_around_the_line);
    tcase_add_test(tcase, a_line_says_nothing_of_other_functions_and_units);
    suite_add_tcase(suite, tcase);
    return suite;
}
