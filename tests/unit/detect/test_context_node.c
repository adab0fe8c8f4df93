/* The growing tree of contexts: what it calls functions. */
#include "graph/context_node.h"
#include "sca_error.h"
#include "check_main.h"

#include <stdlib.h>

/* A run without a graph knows functions by the names in the debug information. */
START_TEST(a_fortran_program_begins_in_main)
{
    struct sca_arena arena = {0};
    struct sca_contexts contexts = {.arena = &arena};
    struct sca_context_node root = sca_context_node_blank(0, SCA_ROOT, "ocean");
    sca_context_node_append(&contexts, &root);
    struct sca_context_node wanted = sca_context_node_blank(0, SCA_LOOP, "");
    wanted.shown.function = "_QQmain";
    uint32_t first = sca_context_node_at(&contexts, &wanted);
    ck_assert_uint_eq(sca_context_node_at(&contexts, &wanted), first);
    ck_assert_str_eq(contexts.nodes[first].shown.function, "main");
    wanted.shown.function = "_QQmainly";
    ck_assert_uint_ne(sca_context_node_at(&contexts, &wanted), first);
    ck_assert_int_eq(contexts.status, SCA_OK);
    free(contexts.nodes);
    sca_arena_free(&arena);
}
END_TEST

SCA_SUITE("context_node", a_fortran_program_begins_in_main)
