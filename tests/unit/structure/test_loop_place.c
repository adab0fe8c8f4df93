/* At which line and in which function loops are, with blocks, lines and functions by hand. */
#include "source/loop_place.h"
#include "check_main.h"
#include "laid_graph.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static struct sca_flow_graph graph;
static struct sca_source_line lines[MOST];
static uint32_t own[MOST];
/* 1 is inlined into 0 at line 50. */
static struct sca_source_node nodes[] = {{.depth = 0}, {.depth = 1, .call = {"a.c", 50}}};
static const struct sca_source_map map = {
    .nodes = nodes, .nnodes = 2, .line = lines, .node = own, .capacity = MOST};
static struct sca_loop_places places;

static void tear_down(void)
{
    sca_loop_places_free(&places);
    sca_flow_graph_free(&graph);
    memset(lines, 0, sizeof lines);
    memset(own, 0, sizeof own);
}

/* Blocks of two ways on end in a branch, others in a jump. */
static void lay(uint32_t nblocks, const uint32_t *of)
{
    for (uint32_t b = 0; b < nblocks; b++) {
        graph.instructions[b].flow =
            graph.blocks[b].nsuccessors == 2 ? SCA_FLOW_BRANCH : SCA_FLOW_JUMP;
        lines[b] = of[b] ? (struct sca_source_line){"a.c", of[b]} : (struct sca_source_line){0};
    }
}

#define LAY(...)                                                                                   \
    lay(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

static const struct sca_loop_place *place(uint32_t block)
{
    ck_assert_int_eq(sca_loop_places_find(&graph, &map, &places), SCA_OK);
    ck_assert_uint_ne(graph.blocks[block].loop, SCA_NO_LOOP);
    return &places.list[graph.blocks[block].loop];
}

static void check(uint32_t block, uint32_t line, uint32_t end, bool near)
{
    const struct sca_loop_place *p = place(block);
    ck_assert_uint_eq(p->line, line);
    ck_assert_uint_eq(p->end_line, end);
    ck_assert_int_eq(p->near, near);
    if (line)
        ck_assert_str_eq(p->file, "a.c");
}

/* for (...) as compilers write it: 1 is the body, 2 the test that leads back. */
START_TEST(the_branch_that_closes_it_tells_the_line)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {1, 2}, {2, 1}, {2, 3});
    LAY(9, 11, 10, 14);
    check(1, 10, 11, false);
}
END_TEST

/* while (...) as it is written: 1 is the test, 2 the body that jumps back. */
START_TEST(else_the_test_of_its_header)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {1, 2}, {1, 3}, {2, 1});
    LAY(9, 10, 12, 14);
    check(1, 10, 12, false);
}
END_TEST

/* do ... while: the test at line 25 stands behind all of the loop. */
START_TEST(a_test_at_the_end_is_near_the_first_line)
{
    LAID_GRAPH(&graph, 7, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 1}, {5, 6});
    LAY(9, 21, 22, 23, 24, 25, 30);
    check(1, 21, 25, true);
}
END_TEST

/* A way out in the midst, at a line that the loop begins with. */
START_TEST(or_another_way_out)
{
    LAID_GRAPH(&graph, 7, {0, 1}, {1, 2}, {2, 3}, {2, 6}, {3, 4}, {4, 5}, {5, 1}, {5, 6});
    LAY(9, 22, 20, 23, 24, 25, 30);
    check(1, 20, 25, false);
}
END_TEST

/* Both end in tests; the outer one's first line is 20, the inner one's 21, though a line of the
 * outer one is among its own. */
START_TEST(a_loop_inside_begins_past_the_one_around)
{
    LAID_GRAPH(&graph, 9, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 2}, {6, 7}, {7, 1},
               {7, 8});
    LAY(9, 20, 20, 21, 22, 23, 24, 25, 30);
    check(1, 20, 25, true);
    check(2, 21, 24, true);
}
END_TEST

START_TEST(without_lines_there_is_none)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {1, 2}, {2, 1}, {2, 3});
    LAY(0, 0, 0, 0);
    check(1, 0, 0, false);
}
END_TEST

START_TEST(a_loop_is_in_the_function_that_was_inlined)
{
    LAID_GRAPH(&graph, 4, {0, 1}, {1, 2}, {2, 1}, {2, 3});
    LAY(9, 3, 2, 14);
    own[1] = own[2] = 1;
    check(1, 2, 3, false);
    ck_assert_uint_eq(place(1)->node, 1);
}
END_TEST

/* All but the branch was inlined: the loop is the caller's, around the call. */
START_TEST(but_not_deeper_than_the_branch_that_closes_it)
{
    LAID_GRAPH(&graph, 12, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9},
               {9, 10}, {10, 1}, {10, 11});
    LAY(9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 49, 60);
    for (uint32_t i = 1; i < 10; i++)
        own[i] = 1;
    check(1, 49, 50, false);
    ck_assert_uint_eq(place(1)->node, 0);
}
END_TEST

/* Two thirds of it were: then it is not said to be there, and the test at line 50 is behind 49. */
START_TEST(nor_where_a_part_of_it_is)
{
    LAID_GRAPH(&graph, 5, {0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4});
    LAY(9, 49, 2, 3, 60);
    own[2] = own[3] = 1;
    check(1, 49, 50, true);
    ck_assert_uint_eq(place(1)->node, 0);
}
END_TEST

/* 4 and 5 are laid behind the loop, with the lines of another place. */
START_TEST(what_is_laid_elsewhere_does_not_say_where_it_is)
{
    LAID_GRAPH(&graph, 6, {0, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 3}, {4, 5}, {5, 2});
    LAY(9, 3, 2, 14, 99, 99);
    own[1] = own[2] = 1;
    check(1, 2, 3, false);
    ck_assert_uint_eq(place(1)->node, 1);
}
END_TEST

/* 4 is a loop of its own. */
START_TEST(but_a_loop_that_is_laid_elsewhere_does)
{
    LAID_GRAPH(&graph, 5, {0, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 3}, {4, 4}, {4, 2});
    LAY(9, 51, 50, 60, 52);
    own[1] = own[2] = 1;
    check(1, 50, 52, false);
    ck_assert_uint_eq(place(1)->node, 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("loop_place");
    TCase *tcase = tcase_create("loop_place");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, the_branch_that_closes_it_tells_the_line);
    tcase_add_test(tcase, else_the_test_of_its_header);
    tcase_add_test(tcase, a_test_at_the_end_is_near_the_first_line);
    tcase_add_test(tcase, or_another_way_out);
    tcase_add_test(tcase, a_loop_inside_begins_past_the_one_around);
    tcase_add_test(tcase, without_lines_there_is_none);
    tcase_add_test(tcase, a_loop_is_in_the_function_that_was_inlined);
    tcase_add_test(tcase, but_not_deeper_than_the_branch_that_closes_it);
    tcase_add_test(tcase, nor_where_a_part_of_it_is);
    tcase_add_test(tcase, what_is_laid_elsewhere_does_not_say_where_it_is);
    tcase_add_test(tcase, but_a_loop_that_is_laid_elsewhere_does);
    suite_add_tcase(suite, tcase);
    return suite;
}
