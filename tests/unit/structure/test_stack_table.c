/* Stacks are there once; rows come out by address, and only where something changes. */
#include "graph/stack_table.h"
#include "check_main.h"
#include "sca_error.h"

static struct sca_stack_table table;

static void tear_down(void)
{
    sca_stack_table_free(&table);
}

static uint32_t push(uint32_t outer, uint32_t function, uint32_t vertex)
{
    uint32_t stack = SCA_NO_STACK;
    ck_assert_int_eq(sca_stack_table_push(&table, outer, function, vertex, &stack), SCA_OK);
    ck_assert_uint_ne(stack, SCA_NO_STACK);
    return stack;
}

static void put(uint64_t address, uint32_t stack)
{
    ck_assert_int_eq(sca_stack_table_row(&table, address, stack), SCA_OK);
}

/* Fails unless these are the rows, after the end. */
static void check_rows(const struct sca_structure_row *rows, uint32_t count)
{
    sca_stack_table_finish(&table);
    ck_assert_uint_eq(table.nrows, count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(table.rows[i].address, rows[i].address);
        ck_assert_uint_eq(table.rows[i].stack, rows[i].stack);
    }
}

#define CHECK_ROWS(...)                                                                            \
    check_rows((const struct sca_structure_row[]){__VA_ARGS__},                                    \
               sizeof((const struct sca_structure_row[]){__VA_ARGS__}) /                           \
                   sizeof(struct sca_structure_row))

START_TEST(the_same_stack_is_there_once)
{
    uint32_t first = push(SCA_NO_STACK, 1, 0), inner = push(first, 2, 5);
    ck_assert_uint_ne(first, inner);
    ck_assert_uint_eq(push(SCA_NO_STACK, 1, 0), first);
    ck_assert_uint_eq(push(first, 2, 5), inner);
    ck_assert_uint_eq(table.frames[inner].outer, first);
    ck_assert_uint_eq(table.frames[inner].function, 2);
    ck_assert_uint_eq(table.frames[inner].vertex, 5);
}
END_TEST

START_TEST(stacks_that_differ_in_anything_are_others)
{
    uint32_t first = push(SCA_NO_STACK, 1, 0), inner = push(first, 2, 5);
    ck_assert_uint_ne(push(SCA_NO_STACK, 2, 5), inner);
    ck_assert_uint_ne(push(first, 3, 5), inner);
    ck_assert_uint_ne(push(first, 2, 6), inner);
    ck_assert_uint_eq(table.count, 6); /* none, and five */
}
END_TEST

START_TEST(what_is_around_has_the_smaller_number)
{
    uint32_t outer = SCA_NO_STACK;
    for (uint32_t depth = 0; depth < 3000; depth++) {
        uint32_t stack = push(outer, depth, 1);
        ck_assert_uint_gt(stack, outer);
        outer = stack;
    }
}
END_TEST

START_TEST(no_rows_stay_none)
{
    sca_stack_table_finish(&table);
    ck_assert_uint_eq(table.nrows, 0);
}
END_TEST

START_TEST(rows_come_out_by_address)
{
    put(0x300, 3);
    put(0x100, 1);
    put(0x200, 2);
    CHECK_ROWS({0x100, 1}, {0x200, 2}, {0x300, 3});
}
END_TEST

START_TEST(rows_that_change_nothing_are_left_out)
{
    put(0x100, 1);
    put(0x104, 1);
    put(0x108, 2);
    put(0x110, 1);
    put(0x10c, 1); /* before the last: it begins there */
    CHECK_ROWS({0x100, 1}, {0x108, 2}, {0x10c, 1});
}
END_TEST

/* A function ends where the next begins: the end says nothing there. */
START_TEST(at_one_address_what_is_known_wins)
{
    put(0x100, 1);
    put(0x200, SCA_NO_STACK);
    put(0x200, 2);
    put(0x300, SCA_NO_STACK);
    put(0x080, 3);
    put(0x100, SCA_NO_STACK);
    CHECK_ROWS({0x080, 3}, {0x100, 1}, {0x200, 2}, {0x300, SCA_NO_STACK});
}
END_TEST

START_TEST(a_gap_between_functions_stays)
{
    put(0x200, 1);
    put(0x240, SCA_NO_STACK);
    put(0x100, 1);
    put(0x140, SCA_NO_STACK);
    CHECK_ROWS({0x100, 1}, {0x140, SCA_NO_STACK}, {0x200, 1}, {0x240, SCA_NO_STACK});
}
END_TEST

/* The end of one and the beginning of the next, of the same stack: one segment. */
START_TEST(neighbours_of_one_stack_are_one_segment)
{
    put(0x200, 1);
    put(0x300, SCA_NO_STACK);
    put(0x100, 1);
    put(0x200, SCA_NO_STACK);
    CHECK_ROWS({0x100, 1}, {0x300, SCA_NO_STACK});
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("stack_table");
    TCase *tcase = tcase_create("stack_table");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, the_same_stack_is_there_once);
    tcase_add_test(tcase, stacks_that_differ_in_anything_are_others);
    tcase_add_test(tcase, what_is_around_has_the_smaller_number);
    tcase_add_test(tcase, no_rows_stay_none);
    tcase_add_test(tcase, rows_come_out_by_address);
    tcase_add_test(tcase, rows_that_change_nothing_are_left_out);
    tcase_add_test(tcase, at_one_address_what_is_known_wins);
    tcase_add_test(tcase, a_gap_between_functions_stays);
    tcase_add_test(tcase, neighbours_of_one_stack_are_one_segment);
    suite_add_tcase(suite, tcase);
    return suite;
}
