/* Sorting keeps the order of what compares equal, in tables of any size and kind of element. */
#include "base/sort.h"
#include "check_main.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 300000, KEYS = 7 };

struct small {
    uint32_t key, number;
};

struct large {
    uint32_t key, number;
    uint64_t rest[5];
};

struct odd {
    uint32_t key, number;
    char rest[3];
} __attribute__((packed));

static size_t looks;

/* In place of the system's, which need not keep the order of equals: this one never does. */
void qsort(void *list, size_t count, size_t size, int (*compare)(const void *, const void *));
static int by_key(const void *a, const void *b);

static int backwards(const void *a, const void *b, void *unused)
{
    const struct small *x = a, *y = b;
    (void)unused;
    int order = by_key(a, b);
    return order ? order : (x->number < y->number) - (x->number > y->number);
}

void qsort(void *list, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    (void)compare;
    qsort_r(list, count, size, backwards, NULL);
}

/* The key comes first in all of them. */
static int by_key(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    looks++;
    return (x > y) - (x < y);
}

static uint32_t scattered(uint32_t i)
{
    uint32_t x = (i ^ i >> 16) * 0x85ebca6bu;
    return x ^ x >> 13;
}

static uint32_t few_keys(uint32_t i)
{
    return scattered(i) % KEYS;
}

static uint32_t many_keys(uint32_t i)
{
    return scattered(i) % (MANY / 2);
}

static uint32_t falling(uint32_t i)
{
    return (MANY - i) / 2;
}

static uint32_t saw(uint32_t i)
{
    return i % 1000;
}

static uint32_t organ_pipe(uint32_t i)
{
    return i < MANY / 2 ? i : MANY - i;
}

typedef uint32_t key_of(uint32_t i);

static void fill(char *list, size_t size, uint32_t n, key_of *key)
{
    for (uint32_t i = 0; i < n; i++) {
        struct small s = {key(i), i};
        memset(list + i * size, (int)(i % 251), size);
        memcpy(list + i * size, &s, sizeof s);
    }
}

static struct small at(const char *list, size_t size, uint32_t i)
{
    struct small s;
    memcpy(&s, list + i * size, sizeof s);
    return s;
}

/* Does i stand where it must: keys rise, numbers rise among equal keys, and elements are whole. */
static bool is_right(const char *list, size_t size, uint32_t n, key_of *key, uint32_t i)
{
    struct small s = at(list, size, i), before = at(list, size, i ? i - 1 : 0);
    bool whole = s.number < n && s.key == key(s.number);
    for (size_t k = sizeof s; k < size; k++)
        whole &= (unsigned char)list[i * size + k] == s.number % 251;
    return whole && (!i || before.key < s.key || (before.key == s.key && before.number < s.number));
}

static void check(const char *list, size_t size, uint32_t n, key_of *key)
{
    uint32_t i = 0;
    while (i < n && is_right(list, size, n, key, i))
        i++;
    ck_assert_msg(i == n, "element %u of %u bytes", i, (unsigned)size);
}

static const size_t sizes[] = {sizeof(struct small), 16, 24, sizeof(struct large),
                               sizeof(struct odd)};
static key_of *const keys[] = {few_keys, many_keys, falling, saw, organ_pipe};

START_TEST(test_equal_keys_keep_their_order)
{
    enum { MOST_LOOKS = 20 }; /* log2(MANY), and one look to see whether it is in order */
    size_t size = sizes[_i % 5];
    key_of *key = keys[_i / 5];
    char *list = malloc(MANY * size);
    fill(list, size, MANY, key);
    looks = 0;
    ck_assert_int_eq(sca_sort_in_order(list, MANY, size, by_key), 0);
    ck_assert_uint_le(looks, (size_t)MOST_LOOKS * MANY);
    check(list, size, MANY, key);
    free(list);
}
END_TEST

START_TEST(test_short_lists)
{
    struct small list[40];
    for (uint32_t n = 0; n <= 40; n++)
        for (size_t k = 0; k < 5; k++) {
            fill((char *)list, sizeof *list, n, keys[k]);
            ck_assert_int_eq(sca_sort_in_order(list, n, sizeof *list, by_key), 0);
            check((char *)list, sizeof *list, n, keys[k]);
        }
    ck_assert_int_eq(sca_sort_in_order(NULL, 0, 8, by_key), 0);
}
END_TEST

START_TEST(test_what_is_in_order_is_looked_at_once)
{
    struct small *list = calloc(MANY, sizeof *list);
    looks = 0;
    ck_assert_int_eq(sca_sort_in_order(list, MANY, sizeof *list, by_key), 0);
    ck_assert_uint_eq(looks, MANY - 1);
    free(list);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("sort");
    TCase *tcase = tcase_create("sort");
    tcase_add_loop_test(tcase, test_equal_keys_keep_their_order, 0, 25);
    tcase_add_test(tcase, test_short_lists);
    tcase_add_test(tcase, test_what_is_in_order_is_looked_at_once);
    suite_add_tcase(suite, tcase);
    return suite;
}
