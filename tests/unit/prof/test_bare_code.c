/* Call paths through code without unwind tables, which calls back. */
#include "oracle.h"
#include "subject_bare.h"
#include "check_main.h"

#include "unwind/bare_code.h"
#include "unwind/callpath.h"
#include "unwind/frames.h"
#include "unwind/walk.h"

#include <string.h>

enum { MOST = 64 };

uintptr_t bare_left[2];

static struct {
    uint32_t node;
    uint64_t path[MOST];
    unsigned depth;
    bool cut;
} seen;

__attribute__((noinline)) static void probe(void)
{
    uint64_t *note;
    seen.node = sca_callpath_call(__builtin_return_address(0), __builtin_dwarf_cfa(), &note);
    seen.depth = oracle_addresses(seen.node, seen.path, MOST, &seen.cut);
}

void back(void)
{
    probe();
    __asm__ volatile("" ::: "memory");
}

/* The path has the caller's return address, right above the code without tables, and is whole. */
static void has_caller(caller *function, shape *through)
{
    for (int again = 0; again < 3; again++) {
        uint64_t above = (uintptr_t)function(through);
        ck_assert(!seen.cut);
        ck_assert_uint_gt(seen.depth, 4);
        ck_assert_uint_gt(seen.path[2], (uintptr_t)function);
        ck_assert_uint_lt(seen.path[2] - (uintptr_t)function, 128);
        ck_assert_uint_eq(seen.path[3], above);
    }
}

static void tells_apart(caller *light, caller *heavy, shape *through)
{
    uint32_t node[4];
    unsigned depth[4];
    oracle_open();
    for (int i = 0; i < 4; i++) {
        has_caller(i % 2 ? heavy : light, through);
        node[i] = seen.node;
        depth[i] = seen.depth;
    }
    ck_assert_uint_ne(node[0], node[1]);
    ck_assert_uint_eq(node[0], node[2]);
    ck_assert_uint_eq(node[1], node[3]);
    ck_assert_uint_eq(depth[0], depth[1]);
}

START_TEST(rbp_is_used_for_data)
{
    tells_apart(light_bare_small, heavy_bare_small, NULL);
    ck_assert_uint_eq(sca_bare_code_guessed(), 0);
}
END_TEST

START_TEST(a_frame_of_thousands_of_bytes)
{
    tells_apart(light_bare_large, heavy_bare_large, NULL);
}
END_TEST

__attribute__((noinline)) static uintptr_t left_by_a_call(void)
{
    __asm__ volatile("" ::: "memory");
    return (uintptr_t)__builtin_return_address(0);
}

START_TEST(what_calls_left_that_are_over_is_passed)
{
    bare_left[0] = left_by_a_call();
    bare_left[1] = left_by_a_call();
    tells_apart(light_bare_filled, heavy_bare_filled, NULL);
}
END_TEST

START_TEST(code_without_tables_calls_more_of_it)
{
    tells_apart(light_bare_outer, heavy_bare_outer, NULL);
}
END_TEST

START_TEST(a_function_jumps_on_to_it)
{
    tells_apart(light_jumps_on, heavy_jumps_on, NULL);
    ck_assert_uint_eq(sca_bare_code_guessed(), 0);
}
END_TEST

START_TEST(called_by_a_pointer_it_is_counted_as_a_guess)
{
    tells_apart(light_through, heavy_through, bare_small);
    ck_assert_uint_gt(sca_bare_code_guessed(), 0);
}
END_TEST

/* Only on a stack of which nothing leads on. */
START_TEST(nothing_is_made_up)
{
    oracle_open();
    static uint64_t empty[4096];
    struct sca_frame frame = {.key = (uintptr_t)bare_small + 4, .slot = 0};
    struct sca_ground ground = {
        .stack = {.low = (uintptr_t)empty, .high = (uintptr_t)(empty + 4096), .page = 1}};
    struct sca_cursor cursor = {.frame = &frame, .sp = (uintptr_t)(empty + 16)};
    empty[20] = (uintptr_t)back + 1;
    empty[30] = left_by_a_call();
    ck_assert_ptr_null(sca_walk_bare(cursor, &ground).frame);
}
END_TEST

SCA_SUITE("bare_code", rbp_is_used_for_data, a_frame_of_thousands_of_bytes,
          what_calls_left_that_are_over_is_passed, code_without_tables_calls_more_of_it,
          a_function_jumps_on_to_it, called_by_a_pointer_it_is_counted_as_a_guess,
          nothing_is_made_up)
