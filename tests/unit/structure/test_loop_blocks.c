/* The blocks of each loop, with those of the loops in it. */
#include "source/loop_blocks.h"
#include "check_main.h"
#include "laid_graph.h"
#include "sca_error.h"

static struct sca_flow_graph graph;
static struct sca_loop_blocks list;

/* 1 to 4 are a loop, 2 and 3 one in it, 5 one by itself; 0 and 6 are in none. */
static void set_up(void)
{
    LAID_GRAPH(&graph, 7, {0, 1}, {1, 2}, {2, 3}, {3, 2}, {3, 4}, {4, 1}, {4, 5}, {5, 5}, {5, 6});
    ck_assert_int_eq(sca_loop_blocks_list(&graph, &list), SCA_OK);
}

static void tear_down(void)
{
    sca_loop_blocks_free(&list);
    sca_flow_graph_free(&graph);
}

static void check_blocks(uint32_t loop, uint32_t first, uint32_t last)
{
    const uint32_t *blocks = list.blocks + list.first[loop];
    ck_assert_uint_eq(list.first[loop + 1] - list.first[loop], last - first + 1);
    for (uint32_t b = first; b <= last; b++)
        ck_assert_uint_eq(blocks[b - first], b);
}

START_TEST(a_loop_has_the_blocks_of_those_in_it)
{
    ck_assert_uint_eq(graph.nloops, 3);
    check_blocks(graph.blocks[1].loop, 1, 4);
    check_blocks(graph.blocks[2].loop, 2, 3);
    check_blocks(graph.blocks[5].loop, 5, 5);
}
END_TEST

START_TEST(a_block_is_in_its_loop_and_those_around)
{
    uint32_t outer = graph.blocks[1].loop, inner = graph.blocks[2].loop;
    ck_assert(sca_loop_blocks_holds(&graph, outer, 1));
    ck_assert(sca_loop_blocks_holds(&graph, outer, 3));
    ck_assert(sca_loop_blocks_holds(&graph, inner, 3));
    ck_assert(!sca_loop_blocks_holds(&graph, inner, 4));
    ck_assert(!sca_loop_blocks_holds(&graph, outer, 5));
    ck_assert(!sca_loop_blocks_holds(&graph, outer, 0));
}
END_TEST

START_TEST(without_loops_there_are_none)
{
    tear_down();
    LAID_GRAPH(&graph, 2, {0, 1});
    ck_assert_int_eq(sca_loop_blocks_list(&graph, &list), SCA_OK);
    ck_assert_uint_eq(list.first[0], 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("loop_blocks");
    TCase *tcase = tcase_create("loop_blocks");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_loop_has_the_blocks_of_those_in_it);
    tcase_add_test(tcase, a_block_is_in_its_loop_and_those_around);
    tcase_add_test(tcase, without_loops_there_are_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
