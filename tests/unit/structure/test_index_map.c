/* What was put into the map is found, nothing else; hashes may be equal, and elements many. */
#include "base/index_map.h"
#include "check_main.h"
#include "sca_error.h"

static struct sca_index_map map;

static void tear_down(void)
{
    sca_index_map_free(&map);
}

/* The elements are numbers; `context` is the one that is sought. */
static bool is_number(const void *context, uint32_t index)
{
    return *(const uint32_t *)context == index;
}

static uint32_t find(uint64_t hash, uint32_t number)
{
    return sca_index_map_find(&map, hash, is_number, &number);
}

START_TEST(an_empty_map_has_nothing)
{
    ck_assert_uint_eq(find(0, 0), SCA_NO_INDEX);
    ck_assert_uint_eq(find(~0ull, 7), SCA_NO_INDEX);
}
END_TEST

START_TEST(what_was_put_is_found_by_hash_and_content)
{
    ck_assert_int_eq(sca_index_map_add(&map, 40, 7), SCA_OK);
    ck_assert_uint_eq(find(40, 7), 7);
    ck_assert_uint_eq(find(40, 8), SCA_NO_INDEX); /* other content */
    ck_assert_uint_eq(find(41, 7), SCA_NO_INDEX); /* other hash */
}
END_TEST

START_TEST(elements_of_one_hash_are_told_apart)
{
    enum { SAME = 1500 }; /* more than the first table has room for */
    for (uint32_t i = 0; i < SAME; i++)
        ck_assert_int_eq(sca_index_map_add(&map, 5, i), SCA_OK);
    for (uint32_t i = 0; i < SAME; i++)
        ck_assert_uint_eq(find(5, i), i);
    ck_assert_uint_eq(find(5, SAME), SCA_NO_INDEX);
    ck_assert_uint_eq(find(6, 0), SCA_NO_INDEX); /* its place is taken by others */
}
END_TEST

/* The last slots of the table: a search goes on at the first. */
START_TEST(a_run_goes_on_at_the_beginning)
{
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_int_eq(sca_index_map_add(&map, UINT32_MAX, i), SCA_OK);
    ck_assert_int_eq(sca_index_map_add(&map, 0, 9), SCA_OK);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(find(UINT32_MAX, i), i);
    ck_assert_uint_eq(find(0, 9), 9);
    ck_assert_uint_eq(find(1, 9), SCA_NO_INDEX);
}
END_TEST

START_TEST(many_are_found_after_the_table_has_grown)
{
    enum { MANY = 100000 };
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_int_eq(sca_index_map_add(&map, sca_index_map_hash(&i, sizeof i), i), SCA_OK);
    ck_assert_uint_eq(map.used, MANY);
    ck_assert_uint_gt(map.size, MANY);
    ck_assert_uint_eq(map.size & (map.size - 1), 0);
    for (uint32_t i = 0; i < MANY; i++)
        ck_assert_uint_eq(find(sca_index_map_hash(&i, sizeof i), i), i);
    uint32_t other = MANY;
    ck_assert_uint_eq(find(sca_index_map_hash(&other, sizeof other), other), SCA_NO_INDEX);
}
END_TEST

/* Every byte counts: those of whole words and those behind them. */
START_TEST(a_hash_depends_on_every_byte_and_the_length)
{
    uint8_t bytes[19] = {0};
    uint64_t plain = sca_index_map_hash(bytes, sizeof bytes);
    ck_assert_uint_eq(plain, sca_index_map_hash(bytes, sizeof bytes));
    ck_assert_uint_ne(plain, sca_index_map_hash(bytes, sizeof bytes - 1));
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = 1;
        ck_assert_uint_ne((uint32_t)plain, (uint32_t)sca_index_map_hash(bytes, sizeof bytes));
        bytes[i] = 0;
    }
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("index_map");
    TCase *tcase = tcase_create("index_map");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, an_empty_map_has_nothing);
    tcase_add_test(tcase, what_was_put_is_found_by_hash_and_content);
    tcase_add_test(tcase, elements_of_one_hash_are_told_apart);
    tcase_add_test(tcase, a_run_goes_on_at_the_beginning);
    tcase_add_test(tcase, many_are_found_after_the_table_has_grown);
    tcase_add_test(tcase, a_hash_depends_on_every_byte_and_the_length);
    suite_add_tcase(suite, tcase);
    return suite;
}
