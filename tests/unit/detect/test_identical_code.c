/* Functions that the linker folded into one: which of them was meant. */
#include "symbols/identical_code.h"
#include "check_main.h"
#include "psg_fixture.h"

enum { MAIN, LEFT, RIGHT, LONGER, OTHER_KIND, OTHER_ARM, LOCAL, TWIN, FUNCTIONS };
enum { TO_LEFT = 1, TO_LONGER, TO_OTHER_KIND, TO_OTHER_ARM, TO_LOCAL, TO_POINTER, TO_LIBRARY };

/* left() stands in lines 10 to 20, its loop in 12 to 15; right() in 110 to 120, 112 to 115. */
static struct psg_text text[FUNCTIONS] = {
    [MAIN] = {"main", .nvertices = 8,
              .vertices = {PSG_ROOT, PSG_CALL(0, "left"), PSG_CALL(0, "longer"),
                           PSG_CALL(0, "other_kind"), PSG_CALL(0, "other_arm"),
                           PSG_CALL(0, "local"), PSG_POINTER(0), PSG_CALL(0, "puts")}},
    [LEFT] = {"left", .nvertices = 3,
              .vertices = {PSG_ROOT_AT(10, 20), PSG_LOOP_AT(0, 12, 15), PSG_COMP(1)}},
    [RIGHT] = {"right", .file = "right.c", .nvertices = 3,
               .vertices = {PSG_ROOT_AT(110, 120), PSG_LOOP_AT(0, 112, 115), PSG_COMP(1)}},
    [LONGER] = {"longer", .nvertices = 4,
                .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_COMP(1), PSG_COMP(0)}},
    [OTHER_KIND] = {"other_kind", .nvertices = 3,
                    .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, "f")}},
    [OTHER_ARM] = {"other_arm", .nvertices = 3,
                   .vertices = {PSG_ROOT,
                                PSG_LOOP(0),
                                {.kind = SCA_COMP, .arm = 1, .parent = 1, .callee = ""}}},
    [LOCAL] = {"local", .local = true, .nvertices = 3,
               .vertices = {PSG_ROOT_AT(210, 230), PSG_LOOP_AT(0, 212, 225), PSG_COMP(1)}},
    [TWIN] = {"local", /* of another unit */
              .local = true, .unit = 1, .nvertices = 3,
              .vertices = {PSG_ROOT_AT(310, 320), PSG_LOOP_AT(0, 312, 315), PSG_COMP(1)}},
};

static struct psg_fixture fixture;

static void set_up(void)
{
    psg_fixture_open(&fixture, text, FUNCTIONS);
}

static void tear_down(void)
{
    psg_fixture_close(&fixture);
}

static uint32_t meant(uint32_t call, uint32_t found)
{
    struct sca_frame caller = {.function = MAIN, .vertex = call};
    struct sca_frame frame = {.function = found, .vertex = 1};
    return sca_identical_code_into(&fixture.program, &caller, &frame);
}

START_TEST(the_call_tells_which_of_equal_functions_was_meant)
{
    ck_assert_uint_eq(meant(TO_LEFT, RIGHT), LEFT);
    ck_assert_uint_eq(meant(TO_LEFT, LEFT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(TO_LOCAL, RIGHT), LOCAL);
}
END_TEST

START_TEST(functions_of_one_name_in_two_units_are_two)
{
    ck_assert_uint_eq(meant(TO_LOCAL, TWIN), LOCAL);
    ck_assert_uint_eq(meant(TO_LOCAL, LOCAL), SCA_NO_FUNCTION);
}
END_TEST

START_TEST(code_of_another_shape_was_not_folded)
{
    ck_assert_uint_eq(meant(TO_LONGER, LEFT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(TO_OTHER_KIND, LEFT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(TO_OTHER_ARM, LEFT), SCA_NO_FUNCTION);
}
END_TEST

START_TEST(through_a_pointer_or_a_library_nobody_can_tell)
{
    struct sca_frame nowhere = {.function = SCA_NO_FUNCTION}, right = {.function = RIGHT};
    ck_assert_uint_eq(meant(TO_POINTER, RIGHT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(TO_LIBRARY, RIGHT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(0, RIGHT), SCA_NO_FUNCTION);
    ck_assert_uint_eq(meant(TO_LEFT, SCA_NO_FUNCTION), SCA_NO_FUNCTION);
    ck_assert_uint_eq(sca_identical_code_into(&fixture.program, &nowhere, &right), SCA_NO_FUNCTION);
}
END_TEST

static uint32_t line_in(uint32_t function, uint32_t found, uint32_t line)
{
    struct sca_frame frame = {.function = found, .vertex = 1, .line = line};
    struct sca_frame there = sca_identical_code_frame(&fixture.program, function, &frame);
    ck_assert_uint_eq(there.function, function);
    ck_assert_uint_eq(there.vertex, 1);
    return there.line;
}

START_TEST(a_line_is_as_far_down_the_vertex_as_in_the_other_function)
{
    ck_assert_uint_eq(line_in(RIGHT, LEFT, 12), 112);
    ck_assert_uint_eq(line_in(RIGHT, LEFT, 15), 115);
    ck_assert_uint_eq(line_in(LEFT, RIGHT, 113), 13);
}
END_TEST

START_TEST(where_lines_do_not_correspond_the_first_stands_for_all)
{
    ck_assert_uint_eq(line_in(RIGHT, LEFT, 11), 112);
    ck_assert_uint_eq(line_in(RIGHT, LEFT, 16), 112);
    ck_assert_uint_eq(line_in(LOCAL, LEFT, 13), 212); /* a longer loop: written otherwise */
}
END_TEST

START_TEST(the_place_has_the_name_and_file_of_what_was_meant)
{
    struct sca_frame frame = {.function = LEFT, .vertex = 2, .name = "left", .file = "user.c"};
    struct sca_frame there = sca_identical_code_frame(&fixture.program, RIGHT, &frame);
    ck_assert_str_eq(there.name, "right");
    ck_assert_str_eq(there.file, "right.c");
    ck_assert_uint_eq(there.vertex, 2);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("identical_code");
    TCase *tcase = tcase_create("identical_code");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_call_tells_which_of_equal_functions_was_meant);
    tcase_add_test(tcase, functions_of_one_name_in_two_units_are_two);
    tcase_add_test(tcase, code_of_another_shape_was_not_folded);
    tcase_add_test(tcase, through_a_pointer_or_a_library_nobody_can_tell);
    tcase_add_test(tcase, a_line_is_as_far_down_the_vertex_as_in_the_other_function);
    tcase_add_test(tcase, where_lines_do_not_correspond_the_first_stands_for_all);
    tcase_add_test(tcase, the_place_has_the_name_and_file_of_what_was_meant);
    suite_add_tcase(suite, tcase);
    return suite;
}
