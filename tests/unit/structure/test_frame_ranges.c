/* Unwind tables, byte by byte as the Linux Standard Base lays .eh_frame out. */
#include "image/frame_ranges.h"
#include "check_main.h"
#include "laid_file.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>

enum { TABLE = 0x500000 };

static char folder[TEMP_FOLDER];
static struct sca_binary *binary;
static struct sca_frame_range *ranges;
static size_t count;

static void set_up(void)
{
    temp_folder(folder);
}

static void tear_down(void)
{
    free(ranges);
    ranges = NULL;
    sca_binary_close(binary);
    binary = NULL;
    temp_folder_drop(folder);
}

static void read_section(const char *name, const uint8_t *bytes, size_t size)
{
    char path[TEMP_FOLDER + 8];
    struct laid_file file = {
        .sections = {{".text", 0x400000, "\303", 1, true}, {name, TABLE, bytes, size, false}}};
    snprintf(path, sizeof path, "%s/file", folder);
    laid_file_write(&file, path);
    ck_assert_int_eq(sca_binary_open(path, "", &binary), SCA_OK);
    ck_assert_int_eq(sca_frame_ranges_read(binary, &ranges, &count), SCA_OK);
}

static void check_range(size_t i, uint64_t low, uint64_t high, uint64_t data)
{
    ck_assert_uint_lt(i, count);
    ck_assert_uint_eq(ranges[i].low, low);
    ck_assert_uint_eq(ranges[i].high, high);
    ck_assert_uint_eq(ranges[i].data, data);
}

/* A common entry: length 20, id 0, version 1, "zR", code 1, data -8, return address 16, 1 byte: how
 * pointers are written; a rule, and padding. */
#define COMMON(encoding)                                                                           \
    20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, encoding, 0x0c, 7, 8, 0, 0, 0, 0
#define FOUR(n) (n) & 0xff, (n) >> 8 & 0xff, (n) >> 16 & 0xff, (n) >> 24 & 0xff
/* A range: length 16, how far back the common entry is, begin, size, nothing more. */
#define RANGE(back, begin, size) 16, 0, 0, 0, FOUR(back), FOUR(begin), FOUR(size), 0, 0, 0, 0
#define END                      0, 0, 0, 0
enum { RELATIVE = 0x1b, FOUR_BYTES = 0x03 };

/* The begin of the first stands at TABLE + 32: 0x400100 - 0x500020. The second's 20 further. */
static const uint8_t two[] = {COMMON(RELATIVE), RANGE(28, 0x400100u - 0x500020u, 0x20),
                              RANGE(48, 0x400000u - 0x500034u, 0x80), END};

START_TEST(ranges_come_out_by_address)
{
    read_section(".eh_frame", two, sizeof two);
    ck_assert_uint_eq(count, 2);
    check_range(0, 0x400000, 0x400080, 0);
    check_range(1, 0x400100, 0x400120, 0);
}
END_TEST

START_TEST(addresses_may_be_written_as_they_are)
{
    static const uint8_t bytes[] = {COMMON(FOUR_BYTES), RANGE(28, 0x401000, 0x10), END};
    read_section(".eh_frame", bytes, sizeof bytes);
    ck_assert_uint_eq(count, 1);
    check_range(0, 0x401000, 0x401010, 0);
}
END_TEST

/* Nothing is said of no code: what the linker threw away. */
START_TEST(an_empty_range_is_none)
{
    static const uint8_t bytes[] = {COMMON(FOUR_BYTES), RANGE(28, 0x401000, 0),
                                    RANGE(48, 0x402000, 1), END};
    read_section(".eh_frame", bytes, sizeof bytes);
    ck_assert_uint_eq(count, 1);
    check_range(0, 0x402000, 0x402001, 0);
}
END_TEST

/* "zPLR": the personality in four bytes, the language's data and code as four bytes each. */
#define THROWING(data)                                                                             \
    28, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'P', 'L', 'R', 0, 1, 0x78, 16, 7, FOUR_BYTES, 1, 2, 3, 4,     \
        data, FOUR_BYTES, 0x0c, 7, 8, 0, 0, 0, 0
#define THROWS(back, begin, size, data)                                                            \
    20, 0, 0, 0, FOUR(back), FOUR(begin), FOUR(size), 4, FOUR(data), 0, 0, 0

START_TEST(the_language_s_data_is_told)
{
    static const uint8_t bytes[] = {THROWING(FOUR_BYTES), THROWS(36, 0x401000, 0x10, 0x403000),
                                    THROWS(60, 0x402000, 0x10, 0), END};
    read_section(".eh_frame", bytes, sizeof bytes);
    ck_assert_uint_eq(count, 2);
    check_range(0, 0x401000, 0x401010, 0x403000);
    check_range(1, 0x402000, 0x402010, 0); /* it has none */
}
END_TEST

/* From where it stands, TABLE + 32 + 17. */
START_TEST(the_language_s_data_may_be_relative)
{
    static const uint8_t bytes[] = {THROWING(RELATIVE),
                                    THROWS(36, 0x401000, 0x10, 0x403000u - 0x500031u),
                                    THROWS(60, 0x402000, 0x10, 0), END};
    read_section(".eh_frame", bytes, sizeof bytes);
    check_range(0, 0x401000, 0x401010, 0x403000);
    check_range(1, 0x402000, 0x402010, 0); /* zero is none, from wherever */
}
END_TEST

START_TEST(what_is_cut_off_is_left_out)
{
    for (size_t size = 1; size < sizeof two; size++) {
        read_section(".eh_frame", two, size);
        ck_assert_uint_eq(count, size < 44 ? 0 : size < 64 ? 1 : 2);
        free(ranges);
        ranges = NULL;
        sca_binary_close(binary);
    }
    read_section(".eh_frame", two, sizeof two);
}
END_TEST

START_TEST(without_tables_there_are_none)
{
    read_section(".other", two, sizeof two);
    ck_assert_uint_eq(count, 0);
    ck_assert_ptr_null(ranges);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("frame_ranges");
    TCase *tcase = tcase_create("frame_ranges");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, ranges_come_out_by_address);
    tcase_add_test(tcase, addresses_may_be_written_as_they_are);
    tcase_add_test(tcase, an_empty_range_is_none);
    tcase_add_test(tcase, the_language_s_data_is_told);
    tcase_add_test(tcase, the_language_s_data_may_be_relative);
    tcase_add_test(tcase, what_is_cut_off_is_left_out);
    tcase_add_test(tcase, without_tables_there_are_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
