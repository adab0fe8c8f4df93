/* Which unit, function and line an address has: programs/rows.s says so by hand. */
#include "sca_binary.h"
#include "sca_compile_units.h"
#include "check_main.h"
#include "sca_error.h"
#include "temp_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS TEST_PROGRAMS "/rows"

static struct sca_binary *binary;
static struct sca_units units;
static struct sca_dwarf_unit *first, *second;

static void open_units(const char *path)
{
    ck_assert_int_eq(sca_binary_open(path, "", &binary), SCA_OK);
    Dwarf *dwarf = sca_binary_dwarf(binary);
    ck_assert_ptr_nonnull(dwarf);
    ck_assert_int_eq(sca_compile_units_read(dwarf, &units), SCA_OK);
}

static void set_up(void)
{
    open_units(ROWS);
    ck_assert_uint_eq(units.count, 2);
    first = &units.units[0];
    second = &units.units[1];
}

static void tear_down(void)
{
    sca_compile_units_free(&units);
    sca_binary_close(binary);
}

START_TEST(an_address_is_in_the_unit_around_it)
{
    ck_assert_ptr_null(sca_compile_units_at(&units, 0xffff));
    ck_assert_ptr_eq(sca_compile_units_at(&units, 0x10000), first);
    ck_assert_ptr_eq(sca_compile_units_at(&units, 0x1009f), first);
    ck_assert_ptr_eq(sca_compile_units_at(&units, 0x100a0), second); /* by its functions */
    ck_assert_ptr_eq(sca_compile_units_at(&units, 0x100df), second);
    ck_assert_ptr_null(sca_compile_units_at(&units, 0x100e0));
}
END_TEST

START_TEST(what_the_linker_threw_away_is_nowhere)
{
    struct sca_piece piece;
    ck_assert_ptr_null(sca_compile_units_at(&units, 0));
    ck_assert_ptr_null(sca_compile_units_at(&units, 0x50));
    ck_assert_ptr_null(sca_compile_units_function(second, 0x50, &piece));
}
END_TEST

START_TEST(a_hash_has_sixteen_digits)
{
    ck_assert(first->has_hash);
    ck_assert_uint_eq(first->hash, 0xa1);
    ck_assert(!second->has_hash);
    ck_assert_ptr_null(units.absent);
}
END_TEST

static void check_function(struct sca_dwarf_unit *unit, uint64_t address, const char *name,
                           uint64_t low, uint64_t high)
{
    struct sca_piece piece;
    Dwarf_Die *found = sca_compile_units_function(unit, address, &piece);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(dwarf_diename(found), name);
    ck_assert_uint_eq(piece.low, low);
    ck_assert_uint_eq(piece.high, high);
    ck_assert_ptr_eq(sca_compile_units_of(&units, found), unit);
}

START_TEST(a_function_ends_where_the_next_begins)
{
    struct sca_piece piece;
    check_function(first, 0x10000, "outer", 0x10000, 0x10060);
    check_function(first, 0x1005f, "outer", 0x10000, 0x10060);
    check_function(first, 0x10060, "big", 0x10060, 0x100a0);
    check_function(second, 0x100a0, "alone", 0x100a0, 0x100e0); /* in a namespace */
    ck_assert_ptr_null(sca_compile_units_function(first, 0x100a0, &piece));
    ck_assert_ptr_null(sca_compile_units_function(second, 0x1009f, &piece));
}
END_TEST

static const struct sca_piece outer = {0x10000, 0x10060}, big = {0x10060, 0x100a0},
                              alone = {0x100a0, 0x100e0};

/* The line at the address, told by a row that holds at `there`. */
static void check_row(struct sca_dwarf_unit *unit, uint64_t address, struct sca_piece piece,
                      uint32_t line, uint64_t there)
{
    struct sca_line_row row;
    ck_assert(sca_compile_units_row(unit, address, piece, &row));
    ck_assert_uint_eq(row.line, line);
    ck_assert_uint_eq(row.address, there);
    ck_assert_uint_eq(row.discriminator, 0);
}

START_TEST(a_row_holds_up_to_the_next)
{
    struct sca_line_row row;
    check_row(first, 0x10000, outer, 10, 0x10000);
    check_row(first, 0x1000f, outer, 10, 0x1000f);
    check_row(first, 0x10010, outer, 12, 0x10010);
    ck_assert(sca_compile_units_row(first, 0x1000f, outer, &row));
    ck_assert_str_eq(row.file, "/src/rows.c");
    ck_assert(sca_compile_units_row(first, 0x1001f, outer, &row));
    ck_assert_ptr_nonnull(strstr(row.file, "lib/inner.h"));
    ck_assert(!sca_compile_units_row(second, 0x100e0, (struct sca_piece){0x100e0, 0x100f0}, &row));
    ck_assert(!sca_compile_units_row(first, 0xffff, (struct sca_piece){0xff00, 0x10000}, &row));
}
END_TEST

START_TEST(code_without_a_line_takes_the_next_in_its_function)
{
    struct sca_line_row row;
    check_row(first, 0x10020, outer, 15, 0x10030);
    check_row(first, 0x10047, outer, 17, 0x10048);
    ck_assert(!sca_compile_units_row(first, 0x10050, outer, &row)); /* what comes next is big's */
    ck_assert(!sca_compile_units_row(first, 0x1005f, outer, &row));
}
END_TEST

/* Where ids are known a function's first line does not stand for what follows its prologue. */
START_TEST(an_entry_row_ends_with_the_prologue)
{
    check_row(first, 0x1007f, big, 40, 0x1007f);
    check_row(first, 0x10080, big, 44, 0x10090);
    check_row(first, 0x10090, big, 44, 0x10090);
    check_row(second, 0x100cf, alone, 60, 0x100cf); /* no ids here */
}
END_TEST

START_TEST(the_row_before_is_asked_for_code_without_a_line)
{
    struct sca_line_row row;
    ck_assert(sca_compile_units_row_before(first, 0x10028, outer, &row));
    ck_assert_uint_eq(row.line, 12);
    ck_assert_uint_eq(row.address, 0x1001f);
    ck_assert(!sca_compile_units_row_before(first, 0x10018, outer, &row));
    /* A function that begins without a line has none before it. */
    ck_assert(
        !sca_compile_units_row_before(first, 0x10050, (struct sca_piece){0x10050, 0x10060}, &row));
}
END_TEST

/* A copy of the program whose second unit claims a version nobody knows. */
static void write_damaged(const char *path)
{
    static const char producer[] = "clang 19 scalana:a1";
    enum { BACK_TO_VERSION = 9, MOST = 1 << 16 };
    FILE *in = fopen(ROWS, "r"), *out = fopen(path, "w");
    char *bytes = malloc(MOST);
    ck_assert(in && out && bytes);
    size_t length = fread(bytes, 1, MOST, in);
    ck_assert_uint_lt(length, MOST);
    char *found = memmem(bytes, length, producer, sizeof producer);
    ck_assert_ptr_nonnull(found);
    found[-BACK_TO_VERSION] = 99;
    ck_assert_uint_eq(fwrite(bytes, 1, length, out), length);
    free(bytes);
    fclose(in);
    fclose(out);
}

START_TEST(a_damaged_unit_is_left_out)
{
    char folder[TEMP_FOLDER], path[TEMP_FOLDER + 8];
    temp_folder(folder);
    snprintf(path, sizeof path, "%s/rows", folder);
    write_damaged(path);
    tear_down();
    open_units(path);
    ck_assert_uint_eq(units.count, 1);
    ck_assert_ptr_eq(sca_compile_units_at(&units, 0x10000), units.units);
    ck_assert_ptr_null(sca_compile_units_at(&units, 0x100a0));
    temp_folder_drop(folder);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("compile_units");
    TCase *tcase = tcase_create("compile_units");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, an_address_is_in_the_unit_around_it);
    tcase_add_test(tcase, what_the_linker_threw_away_is_nowhere);
    tcase_add_test(tcase, a_hash_has_sixteen_digits);
    tcase_add_test(tcase, a_function_ends_where_the_next_begins);
    tcase_add_test(tcase, a_row_holds_up_to_the_next);
    tcase_add_test(tcase, code_without_a_line_takes_the_next_in_its_function);
    tcase_add_test(tcase, an_entry_row_ends_with_the_prologue);
    tcase_add_test(tcase, the_row_before_is_asked_for_code_without_a_line);
    tcase_add_test(tcase, a_damaged_unit_is_left_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
