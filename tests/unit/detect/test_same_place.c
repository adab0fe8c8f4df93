/* One place in the source on several call paths. */
#include "graph/same_place.h"
#include "measured.h"
#include "check_main.h"

START_TEST(a_place_is_where_and_what_it_is)
{
    const struct sca_ppg_vertex a = {
        .kind = SCA_LOOP, .name = "", .function = "f", .file = "a.c", .line = 3, .end_line = 9};
    struct sca_ppg_vertex b = a;
    ck_assert(sca_same_place_is(&a, &b));
    b.parent = 7; /* another call path */
    ck_assert(sca_same_place_is(&a, &b));
    b = a;
    b.file = "b.c";
    ck_assert(!sca_same_place_is(&a, &b));
    b = a;
    b.function = "g";
    ck_assert(!sca_same_place_is(&a, &b));
    b = a;
    b.kind = SCA_COMP;
    ck_assert(!sca_same_place_is(&a, &b));
    b = a;
    b.end_line++;
    ck_assert(!sca_same_place_is(&a, &b));
    b = a;
    b.nested++;
    ck_assert(!sca_same_place_is(&a, &b));
}
END_TEST

START_TEST(what_has_no_line_may_be_anything)
{
    const struct sca_ppg_vertex a = {.name = "", .function = "f", .file = ""};
    ck_assert(!sca_same_place_is(&a, &a));
}
END_TEST

START_TEST(all_paths_to_a_place_are_listed)
{
    struct model *model = model_new();
    uint32_t one = model_vertex(model, 0, SCA_LOOP, "", "f", 10);
    uint32_t other = model_vertex(model, 0, SCA_LOOP, "", "f", 20);
    uint32_t two = model_vertex(model, 0, SCA_LOOP, "", "f", 10), *list;
    struct sca_workspace space = test_room();
    const struct sca_ppg *ppg = model_ppg(model);
    ck_assert_uint_eq(sca_same_place(&space, ppg, two, &list), 2);
    ck_assert(list[0] == two && list[1] == one);
    ck_assert_uint_eq(sca_same_place(&space, ppg, other, &list), 1);
    ck_assert_uint_eq(list[0], other);
    const uint32_t *place = sca_same_place_find(&space, ppg);
    ck_assert_uint_eq(place[one], place[two]);
    ck_assert_uint_ne(place[one], place[other]);
    sca_workspace_free(&space);
    model_free(model);
}
END_TEST

/* Called from two lines: a nest that is written in one line, `outer` and `inner`. */
static struct model *nest_of_one_line(uint32_t outer[2], uint32_t inner[2])
{
    struct model *model = model_new();
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t call = model_vertex(model, 0, SCA_CALL, "f", "main", 20 + i);
        outer[i] = model_vertex(model, call, SCA_LOOP, "", "f", 10);
        uint32_t branch = model_vertex(model, outer[i], SCA_BRANCH, "", "f", 10);
        inner[i] = model_vertex(model, branch, SCA_LOOP, "", "f", 10);
    }
    return model;
}

static bool is_among(uint32_t vertex, const uint32_t *list, uint32_t n)
{
    while (n-- > 0)
        if (list[n] == vertex)
            return true;
    return false;
}

/* What is listed may be added up: nothing of it lies in anything else of it. */
static void expect_apart(const struct sca_ppg *ppg)
{
    struct sca_workspace space = test_room();
    for (uint32_t v = 1; v < ppg->nvertices; v++) {
        uint32_t *list, n = sca_same_place(&space, ppg, v, &list);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t u = list[i]; u;) {
                u = ppg->vertices[u].parent;
                ck_assert(!is_among(u, list, n));
            }
    }
    sca_workspace_free(&space);
}

START_TEST(loops_of_one_line_are_a_place_each)
{
    uint32_t outer[2], inner[2], *list;
    struct model *model = nest_of_one_line(outer, inner);
    struct sca_workspace space = test_room();
    const struct sca_ppg *ppg = model_ppg(model);
    ck_assert_uint_eq(sca_same_place(&space, ppg, outer[1], &list), 2);
    ck_assert(list[0] == outer[1] && list[1] == outer[0]);
    ck_assert_uint_eq(sca_same_place(&space, ppg, inner[0], &list), 2);
    ck_assert(list[0] == inner[0] && list[1] == inner[1]);
    ck_assert(!sca_same_place_is_inside(ppg, inner[0]));
    const uint32_t *place = sca_same_place_find(&space, ppg);
    ck_assert_uint_eq(place[inner[0]], place[inner[1]]);
    ck_assert_uint_ne(place[inner[0]], place[outer[0]]);
    expect_apart(ppg);
    sca_workspace_free(&space);
    model_free(model);
}
END_TEST

/* A nest whose inner loop calls the function again. */
START_TEST(what_recursion_leads_to_lies_inside)
{
    uint32_t outer[2], inner[2], *list;
    struct model *model = nest_of_one_line(outer, inner);
    uint32_t again = model_vertex(model, inner[0], SCA_CALL, "f", "f", 11);
    uint32_t outer_again = model_vertex(model, again, SCA_LOOP, "", "f", 10);
    uint32_t inner_again = model_vertex(model, outer_again, SCA_LOOP, "", "f", 10);
    struct sca_workspace space = test_room();
    const struct sca_ppg *ppg = model_ppg(model);
    ck_assert(sca_same_place_is_inside(ppg, outer_again));
    ck_assert(!sca_same_place_is_inside(ppg, outer[0]));
    ck_assert(!sca_same_place_is_inside(ppg, again));
    ck_assert_uint_eq(sca_same_place(&space, ppg, outer_again, &list), 2);
    ck_assert(list[0] == outer[0] && list[1] == outer[1]);
    ck_assert_uint_eq(sca_same_place(&space, ppg, inner_again, &list), 2);
    ck_assert(list[0] == inner[0] && list[1] == inner[1]);
    expect_apart(ppg);
    sca_workspace_free(&space);
    model_free(model);
}
END_TEST

SCA_SUITE("same_place", a_place_is_where_and_what_it_is, what_has_no_line_may_be_anything,
          all_paths_to_a_place_are_listed, loops_of_one_line_are_a_place_each,
          what_recursion_leads_to_lies_inside)
