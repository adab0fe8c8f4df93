/* What a run keeps of a file: ranges at their places, and nothing outside of them. */
#include "profile/kept.h"
#include "base/region.h"
#include "sca_error.h"
#include "check_main.h"

#include <stdlib.h>
#include <string.h>

static uint8_t bytes[256];
static struct sca_region region;

static size_t put(uint64_t size, uint64_t second)
{
    struct sca_writer w;
    const struct sca_kept_head head = {"/opt/solver", "ab12", size, SCA_KEPT_LINES, 2};
    sca_wire_writer_init(&w, bytes, sizeof bytes);
    sca_kept_put_head(&w, &head);
    sca_kept_put_range(&w, 0, "ELF", 3);
    sca_kept_put_range(&w, second, "lines", 5);
    ck_assert(!w.failed);
    return w.length;
}

static int get(size_t length, struct sca_kept *out)
{
    int status = sca_kept_read(bytes, length, &region, out);
    if (!status)
        free(sca_kept_file(out));
    return status;
}

START_TEST(bytes_are_where_they_were)
{
    struct sca_kept kept;
    ck_assert_int_eq(sca_kept_read(bytes, put(100, 95), &region, &kept), SCA_OK);
    ck_assert_str_eq(kept.path, "/opt/solver");
    ck_assert_str_eq(kept.build_id, "ab12");
    ck_assert_int_eq(kept.extent, SCA_KEPT_LINES);
    ck_assert_uint_eq(kept.size, 100);
    uint8_t *file = sca_kept_file(&kept);
    ck_assert_mem_eq(file, "ELF", 3);
    ck_assert_mem_eq(file + 95, "lines", 5);
    for (int i = 3; i < 95; i++)
        ck_assert_uint_eq(file[i], 0);
    free(file);
    sca_region_free(&region);
}
END_TEST

START_TEST(a_range_outside_its_file_is_refused)
{
    struct sca_kept kept;
    ck_assert_int_eq(get(put(100, 96), &kept), SCA_EFORMAT);
    ck_assert_int_eq(get(put(100, UINT64_MAX), &kept), SCA_EFORMAT);
    ck_assert_int_eq(get(put(2, 0), &kept), SCA_EFORMAT);
    ck_assert_int_eq(get(put(UINT64_C(1) << 40, 0), &kept), SCA_EFORMAT);
    sca_region_free(&region);
}
END_TEST

START_TEST(damage_is_seen_or_does_no_harm)
{
    struct sca_kept kept;
    size_t length = put(100, 50);
    for (size_t n = 0; n < length; n++)
        ck_assert_int_ne(get(n, &kept), SCA_OK);
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        get(length, &kept);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    sca_region_free(&region);
}
END_TEST

START_TEST(a_later_version_is_passed_over)
{
    struct sca_kept kept;
    size_t length = put(100, 50);
    bytes[0] = SCA_KEPT_VERSION + 1;
    ck_assert_int_eq(get(length, &kept), SCA_EVERSION);
    sca_region_free(&region);
}
END_TEST

SCA_SUITE("kept", bytes_are_where_they_were, a_range_outside_its_file_is_refused,
          damage_is_seen_or_does_no_harm, a_later_version_is_passed_over)
