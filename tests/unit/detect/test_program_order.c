/* Vertices numbered as the program has them, whatever run met them first. */
#include "graph/program_order.h"
#include "check_main.h"
#include "sca_error.h"

#include <stdlib.h>

static struct sca_arena arena;
static struct sca_contexts contexts;
static struct sca_ppg_vertex *vertices;
static uint32_t nvertices;

static uint32_t add(uint32_t parent, const char *name, uint32_t order)
{
    struct sca_context_node node = sca_context_node_blank(parent, SCA_CALL, name);
    node.shown.order = order;
    return sca_context_node_append(&contexts, &node);
}

static void set_up(void)
{
    arena = (struct sca_arena){0};
    contexts = (struct sca_contexts){.arena = &arena};
    ck_assert_uint_eq(add(0, "main", 0), 0);
}

static void tear_down(void)
{
    free(contexts.nodes);
    sca_arena_free(&arena);
}

static void put_in_order(struct sca_tree_input *runs, uint32_t count)
{
    ck_assert_int_eq(sca_program_order(&contexts, runs, count, &vertices, &nvertices), SCA_OK);
}

static void check(uint32_t number, const char *name, uint32_t parent)
{
    ck_assert_uint_lt(number, nvertices);
    ck_assert_str_eq(vertices[number].name, name);
    ck_assert_uint_eq(vertices[number].parent, parent);
}

START_TEST(a_parent_comes_before_its_children_and_they_before_its_sibling)
{
    uint32_t late = add(0, "late", 30), early = add(0, "early", 10);
    add(late, "below late", 1);
    add(early, "second below early", 7);
    uint32_t first = add(early, "first below early", 5);
    add(first, "deep", 1);
    put_in_order(NULL, 0);
    ck_assert_uint_eq(nvertices, 7);
    check(0, "main", 0);
    check(1, "early", 0);
    check(2, "first below early", 1);
    check(3, "deep", 2);
    check(4, "second below early", 1);
    check(5, "late", 0);
    check(6, "below late", 5);
}
END_TEST

/* A nest in one line, and a call in it that leads to the same line. */
START_TEST(loops_of_one_line_are_numbered_from_the_outermost)
{
    uint32_t parent = 0;
    for (uint32_t i = 0; i < 4; i++) {
        struct sca_context_node node =
            sca_context_node_blank(parent, i == 2 ? SCA_CALL : SCA_LOOP, "");
        node.shown.line = node.shown.end_line = 12;
        parent = sca_context_node_append(&contexts, &node);
    }
    put_in_order(NULL, 0);
    for (uint32_t v = 1; v < 5; v++)
        ck_assert_uint_eq(vertices[v].nested, v == 2);
}
END_TEST

/* One call through a pointer may have led to several functions. */
START_TEST(at_one_place_names_decide_and_then_who_came_first)
{
    add(0, "zeta", 4);
    add(0, "same", 4);
    uint32_t second = add(0, "same", 4);
    add(0, "alpha", 4);
    contexts.nodes[second].shown.line = 99;
    put_in_order(NULL, 0);
    check(1, "alpha", 0);
    check(2, "same", 0);
    check(3, "same", 0);
    check(4, "zeta", 0);
    ck_assert_uint_eq(vertices[2].line, 0);
    ck_assert_uint_eq(vertices[3].line, 99);
}
END_TEST

START_TEST(what_is_known_of_a_vertex_goes_with_it)
{
    uint32_t late = add(0, "late", 2);
    contexts.nodes[late].shown.line = 20;
    contexts.nodes[late].shown.kind = SCA_LOOP;
    add(0, "early", 1);
    put_in_order(NULL, 0);
    ck_assert_uint_eq(vertices[2].line, 20);
    ck_assert_uint_eq(vertices[2].kind, SCA_LOOP);
    ck_assert_uint_eq(vertices[1].kind, SCA_CALL);
}
END_TEST

START_TEST(the_runs_places_follow)
{
    uint32_t late = add(0, "late", 2), early = add(0, "early", 1);
    uint32_t sites[2][3] = {{SCA_NONE, late, early}, {SCA_NONE, early, late}};
    uint32_t nodes[2][2] = {{0, late}, {early, early}};
    struct sca_profile profile = {.nsites = 3, .nnodes = 2};
    struct sca_tree_input runs[2];
    for (int r = 0; r < 2; r++)
        runs[r] = (struct sca_tree_input){
            .profile = &profile, .site_vertex = sites[r], .node_vertex = nodes[r]};
    put_in_order(runs, 2);
    const uint32_t expected[2][5] = {{SCA_NONE, 2, 1, 0, 2}, {SCA_NONE, 1, 2, 1, 1}};
    for (int r = 0; r < 2; r++) {
        for (int s = 0; s < 3; s++)
            ck_assert_uint_eq(sites[r][s], expected[r][s]);
        for (int n = 0; n < 2; n++)
            ck_assert_uint_eq(nodes[r][n], expected[r][3 + n]);
    }
}
END_TEST

START_TEST(a_program_of_its_root_alone)
{
    put_in_order(NULL, 0);
    ck_assert_uint_eq(nvertices, 1);
    check(0, "main", 0);
}
END_TEST

START_TEST(a_long_chain_stays_one)
{
    enum { DEEP = 5000 };
    for (uint32_t i = 0; i < DEEP; i++)
        ck_assert_uint_eq(add(i, "down", 1), i + 1);
    put_in_order(NULL, 0);
    ck_assert_uint_eq(nvertices, DEEP + 1);
    for (uint32_t i = 1; i <= DEEP; i++)
        check(i, "down", i - 1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("program_order");
    TCase *tcase = tcase_create("program_order");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_parent_comes_before_its_children_and_they_before_its_sibling);
    tcase_add_test(tcase, at_one_place_names_decide_and_then_who_came_first);
    tcase_add_test(tcase, loops_of_one_line_are_numbered_from_the_outermost);
    tcase_add_test(tcase, what_is_known_of_a_vertex_goes_with_it);
    tcase_add_test(tcase, the_runs_places_follow);
    tcase_add_test(tcase, a_program_of_its_root_alone);
    tcase_add_test(tcase, a_long_chain_stays_one);
    suite_add_tcase(suite, tcase);
    return suite;
}
