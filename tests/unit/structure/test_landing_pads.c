/* Tables of exceptions, byte by byte as the Itanium C++ ABI lays them out. */
#include "image/landing_pads.h"
#include "check_main.h"
#include "laid_code.h"
#include "sca_error.h"

#include <stdlib.h>

enum { FUNCTION = 0x401000, TABLE = 0x402000, OMIT = 0xff, LEB = 1, FIXED2 = 2, FIXED4 = 3 };
enum { PCREL_SIGNED4 = 0x1b, FIXED8 = 4 };

static struct sca_landing_pads pads;

static void tear_down(void)
{
    free(pads.list);
    pads = (struct sca_landing_pads){0};
}

/* The table lies in a section that ends with it. */
static void read_table(const uint8_t *bytes, size_t size)
{
    struct laid_code laid = {0};
    laid_section(&laid, TABLE, bytes, size, false);
    ck_assert_int_eq(sca_landing_pads_add(&pads, &laid.image, FUNCTION, TABLE), SCA_OK);
    sca_landing_pads_sort(&pads);
}

static void check_pad(uint64_t call, uint64_t pad)
{
    ck_assert_msg(sca_landing_pads_find(&pads, call) == pad, "%llx: %llx", (unsigned long long)call,
                  (unsigned long long)sca_landing_pads_find(&pads, call));
}

/* Calls at +0x10..+0x15 lead to +0x80; at +0x20..+0x28 nowhere; at +0x90..+0x95 to +0xa0 (two
 * bytes in LEB128: 90 01 is 0x90, a0 01 is 0xa0). */
static const uint8_t plain[] = {OMIT, OMIT, LEB, 15,   0x10, 5, 0x80, 1, 0, 0x20,
                                8,    0,    0,   0x90, 1,    5, 0xa0, 1, 1};

START_TEST(a_call_in_a_range_leads_to_its_pad)
{
    read_table(plain, sizeof plain);
    ck_assert_uint_eq(pads.count, 2);
    check_pad(FUNCTION + 0x0f, 0);
    check_pad(FUNCTION + 0x10, FUNCTION + 0x80);
    check_pad(FUNCTION + 0x14, FUNCTION + 0x80);
    check_pad(FUNCTION + 0x15, 0);
    check_pad(FUNCTION + 0x22, 0);
    check_pad(FUNCTION + 0x90, FUNCTION + 0xa0);
    check_pad(FUNCTION + 0x95, 0);
}
END_TEST

/* Types are told, too, and numbers have fixed widths. */
START_TEST(numbers_of_fixed_width_are_read)
{
    static const uint8_t two[] = {OMIT, 0x9b, 20, FIXED2, 7, 0x10, 0, 4, 0, 0x00, 1, 0};
    static const uint8_t four[] = {OMIT, OMIT, FIXED4, 13,   0x20, 0, 0, 0, 4,
                                   0,    0,    0,      0x34, 0x12, 0, 0, 1};
    read_table(two, sizeof two);
    read_table(four, sizeof four);
    check_pad(FUNCTION + 0x13, FUNCTION + 0x100);
    check_pad(FUNCTION + 0x20, FUNCTION + 0x1234);
}
END_TEST

/* Pads count from another place, as where they are in a cold part. */
START_TEST(pads_may_have_a_base_of_their_own)
{
    static const uint8_t fixed[] = {FIXED8, 0, 0, 0x50, 0, 0, 0, 0, 0, OMIT, LEB, 4, 0x10, 4, 8, 0};
    read_table(fixed, sizeof fixed);
    check_pad(FUNCTION + 0x10, 0x500008);
    check_pad(FUNCTION + 0x14, 0);
}
END_TEST

/* From the byte behind the encoding backwards: 0x402001 - 0x1001 is 0x401000. */
START_TEST(a_base_may_lie_before_the_table)
{
    static const uint8_t behind[] = {PCREL_SIGNED4, 0xff, 0xef, 0xff, 0xff, OMIT,
                                     LEB,           4,    0x10, 4,    0x70, 0};
    read_table(behind, sizeof behind);
    check_pad(FUNCTION + 0x12, FUNCTION + 0x70);
}
END_TEST

/* A base of absolute zero: pads are addresses, of eight bytes. */
START_TEST(a_base_of_zero_makes_pads_addresses)
{
    static const uint8_t zero[] = {FIXED4, 0, 0, 0, 0, OMIT, FIXED4, 13,   0x10, 0, 0,
                                   0,      4, 0, 0, 0, 0,    0x30,   0x40, 0,    0};
    read_table(zero, sizeof zero);
    check_pad(FUNCTION + 0x10, 0x403000);
}
END_TEST

START_TEST(what_is_cut_off_is_left_out)
{
    for (size_t size = 1; size < sizeof plain; size++) {
        read_table(plain, size);
        ck_assert_uint_le(pads.count, 1); /* the first, where it is whole */
        check_pad(FUNCTION + 0x11, size < 9 ? 0 : FUNCTION + 0x80);
        tear_down();
    }
}
END_TEST

START_TEST(a_length_beyond_the_section_ends_with_it)
{
    static const uint8_t longer[] = {OMIT, OMIT, LEB, 0x7f, 0x10, 5, 0x40, 0};
    static const uint8_t huge[] = {OMIT, OMIT, LEB,  0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                   0xff, 0xff, 0xff, 1,    0x20, 5,    0x50, 0};
    read_table(longer, sizeof longer);
    read_table(huge, sizeof huge);
    check_pad(FUNCTION + 0x10, FUNCTION + 0x40);
}
END_TEST

START_TEST(a_table_that_is_not_loaded_is_none)
{
    struct laid_code laid = {0};
    laid_section(&laid, TABLE, plain, sizeof plain, false);
    ck_assert_int_eq(sca_landing_pads_add(&pads, &laid.image, FUNCTION, TABLE + 0x100), SCA_OK);
    ck_assert_int_eq(sca_landing_pads_add(&pads, &laid.image, FUNCTION, 0), SCA_OK);
    sca_landing_pads_sort(&pads);
    check_pad(FUNCTION + 0x10, 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("landing_pads");
    TCase *tcase = tcase_create("landing_pads");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, a_call_in_a_range_leads_to_its_pad);
    tcase_add_test(tcase, numbers_of_fixed_width_are_read);
    tcase_add_test(tcase, pads_may_have_a_base_of_their_own);
    tcase_add_test(tcase, a_base_may_lie_before_the_table);
    tcase_add_test(tcase, a_base_of_zero_makes_pads_addresses);
    tcase_add_test(tcase, what_is_cut_off_is_left_out);
    tcase_add_test(tcase, a_length_beyond_the_section_ends_with_it);
    tcase_add_test(tcase, a_table_that_is_not_loaded_is_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
