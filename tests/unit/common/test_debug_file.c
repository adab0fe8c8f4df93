#include "sca_debug_file.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *place(const struct sca_debug_link *link, unsigned which)
{
    static char path[256];
    return sca_debug_file_place(link, which, path, sizeof path) ? path : "";
}

START_TEST(the_places_are_those_of_gdb)
{
    const struct sca_debug_link link = {"/opt/app/solver", "abcdef12", "solver.debug"};
    ck_assert_str_eq(place(&link, 0), "/usr/lib/debug/.build-id/ab/cdef12.debug");
    ck_assert_str_eq(place(&link, 1), "/opt/app/solver.debug");
    ck_assert_str_eq(place(&link, 2), "/opt/app/.debug/solver.debug");
    ck_assert_str_eq(place(&link, 3), "/usr/lib/debug/opt/app/solver.debug");
    ck_assert_str_eq(place(&link, 4), "");
}
END_TEST

START_TEST(what_a_binary_does_not_name_is_no_place)
{
    const struct sca_debug_link none = {"solver", "", NULL}, here = {"solver", "", "s.debug"};
    char small[8];
    for (unsigned i = 0; i < SCA_DEBUG_FILE_PLACES; i++)
        ck_assert_str_eq(place(&none, i), "");
    ck_assert_str_eq(place(&here, 1), "s.debug");
    ck_assert(!sca_debug_file_place(&here, 2, small, sizeof small));
}
END_TEST

START_TEST(a_link_has_a_name_and_a_crc_or_is_damaged)
{
    const char whole[] = "s.debug\0\x26\x39\xf4\xcb", padded[] = "s\0\0\0\1\0\0\0";
    uint32_t crc = 0;
    ck_assert_str_eq(sca_debug_file_link_name(whole, 12, &crc), "s.debug");
    ck_assert_uint_eq(crc, 0xcbf43926);
    ck_assert_str_eq(sca_debug_file_link_name(padded, 8, &crc), "s");
    ck_assert_uint_eq(crc, 1);
    for (size_t length = 0; length < 12; length++)
        ck_assert_ptr_null(sca_debug_file_link_name(whole, length, &crc));
    ck_assert_ptr_null(sca_debug_file_link_name("../x\0\0\0\0\0\0\0\0", 12, &crc));
    ck_assert_ptr_null(sca_debug_file_link_name(NULL, 0, &crc));
}
END_TEST

/* "123456789" has the CRC-32 that the algorithm's catalogues give as its check value. */
START_TEST(a_file_is_known_by_its_crc)
{
    char path[] = "/tmp/debug_file_XXXXXX";
    int file = mkstemp(path);
    ck_assert_int_eq(write(file, "123456789", 9), 9);
    close(file);
    ck_assert(sca_debug_file_has_crc(path, 0xcbf43926));
    ck_assert(!sca_debug_file_has_crc(path, 0xcbf43927));
    unlink(path);
    ck_assert(!sca_debug_file_has_crc(path, 0xcbf43926));
}
END_TEST

SCA_SUITE("debug_file", the_places_are_those_of_gdb, what_a_binary_does_not_name_is_no_place,
          a_link_has_a_name_and_a_crc_or_is_damaged, a_file_is_known_by_its_crc)
