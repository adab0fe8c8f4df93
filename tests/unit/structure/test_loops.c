/* Loops of small graphs that can be drawn on paper. */
#include "check_main.h"
#include "laid_graph.h"

#include <stdlib.h>

static struct sca_flow_graph graph;

static void tear_down(void)
{
    sca_flow_graph_free(&graph);
}

static const struct sca_flow_loop *loop_of(uint32_t block)
{
    ck_assert_msg(graph.blocks[block].loop != SCA_NO_LOOP, "%u is in no loop", block);
    return &graph.loops[graph.blocks[block].loop];
}

static void check_loop(uint32_t block, uint32_t header, uint32_t depth)
{
    const struct sca_flow_loop *loop = loop_of(block);
    ck_assert_msg(loop->header == header, "%u: header %u", block, loop->header);
    ck_assert_msg(loop->depth == depth, "%u: depth %u", block, loop->depth);
}

static void check_outside(uint32_t block)
{
    ck_assert_msg(graph.blocks[block].loop == SCA_NO_LOOP, "%u is in a loop", block);
}

START_TEST(without_a_way_back_there_is_no_loop)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {0, 2}, {1, 3}, {2, 3});
    ck_assert_uint_eq(graph.nloops, 0);
    for (uint32_t b = 0; b < 4; b++)
        check_outside(b);
}
END_TEST

START_TEST(a_way_back_makes_a_loop)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {1, 2}, {2, 1}, {1, 3});
    ck_assert_uint_eq(graph.nloops, 1);
    check_outside(0);
    check_loop(1, 1, 1);
    check_loop(2, 1, 1);
    check_outside(3);
    ck_assert_uint_eq(graph.loops[0].parent, SCA_NO_LOOP);
    ck_assert(!graph.loops[0].many);
}
END_TEST

START_TEST(a_block_may_be_a_loop)
{
    LAID_GRAPH(&graph, 3, {0, 1}, {1, 1}, {1, 2});
    ck_assert_uint_eq(graph.nloops, 1);
    check_loop(1, 1, 1);
    check_outside(2);
}
END_TEST

START_TEST(the_first_block_may_be_a_header)
{
    LAID_GRAPH(&graph, 2, {0, 1}, {1, 0});
    ck_assert_uint_eq(graph.nloops, 1);
    check_loop(1, 0, 1);
    ck_assert(!graph.loops[0].many);
}
END_TEST

START_TEST(loops_nest)
{
    LAID_GRAPH(&graph, 6, {0, 1}, {1, 2}, {2, 3}, {3, 3}, {3, 2}, {2, 4}, {4, 1}, {1, 5});
    ck_assert_uint_eq(graph.nloops, 3);
    check_loop(1, 1, 1);
    check_loop(4, 1, 1);
    check_loop(2, 2, 2);
    check_loop(3, 3, 3);
    ck_assert_ptr_eq(&graph.loops[loop_of(3)->parent], loop_of(2));
    ck_assert_ptr_eq(&graph.loops[loop_of(2)->parent], loop_of(1));
    ck_assert_uint_lt(loop_of(3)->parent, graph.blocks[3].loop);
    check_outside(5);
}
END_TEST

START_TEST(loops_behind_each_other_are_apart)
{
    LAID_GRAPH(&graph, 4, {0, 0}, {0, 1}, {1, 2}, {2, 1}, {2, 3}, {3, 3});
    ck_assert_uint_eq(graph.nloops, 3);
    check_loop(0, 0, 1);
    check_loop(2, 1, 1);
    check_loop(3, 3, 1);
}
END_TEST

/* Two ways back to one header are one loop: `continue`. */
START_TEST(a_header_has_one_loop)
{
    LAID_GRAPH(&graph, 5, {0, 1}, {1, 2}, {2, 1}, {1, 3}, {3, 1}, {3, 4});
    ck_assert_uint_eq(graph.nloops, 1);
    check_loop(2, 1, 1);
    check_loop(3, 1, 1);
    check_outside(4);
}
END_TEST

/* 1 and 2 lead to each other, and the beginning to both. */
START_TEST(two_entries_are_told)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {0, 2}, {1, 2}, {2, 1}, {2, 3});
    ck_assert_uint_eq(graph.nloops, 1);
    ck_assert_ptr_eq(loop_of(1), loop_of(2));
    ck_assert(loop_of(1)->many);
    ck_assert_uint_eq(graph.blocks[loop_of(1)->header].order, 1); /* reached before the other */
}
END_TEST

/* The inner one, of 2 and 3, is entered at both; the outer one at 1 only. */
START_TEST(entries_are_those_of_each_loop)
{
    LAID_GRAPH(&graph, 5, {0, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 2}, {3, 1}, {1, 4});
    ck_assert_uint_eq(graph.nloops, 2);
    check_loop(1, 1, 1);
    ck_assert(!loop_of(1)->many);
    ck_assert_ptr_eq(loop_of(2), loop_of(3));
    ck_assert_uint_eq(loop_of(2)->depth, 2);
    ck_assert(loop_of(2)->many);
}
END_TEST

/* 2 to 3 and back, but nothing leads there. */
START_TEST(what_is_never_reached_has_no_loops)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {2, 3}, {3, 2}, {3, 1});
    ck_assert_uint_eq(graph.nloops, 0);
    check_outside(2);
    ck_assert_uint_eq(graph.blocks[2].order, SCA_NO_BLOCK);
}
END_TEST

enum { DEEP = 100, DEEPEST = 64 };

/* Block i leads to i + 1 and the last of all back to each: each is the header of a loop. */
START_TEST(beyond_64_loops_are_part_of_the_one_around)
{
    struct laid_edge edges[2 * DEEP];
    for (uint32_t i = 0; i < DEEP; i++) {
        edges[2 * i] = (struct laid_edge){i, i + 1};
        edges[2 * i + 1] = (struct laid_edge){DEEP, i};
    }
    laid_graph(&graph, DEEP + 1, edges, 2 * DEEP);
    ck_assert_uint_eq(graph.nloops, DEEPEST);
    check_loop(0, 0, 1);
    check_loop(DEEPEST - 1, DEEPEST - 1, DEEPEST);
    check_loop(DEEPEST, DEEPEST - 1, DEEPEST);
    check_loop(DEEP, DEEPEST - 1, DEEPEST);
}
END_TEST

/* No recursion: a path of many blocks, and back. */
START_TEST(a_long_loop_takes_no_stack)
{
    enum { LONG = 2000 };
    struct laid_edge *edges = calloc(LONG, sizeof *edges);
    ck_assert_ptr_nonnull(edges);
    for (uint32_t i = 0; i < LONG; i++)
        edges[i] = (struct laid_edge){i, (i + 1) % LONG};
    laid_graph(&graph, LONG, edges, LONG);
    free(edges);
    ck_assert_uint_eq(graph.nloops, 1);
    check_loop(LONG - 1, 0, 1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("loops");
    TCase *tcase = tcase_create("loops");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, without_a_way_back_there_is_no_loop);
    tcase_add_test(tcase, a_way_back_makes_a_loop);
    tcase_add_test(tcase, a_block_may_be_a_loop);
    tcase_add_test(tcase, the_first_block_may_be_a_header);
    tcase_add_test(tcase, loops_nest);
    tcase_add_test(tcase, loops_behind_each_other_are_apart);
    tcase_add_test(tcase, a_header_has_one_loop);
    tcase_add_test(tcase, two_entries_are_told);
    tcase_add_test(tcase, entries_are_those_of_each_loop);
    tcase_add_test(tcase, what_is_never_reached_has_no_loops);
    tcase_add_test(tcase, beyond_64_loops_are_part_of_the_one_around);
    tcase_add_test(tcase, a_long_loop_takes_no_stack);
    suite_add_tcase(suite, tcase);
    return suite;
}
