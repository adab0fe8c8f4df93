/* A structure as bytes: it comes back as it was, and damaged bytes never do harm. */
#include "cache/structure_file.h"
#include "check_main.h"
#include "sca_error.h"
#include "sca_wire.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST = 512, MAGIC = 9 /* with its NUL */, VERSION_AT = MAGIC };

static struct sca_structure_stack stacks[] = {{0, 0}, {0, 1}, {1, 7}, {2, 300}};
static struct sca_structure_row rows[] = {
    {0x401000, 1}, {0x401010, 3}, {0x401020, 0}, {0xffffffff81000000, 2}};
static char psg[] = "not looked into";
static const struct sca_structure sample = {.psg = psg,
                                            .psg_size = sizeof psg,
                                            .unit = 0x123456789abcdef0,
                                            .stacks = stacks,
                                            .nstacks = 4,
                                            .rows = rows,
                                            .nrows = 4,
                                            .loops = 200,
                                            .near = 3};

static uint8_t *bytes;
static size_t length;

static void set_up(void)
{
    bytes = sca_structure_encode(&sample, &length);
    ck_assert_ptr_nonnull(bytes);
}

static void tear_down(void)
{
    free(bytes);
}

static int decode(const uint8_t *from, size_t size, struct sca_structure *out)
{
    uint8_t *exact = malloc(size ? size : 1); /* what lies behind is nobody's */
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, from, size);
    int status = sca_structure_decode(exact, size, "sample", out);
    free(exact);
    return status;
}

static void check_same(const struct sca_structure *s)
{
    ck_assert_uint_eq(s->unit, sample.unit);
    ck_assert_uint_eq(s->loops, sample.loops);
    ck_assert_uint_eq(s->near, sample.near);
    ck_assert_uint_eq(s->psg_size, sizeof psg);
    ck_assert_mem_eq(s->psg, psg, sizeof psg);
    ck_assert_uint_eq(s->nstacks, 4);
    ck_assert_mem_eq(s->stacks, stacks, sizeof stacks);
    ck_assert_uint_eq(s->nrows, 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(s->rows[i].address, rows[i].address);
        ck_assert_uint_eq(s->rows[i].stack, rows[i].stack);
    }
}

START_TEST(it_comes_back_as_it_was)
{
    struct sca_structure copy;
    ck_assert_int_eq(decode(bytes, length, &copy), SCA_OK);
    check_same(&copy);
    sca_structure_free(&copy);
}
END_TEST

START_TEST(an_empty_one_comes_back)
{
    struct sca_structure none = {.psg = psg, .stacks = stacks, .nstacks = 1}, copy;
    size_t size;
    uint8_t *empty = sca_structure_encode(&none, &size);
    ck_assert_ptr_nonnull(empty);
    ck_assert_int_eq(decode(empty, size, &copy), SCA_OK);
    ck_assert_uint_eq(copy.nrows, 0);
    ck_assert_uint_eq(copy.nstacks, 1);
    ck_assert_uint_eq(copy.psg_size, 0);
    sca_structure_free(&copy);
    free(empty);
}
END_TEST

static void check_refused(const uint8_t *from, size_t size, int code)
{
    struct sca_structure out;
    ck_assert_int_eq(decode(from, size, &out), code);
    ck_assert(!out.psg && !out.stacks && !out.rows);
    ck_assert_ptr_nonnull(strstr(sca_error_message(), "sample"));
}

START_TEST(cut_off_at_any_byte_it_is_refused)
{
    for (size_t size = 0; size < length; size++) {
        struct sca_structure out;
        int status = decode(bytes, size, &out);
        ck_assert_msg(status == (size == MAGIC ? SCA_EVERSION : SCA_EFORMAT), "%zu: %d", size,
                      status);
    }
}
END_TEST

START_TEST(another_kind_of_file_is_none)
{
    check_refused((const uint8_t *)"\177ELF and so on", 14, SCA_EFORMAT);
    bytes[0] ^= 1;
    check_refused(bytes, length, SCA_EFORMAT);
}
END_TEST

START_TEST(another_version_is_told)
{
    bytes[VERSION_AT]++;
    check_refused(bytes, length, SCA_EVERSION);
}
END_TEST

/* Whatever bit is wrong: refused, or, where it does not matter, the same again. */
START_TEST(a_flipped_bit_does_no_harm)
{
    for (size_t bit = 0; bit < 8 * length; bit++) {
        struct sca_structure out;
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        int status = decode(bytes, length, &out);
        if (!status)
            check_same(&out);
        else
            ck_assert(status == SCA_EFORMAT || (status == SCA_EVERSION && bit / 8 == VERSION_AT));
        sca_structure_free(&out);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}
END_TEST

/* ---- bodies made by hand, behind a head and packing that are right ---- */

static uint8_t body[MOST];
static struct sca_writer w;

/* Up to the stacks: unit, loops, near, no graph. */
static void begin_body(void)
{
    sca_wire_writer_init(&w, body, sizeof body);
    sca_wire_put_u64(&w, 1);
    for (int i = 0; i < 3; i++)
        sca_wire_put_varint(&w, 0);
}

static void put(uint64_t a, uint64_t b)
{
    sca_wire_put_varint(&w, a);
    sca_wire_put_varint(&w, b);
}

static int decode_body(struct sca_structure *out)
{
    uint8_t file[2 * MOST];
    struct sca_writer head;
    uLongf packed = MOST;
    sca_wire_writer_init(&head, file, sizeof file);
    sca_wire_put_bytes(&head, "SCASTRUC", MAGIC);
    sca_wire_put_u8(&head, bytes[VERSION_AT]);
    sca_wire_put_varint(&head, w.length);
    ck_assert_int_eq(compress(file + head.length, &packed, body, w.length), Z_OK);
    return decode(file, head.length + packed, out);
}

/* Two stacks, the second in `outer`, and one row of `stack`. */
static int decode_with(uint32_t outer, uint32_t stack, bool more)
{
    struct sca_structure out;
    begin_body();
    sca_wire_put_varint(&w, 2);
    put(outer, 5);
    sca_wire_put_varint(&w, 1);
    put(0x1000, stack);
    if (more)
        sca_wire_put_u8(&w, 0);
    int status = decode_body(&out);
    sca_structure_free(&out);
    return status;
}

START_TEST(stacks_and_rows_refer_to_what_is_there)
{
    ck_assert_int_eq(decode_with(0, 1, false), SCA_OK);
    ck_assert_int_eq(decode_with(1, 1, false), SCA_EFORMAT); /* in itself */
    ck_assert_int_eq(decode_with(2, 1, false), SCA_EFORMAT);
    ck_assert_int_eq(decode_with(0, 2, false), SCA_EFORMAT); /* a stack that is not there */
    ck_assert_int_eq(decode_with(0, 1, true), SCA_EFORMAT);  /* and a byte more */
}
END_TEST

START_TEST(counts_beyond_the_file_take_no_memory)
{
    struct sca_structure out;
    begin_body();
    sca_wire_put_varint(&w, UINT32_MAX);
    ck_assert_int_eq(decode_body(&out), SCA_EFORMAT);
    begin_body();
    put(1, UINT32_MAX); /* no stack but none; rows */
    ck_assert_int_eq(decode_body(&out), SCA_EFORMAT);
    begin_body();
    put(0, 0); /* not even none */
    ck_assert_int_eq(decode_body(&out), SCA_EFORMAT);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("structure_file");
    TCase *tcase = tcase_create("structure_file");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, it_comes_back_as_it_was);
    tcase_add_test(tcase, an_empty_one_comes_back);
    tcase_add_test(tcase, cut_off_at_any_byte_it_is_refused);
    tcase_add_test(tcase, another_kind_of_file_is_none);
    tcase_add_test(tcase, another_version_is_told);
    tcase_add_test(tcase, a_flipped_bit_does_no_harm);
    tcase_add_test(tcase, stacks_and_rows_refer_to_what_is_there);
    tcase_add_test(tcase, counts_beyond_the_file_take_no_memory);
    suite_add_tcase(suite, tcase);
    return suite;
}
