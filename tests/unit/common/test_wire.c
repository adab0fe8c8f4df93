#include "sca_wire.h"
#include "check_main.h"

#include <stdlib.h>

static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

START_TEST(varints_round_trip)
{
    uint8_t buffer[128];
    struct sca_writer w;
    struct sca_reader r;
    sca_wire_writer_init(&w, buffer, sizeof buffer);
    for (int i = 0; i < NUMBERS; i++)
        sca_wire_put_varint(&w, numbers[i]);
    sca_wire_put_svarint(&w, INT64_MIN);
    sca_wire_put_svarint(&w, -1);
    ck_assert_int_eq(w.failed, 0);
    sca_wire_reader_init(&r, buffer, w.length);
    for (int i = 0; i < NUMBERS; i++)
        ck_assert_uint_eq(sca_wire_get_varint(&r), numbers[i]);
    ck_assert_int_eq(sca_wire_get_svarint(&r), INT64_MIN);
    ck_assert_int_eq(sca_wire_get_svarint(&r), -1);
    ck_assert_int_eq(r.failed, 0);
    ck_assert_uint_eq(sca_wire_left(&r), 0);
}
END_TEST

START_TEST(bytes_are_little_endian)
{
    uint8_t buffer[4];
    struct sca_writer w;
    sca_wire_writer_init(&w, buffer, sizeof buffer);
    sca_wire_put_u32(&w, 0x01020304);
    ck_assert_uint_eq(buffer[0], 4);
    ck_assert_uint_eq(buffer[3], 1);
}
END_TEST

START_TEST(a_full_writer_stays_failed_and_writes_nothing)
{
    uint8_t buffer[4] = {0, 0, 0, 9};
    struct sca_writer w;
    sca_wire_writer_init(&w, buffer, 3);
    sca_wire_put_u32(&w, 1);
    sca_wire_put_u8(&w, 1);
    ck_assert_int_eq(w.failed, 1);
    ck_assert_uint_eq(w.length, 0);
    ck_assert_uint_eq(buffer[3], 9);
}
END_TEST

START_TEST(a_counting_writer_tells_the_size)
{
    struct sca_writer w;
    sca_wire_writer_init(&w, NULL, 0);
    sca_wire_put_string(&w, "abc");
    sca_wire_put_u64(&w, 1);
    ck_assert_int_eq(w.failed, 0);
    ck_assert_uint_eq(w.length, 12);
}
END_TEST

START_TEST(reading_past_the_end_is_sticky)
{
    const uint8_t buffer[] = {0x80};
    struct sca_reader r;
    sca_wire_reader_init(&r, buffer, sizeof buffer);
    ck_assert_uint_eq(sca_wire_get_varint(&r), 0);
    ck_assert_int_eq(r.failed, 1);
    ck_assert_ptr_null(sca_wire_get_bytes(&r, 0));
}
END_TEST

START_TEST(an_overlong_varint_is_refused)
{
    const uint8_t buffer[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    struct sca_reader r;
    sca_wire_reader_init(&r, buffer, sizeof buffer);
    sca_wire_get_varint(&r);
    ck_assert_int_eq(r.failed, 1);
}
END_TEST

START_TEST(a_count_that_cannot_fit_is_refused)
{
    const uint8_t buffer[] = {200, 1, 0, 0};
    struct sca_reader r;
    sca_wire_reader_init(&r, buffer, sizeof buffer);
    ck_assert_uint_eq(sca_wire_get_count(&r, 4), 0);
    ck_assert_int_eq(r.failed, 1);
}
END_TEST

SCA_SUITE("wire", varints_round_trip, bytes_are_little_endian,
          a_full_writer_stays_failed_and_writes_nothing, a_counting_writer_tells_the_size,
          reading_past_the_end_is_sticky, an_overlong_varint_is_refused,
          a_count_that_cannot_fit_is_refused)
