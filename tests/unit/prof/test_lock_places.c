/* Where locks come from: a file's own memory, or the call that made them. */
#include "arena/arena.h"
#include "base/guard.h"
#include "check_main.h"
#include "outside/lock_places.h"
#include "unwind/modules.h"

#include <stdio.h>
#include <stdlib.h>

static void begin(void)
{
    ck_assert_int_ge(sca_arena_open(NULL, 0, 1), 0);
    sca_modules_init();
}

/* Of the only record; NULL: there is none. */
static const struct sca_part_node *origin_of(uint16_t number)
{
    const struct sca_part_sample *s = sca_arena_table(SCA_T_SAMPLES);
    if (!sca_arena_count(SCA_T_SAMPLES))
        return NULL;
    ck_assert_uint_eq(sca_arena_count(SCA_T_SAMPLES), 1);
    ck_assert_uint_eq(s->in_mpi, SCA_SAMPLE_LOCK_AT);
    ck_assert_uint_eq(s->thread, number);
    ck_assert_uint_eq(s->count, 1);
    return (const struct sca_part_node *)sca_arena_table(SCA_T_NODES) + s->node;
}

START_TEST(one_on_the_heap_comes_from_the_call_that_made_it)
{
    char *lock = malloc(64);
    begin();
    sca_lock_places_made(lock, (const void *)(uintptr_t)malloc);
    sca_lock_places_book(lock, 7);
    const struct sca_part_node *node = origin_of(7);
    ck_assert_ptr_nonnull(node);
    ck_assert_uint_eq(node->kind, SCA_NODE_RETURN + SCA_NODE_OBJECT);
    ck_assert_uint_eq(node->parent, 0);
    const struct sca_part_module *m =
        (const struct sca_part_module *)sca_arena_table(SCA_T_MODULES) + node->module;
    ck_assert_uint_eq(node->offset + m->bias, (uintptr_t)malloc);
    sca_arena_close();
    free(lock);
}
END_TEST

START_TEST(one_in_a_file_is_told_by_its_address)
{
    begin();

    sca_lock_places_book((const void *)(uintptr_t)stdout, 3);
    const struct sca_part_node *node = origin_of(3);
    ck_assert_ptr_nonnull(node);
    ck_assert_uint_eq(node->kind, SCA_NODE_PC + SCA_NODE_OBJECT);
    sca_arena_close();
}
END_TEST

START_TEST(one_that_is_gone_has_none)
{
    char *lock = malloc(64);
    begin();
    sca_lock_places_made(lock, (const void *)(uintptr_t)malloc);
    sca_lock_places_made(lock, NULL);
    sca_lock_places_book(lock, 7);
    ck_assert_ptr_null(origin_of(7));
    sca_arena_close();
    free(lock);
}
END_TEST

SCA_SUITE("lock_places", one_on_the_heap_comes_from_the_call_that_made_it,
          one_in_a_file_is_told_by_its_address, one_that_is_gone_has_none)
