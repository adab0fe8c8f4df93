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

START_TEST(a_loop_in_a_loop_of_one_line_is_inside)
{
    struct model *model = model_new();
    uint32_t outer = model_vertex(model, 0, SCA_LOOP, "", "f", 10);
    uint32_t call = model_vertex(model, outer, SCA_CALL, "g", "f", 11);
    uint32_t inner = model_vertex(model, call, SCA_LOOP, "", "f", 10);
    const struct sca_ppg *ppg = model_ppg(model);
    ck_assert(sca_same_place_is_inside(ppg, inner));
    ck_assert(!sca_same_place_is_inside(ppg, outer));
    ck_assert(!sca_same_place_is_inside(ppg, call));
    model_free(model);
}
END_TEST

SCA_SUITE("same_place", a_place_is_where_and_what_it_is, what_has_no_line_may_be_anything,
          all_paths_to_a_place_are_listed, a_loop_in_a_loop_of_one_line_is_inside)
