#include "base/pool.h"
#include "base/keyed.h"
#include "check_main.h"

#include <stdlib.h>

enum { MANY = 1000000 };

struct element {
    uint64_t key;
    uint64_t number;
};

/* Millions of times: ck_assert() tells another process each time that all is well. */
static void check(bool holds)
{
    if (!holds)
        ck_abort_msg("an element is missing, or one is there that should not be");
}

/* Handles are what elements are found by: addresses of objects of one size, numbers, hashes. */
static uint64_t address(uint64_t i)
{
    return 0x7f1234560080u + i * 448;
}

static uint64_t number(uint64_t i)
{
    return 0x84000000u + i;
}

static uint64_t scattered(uint64_t i)
{
    return sca_table_hash(sca_table_hash(i) + 1);
}

static struct element *enter(struct sca_table *table, uint64_t key, uint64_t n)
{
    struct element *element = sca_pool_alloc(sizeof *element);
    check(element);
    *element = (struct element){key, n};
    check(sca_table_add(table, element));
    return element;
}

static void leave(struct sca_table *table, struct element *element)
{
    sca_table_remove(table, element);
    sca_pool_free(element, sizeof *element);
}

static unsigned lines_from(const struct sca_table_line *line)
{
    unsigned n = 0;
    for (; line; line = line->more)
        n++;
    return n;
}

static unsigned longest(const struct sca_table *table)
{
    unsigned most = 0;
    for (uint32_t i = 0; i < table->lines; i++) {
        unsigned n = lines_from(sca_table_line(table, i));
        most = n > most ? n : most;
    }
    return most;
}

static double usual(const struct sca_table *table)
{
    double sum = 0;
    for (uint32_t i = 0; i < table->lines; i++)
        sum += lines_from(sca_table_line(table, i));
    return sum / table->lines;
}

static void fill(struct sca_table *table, uint64_t (*key)(uint64_t))
{
    for (uint64_t i = 0; i < MANY; i++) {
        check(!sca_table_find(table, key(i)));
        enter(table, key(i), i);
    }
}

static void check_filled(const struct sca_table *table, uint64_t (*key)(uint64_t))
{
    for (uint64_t i = 0; i < MANY; i++) {
        const struct element *found = sca_table_find(table, key(i));
        check(found && found->number == i);
    }
    check(!sca_table_find(table, key(MANY)));
}

/* A million are found in one line, seldom in two, whatever their keys look like. */
START_TEST(a_million_lie_in_short_lines)
{
    uint64_t (*const keys[])(uint64_t) = {address, number, scattered};
    for (unsigned k = 0; k < 3; k++) {
        struct sca_table *table = calloc(1, sizeof *table + 64);
        table = (struct sca_table *)(((uintptr_t)table + 63) / 64 * 64);
        fill(table, keys[k]);
        check_filled(table, keys[k]);
        ck_assert_uint_eq(table->count, MANY);
        ck_assert_uint_le(longest(table), 4);
        ck_assert_double_lt(usual(table), 1.25);
        for (uint64_t i = 0; i < MANY; i++)
            leave(table, sca_table_find(table, keys[k](i)));
        ck_assert_uint_eq(table->count, 0);
        ck_assert_uint_eq(longest(table), 1);
    }
}
END_TEST

/* No call moves more than one line: the table never stops to double. */
START_TEST(it_grows_a_line_at_a_time)
{
    static struct sca_table table;
    enter(&table, address(0), 0);
    uint32_t lines = table.lines;
    for (uint64_t i = 1; i < 100000; i++) {
        enter(&table, address(i), i);
        check(table.lines <= lines + 1);
        lines = table.lines;
    }
    ck_assert_uint_ge(lines, 100000 / 8);
    ck_assert_uint_le(lines, 100000 / 2);
}
END_TEST

/* As requests do: few are there at a time, of ever new handles. It stays small. */
START_TEST(what_comes_and_goes_needs_no_room)
{
    static struct sca_table table;
    static struct element *there[64];
    for (uint64_t i = 0; i < MANY; i++) {
        struct element **at = &there[scattered(i) % 64];
        if (*at) {
            uint64_t key = (*at)->key;
            leave(&table, *at);
            check(!sca_table_find(&table, key));
        }
        *at = enter(&table, address(i), i);
        check(sca_table_find(&table, address(i)) == *at);
    }
    ck_assert_uint_le(table.lines, 32);
}
END_TEST

START_TEST(two_with_one_key_are_two)
{
    static struct sca_table table;
    struct element *a = enter(&table, 5, 1), *b = enter(&table, 5, 2);
    const struct element *found = sca_table_find(&table, 5);
    ck_assert(found == a || found == b);
    leave(&table, a);
    ck_assert_ptr_eq(sca_table_find(&table, 5), b);
    leave(&table, b);
    ck_assert_ptr_null(sca_table_find(&table, 5));
}
END_TEST

/* Blocks come back to whoever asks for their size; large ones go to the system again. */
START_TEST(the_pool_gives_back_what_it_got)
{
    void *block = sca_pool_alloc(100);
    sca_pool_free(block, 100);
    ck_assert_ptr_eq(sca_pool_alloc(128), block);
    for (int i = 0; i < 10; i++) {
        void *large = sca_pool_alloc((size_t)400 << 20);
        ck_assert_ptr_nonnull(large);
        sca_pool_free(large, (size_t)400 << 20);
    }
    ck_assert_ptr_null(sca_pool_alloc((size_t)1 << 40));
}
END_TEST

SCA_SUITE("keyed", a_million_lie_in_short_lines, it_grows_a_line_at_a_time,
          what_comes_and_goes_needs_no_room, two_with_one_key_are_two,
          the_pool_gives_back_what_it_got)
