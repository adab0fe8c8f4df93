/* Reverse postorder: whatever leads to a block comes before it, but for ways back. */
#include "check_main.h"
#include "laid_graph.h"

static struct sca_flow_graph graph;

static void tear_down(void)
{
    sca_flow_graph_free(&graph);
}

static void check_before(uint32_t a, uint32_t b)
{
    ck_assert_msg(graph.blocks[a].order < graph.blocks[b].order, "%u is not before %u", a, b);
}

START_TEST(a_block_comes_behind_all_that_leads_to_it)
{
    LAID_GRAPH(&graph, 5, {0, 1}, {0, 4}, {1, 3}, {4, 3}, {3, 2});
    ck_assert_uint_eq(graph.blocks[0].order, 0);
    check_before(0, 1);
    check_before(0, 4);
    check_before(1, 3);
    check_before(4, 3);
    check_before(3, 2);
}
END_TEST

START_TEST(a_header_comes_before_its_loop)
{
    LAID_GRAPH(&graph, 4, {0, 3}, {3, 1}, {1, 3}, {3, 2});
    check_before(0, 3);
    check_before(3, 1);
    check_before(3, 2);
}
END_TEST

START_TEST(every_block_is_listed_once)
{
    bool seen[6] = {false};
    LAID_GRAPH(&graph, 6, {0, 1}, {1, 0}, {3, 4}, {1, 5});
    for (uint32_t i = 0; i < 6; i++) {
        ck_assert(!seen[graph.ordered[i]]);
        seen[graph.ordered[i]] = true;
        if (i < 3) /* 0, 1 and 5 are reached */
            ck_assert_uint_eq(graph.blocks[graph.ordered[i]].order, i);
        else
            ck_assert_uint_eq(graph.blocks[graph.ordered[i]].order, SCA_NO_BLOCK);
    }
}
END_TEST

/* 2 is a root of its own: what the first one reaches comes first. */
START_TEST(roots_come_one_after_the_other)
{
    uint64_t roots[] = {0, 2};
    LAID_GRAPH(&graph, 4, {0, 3}, {2, 3}, {2, 1});
    uint64_t *own = graph.roots;
    graph.roots = roots;
    graph.nroots = 2;
    ck_assert_int_eq(sca_flow_order(&graph), 0);
    graph.roots = own;
    ck_assert_uint_eq(graph.blocks[0].order, 0);
    ck_assert_uint_eq(graph.blocks[3].order, 1);
    ck_assert_uint_eq(graph.blocks[2].order, 2);
    ck_assert_uint_eq(graph.blocks[1].order, 3);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("block_order");
    TCase *tcase = tcase_create("block_order");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, a_block_comes_behind_all_that_leads_to_it);
    tcase_add_test(tcase, a_header_comes_before_its_loop);
    tcase_add_test(tcase, every_block_is_listed_once);
    tcase_add_test(tcase, roots_come_one_after_the_other);
    suite_add_tcase(suite, tcase);
    return suite;
}
