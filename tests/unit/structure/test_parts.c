/* Parts of functions that lie elsewhere: who they belong to; and where exceptions are caught. */
#include "check_main.h"
#include "laid_code.h"

enum { AT = 0x401000, COLD = AT + 16 };

static struct laid_code laid;
static struct sca_landing_pad pad = {AT, AT + 2, COLD + 2};

static void tear_down(void)
{
    laid_free(&laid);
}

/* 0 test %edi,%edi; 2 js 16; 4 ret; 16 neg %edi; 18 jmp 4: a part of `f`; 20 ret: another. */
static const uint8_t bytes[21] = {
    0x85, 0xff, 0x78, 0x0c, 0xc3, [16] = 0xf7, [17] = 0xdf, [18] = 0xeb, [19] = 0xf0, [20] = 0xc3};

static struct sca_code_function *lay_down(const char *name)
{
    laid_section(&laid, AT, bytes, sizeof bytes, true);
    laid_function(&laid, AT, AT + 5, "f");
    return laid_function(&laid, COLD, AT + 20, name);
}

START_TEST(a_part_joins_whoever_jumps_into_it)
{
    lay_down("f.cold")->part = true;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 0);
    ck_assert_uint_eq(laid.graph.nspans, 2);
    LAID_LEADS(&laid, AT, COLD, AT + 4);
    LAID_LEADS(&laid, COLD, AT + 4);
    laid_follow(&laid, 0); /* and again */
    ck_assert_uint_eq(laid.graph.nspans, 2);
}
END_TEST

START_TEST(another_function_stays_its_own)
{
    lay_down("g");
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 1);
    LAID_LEADS(&laid, AT, AT + 4);
    ck_assert(laid.graph.returns);
}
END_TEST

START_TEST(a_part_has_one_owner)
{
    lay_down("f.cold")->part = true;
    laid.list[1].owner = 7;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 7);
    ck_assert_uint_eq(laid.graph.nspans, 1);
}
END_TEST

/* Where there are no names, what nobody calls. */
START_TEST(without_names_a_piece_that_nobody_calls_joins)
{
    lay_down("");
    laid.functions.named = false;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 0);
}
END_TEST

START_TEST(without_names_a_piece_that_is_called_does_not)
{
    lay_down("")->called = true;
    laid.functions.named = false;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 1);
}
END_TEST

START_TEST(with_names_a_piece_without_does_not)
{
    lay_down("");
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 1);
}
END_TEST

/* 0 call *%rax; 2 ret | 16 nop; 17 nop; 18 dec %eax; 20 ret */
static const uint8_t throws[21] = {
    0xff, 0xd0, 0xc3, [16] = 0x90, [17] = 0x90, [18] = 0xff, [19] = 0xc8, [20] = 0xc3};

START_TEST(a_call_that_throws_leads_to_its_pad)
{
    laid_section(&laid, AT, throws, sizeof throws, true);
    laid_function(&laid, AT, AT + 21, "f");
    laid.functions.pads.list = &pad;
    laid.functions.pads.count = 1;
    laid_follow(&laid, 0);
    LAID_LEADS(&laid, AT, AT + 2, COLD + 2);
}
END_TEST

START_TEST(a_pad_may_lie_in_a_part)
{
    laid_section(&laid, AT, throws, sizeof throws, true);
    laid_function(&laid, AT, AT + 3, "f");
    laid_function(&laid, COLD, COLD + 5, "f.cold")->part = true;
    laid.functions.pads.list = &pad;
    laid.functions.pads.count = 1;
    laid_follow(&laid, 0);
    ck_assert_uint_eq(laid.list[1].owner, 0);
    LAID_LEADS(&laid, AT, AT + 2, COLD + 2);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("parts");
    TCase *tcase = tcase_create("parts");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, a_part_joins_whoever_jumps_into_it);
    tcase_add_test(tcase, another_function_stays_its_own);
    tcase_add_test(tcase, a_part_has_one_owner);
    tcase_add_test(tcase, without_names_a_piece_that_nobody_calls_joins);
    tcase_add_test(tcase, without_names_a_piece_that_is_called_does_not);
    tcase_add_test(tcase, with_names_a_piece_without_does_not);
    tcase_add_test(tcase, a_call_that_throws_leads_to_its_pad);
    tcase_add_test(tcase, a_pad_may_lie_in_a_part);
    suite_add_tcase(suite, tcase);
    return suite;
}
