/* What is inlined around an address: programs/rows.s says so by hand. */
#include "sca_binary.h"
#include "symbols/graph_match.h"
#include "symbols/inline_chain.h"
#include "check_main.h"
#include "sca_error.h"

#include <string.h>

static struct sca_binary *binary;
static struct sca_units units;

static void set_up(void)
{
    ck_assert_int_eq(sca_binary_open(TEST_PROGRAMS "/rows", "", &binary), SCA_OK);
    ck_assert_int_eq(sca_compile_units_read(sca_binary_dwarf(binary), &units), SCA_OK);
}

static void tear_down(void)
{
    sca_compile_units_free(&units);
    sca_binary_close(binary);
}

/* The functions, "outer inner", and the line; 0: it has none. */
static void check_chain(uint64_t address, const char *names, uint32_t line)
{
    static struct sca_inline_chain chain;
    char text[256] = "";
    struct sca_piece piece;
    struct sca_line_row row = {.address = address};
    struct sca_dwarf_unit *unit = sca_compile_units_at(&units, address);
    Dwarf_Die *function = unit ? sca_compile_units_function(unit, address, &piece) : NULL;
    ck_assert_ptr_nonnull(function);
    sca_inline_chain(unit, function, piece, &row, &chain);
    for (size_t i = 0; i < chain.count; i++) {
        struct sca_identity who = sca_graph_match_identify(&units, unit, &chain.die[i]);
        ck_assert_ptr_eq(who.unit, unit);
        ck_assert_str_eq(who.linkage, "");
        strncat(text, i ? " " : "", sizeof text - strlen(text) - 1);
        strncat(text, who.name, sizeof text - strlen(text) - 1);
    }
    ck_assert_str_eq(text, names);
    ck_assert_uint_eq(row.line, line);
}

START_TEST(each_inlined_function_around_it_is_a_level)
{
    check_chain(0x1000f, "outer", 10);
    check_chain(0x10010, "outer inner", 12);
    check_chain(0x10017, "outer inner", 12);
    check_chain(0x10018, "outer inner inmost", 12);
    check_chain(0x1001f, "outer inner inmost", 12);
    check_chain(0x10030, "outer inner", 15);
    check_chain(0x1003f, "outer inner", 15);
}
END_TEST

START_TEST(a_block_of_the_source_is_no_level)
{
    check_chain(0x10008, "outer", 10);
    check_chain(0x10060, "big", 40);
}
END_TEST

/* The row before belongs to the same call: the code goes on from there. */
START_TEST(without_a_line_it_is_where_the_row_before_in_its_call_is)
{
    check_chain(0x10020, "outer inner inmost", 12);
    check_chain(0x10028, "outer inner inmost", 12);
    check_chain(0x1002f, "outer inner inmost", 12);
}
END_TEST

START_TEST(without_a_line_at_the_start_of_a_call_the_next_row_tells)
{
    check_chain(0x10044, "outer inner", 17); /* the second call of inner */
    check_chain(0x10040, "outer inner", 17); /* in no call: next comes the second */
}
END_TEST

START_TEST(without_any_row_there_is_still_the_function)
{
    check_chain(0x10050, "outer", 0);
    check_chain(0x1005f, "outer", 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("inline_chain");
    TCase *tcase = tcase_create("inline_chain");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, each_inlined_function_around_it_is_a_level);
    tcase_add_test(tcase, a_block_of_the_source_is_no_level);
    tcase_add_test(tcase, without_a_line_it_is_where_the_row_before_in_its_call_is);
    tcase_add_test(tcase, without_a_line_at_the_start_of_a_call_the_next_row_tells);
    tcase_add_test(tcase, without_any_row_there_is_still_the_function);
    suite_add_tcase(suite, tcase);
    return suite;
}
