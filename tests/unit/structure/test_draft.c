/* Which wishes are one vertex, where it stands among its siblings, and what keys lead to. */
#include "graph/draft.h"
#include "check_main.h"
#include "sca_error.h"

static struct sca_draft draft;
static const char *here, *there, *nothing;
static uint32_t function;

static const char *text(const char *of)
{
    const char *interned = sca_draft_intern(&draft, of);
    ck_assert_ptr_nonnull(interned);
    return interned;
}

static uint32_t function_at(uint32_t space, uint64_t key, bool expected_new)
{
    uint32_t found = SCA_NO_DRAFT;
    bool is_new = !expected_new;
    ck_assert_int_eq(sca_draft_function(&draft, space, key, &found, &is_new), SCA_OK);
    ck_assert_int_eq(is_new, expected_new);
    return found;
}

static void set_up(void)
{
    here = text("here.c");
    there = text("there.c");
    nothing = text("");
    function = function_at(0, 0x100, true);
}

static void tear_down(void)
{
    sca_draft_free(&draft);
}

static struct sca_draft_wish wish_of(uint8_t kind, uint32_t line)
{
    return (struct sca_draft_wish){
        .kind = kind, .file = here, .line = line, .called = SCA_NO_DRAFT, .callee = nothing};
}

static uint32_t put(uint32_t parent, struct sca_draft_wish wish, uint32_t after)
{
    uint32_t vertex = SCA_NO_DRAFT;
    ck_assert_int_eq(sca_draft_vertex(&draft, function, parent, &wish, after, &vertex), SCA_OK);
    return vertex;
}

/* A loop behind a sibling. */
static uint32_t loop(uint32_t parent, uint32_t line, uint32_t after)
{
    return put(parent, wish_of(SCA_LOOP, line), after);
}

static const struct sca_draft_vertex *vertex_at(uint32_t vertex)
{
    return &draft.functions[function].vertices[vertex];
}

START_TEST(a_text_is_kept_once)
{
    char own[] = "here.c";
    ck_assert_ptr_eq(text(own), here);
    ck_assert_ptr_ne(text(own), (const char *)own);
    own[0] = 'w';
    ck_assert_str_eq(here, "here.c");
    ck_assert_ptr_ne(text(own), here);
}
END_TEST

START_TEST(a_key_leads_to_one_function)
{
    ck_assert_uint_eq(function_at(0, 0x100, false), function);
    uint32_t other = function_at(1, 0x100, true); /* in another space */
    ck_assert_uint_ne(other, function);
    ck_assert_uint_ne(function_at(0, 0x101, true), function);
    ck_assert_uint_eq(function_at(1, 0x100, false), other);
}
END_TEST

START_TEST(a_new_function_has_a_root)
{
    ck_assert_uint_eq(draft.functions[function].count, 1);
    ck_assert_uint_eq(vertex_at(0)->kind, SCA_ROOT);
    ck_assert_uint_eq(vertex_at(0)->first_child, SCA_NO_DRAFT);
    ck_assert_str_eq(vertex_at(0)->file, "");
}
END_TEST

START_TEST(a_name_is_a_key_by_its_text)
{
    uint32_t first = SCA_NO_DRAFT, again = SCA_NO_DRAFT;
    bool is_new = false;
    char own[] = "solve_";
    ck_assert_int_eq(sca_draft_named_function(&draft, "solve_", &first, &is_new), SCA_OK);
    ck_assert(is_new);
    ck_assert_int_eq(sca_draft_named_function(&draft, own, &again, &is_new), SCA_OK);
    ck_assert(!is_new);
    ck_assert_uint_eq(first, again);
    ck_assert_uint_ne(first, function);
}
END_TEST

START_TEST(another_key_may_lead_to_a_function)
{
    uint32_t found = SCA_NO_DRAFT;
    ck_assert(!sca_draft_find_function(&draft, 0, 0x200, &found));
    ck_assert_uint_eq(found, SCA_NO_DRAFT);
    ck_assert_int_eq(sca_draft_add_key(&draft, 0, 0x200, function), SCA_OK);
    ck_assert(sca_draft_find_function(&draft, 0, 0x200, &found));
    ck_assert_uint_eq(found, function);
    uint32_t other = function_at(0, 0x300, true);
    ck_assert_int_eq(sca_draft_add_key(&draft, 0, 0x200, other), SCA_OK); /* anew */
    ck_assert_uint_eq(function_at(0, 0x200, false), other);
}
END_TEST

START_TEST(the_same_wish_is_the_same_vertex)
{
    uint32_t vertex = loop(0, 10, SCA_NO_DRAFT);
    ck_assert_uint_eq(loop(0, 10, SCA_NO_DRAFT), vertex);
    ck_assert_uint_eq(loop(0, 10, vertex), vertex); /* wherever it would stand */
    ck_assert_uint_eq(draft.functions[function].count, 2);
}
END_TEST

START_TEST(wishes_that_differ_are_others)
{
    uint32_t vertex = loop(0, 10, SCA_NO_DRAFT);
    struct sca_draft_wish others[] = {wish_of(SCA_CALL, 10), wish_of(SCA_LOOP, 11),
                                      wish_of(SCA_LOOP, 10), wish_of(SCA_LOOP, 10),
                                      wish_of(SCA_LOOP, 10), wish_of(SCA_LOOP, 10)};
    others[2].file = there;
    others[3].called = 0;
    others[4].callee = text("f");
    others[5].tag = 1;
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(put(0, others[i], vertex), vertex + 1 + i);
    ck_assert_uint_eq(loop(vertex, 10, SCA_NO_DRAFT), vertex + 7); /* below another parent */
}
END_TEST

START_TEST(vertices_of_functions_are_apart)
{
    uint32_t vertex = loop(0, 10, SCA_NO_DRAFT), first = function;
    function = function_at(0, 0x200, true);
    ck_assert_uint_eq(loop(0, 10, SCA_NO_DRAFT), vertex); /* the same number elsewhere */
    ck_assert_uint_eq(draft.functions[function].count, 2);
    ck_assert_uint_eq(draft.functions[first].count, 2);
}
END_TEST

/* Computation has the line where it is seen first: it is told by what it stands behind. */
START_TEST(computation_is_told_by_what_is_before_it)
{
    struct sca_draft_wish first = wish_of(SCA_COMP, 10), second = wish_of(SCA_COMP, 20);
    uint32_t around = loop(0, 1, SCA_NO_DRAFT);
    first.tag = second.tag = SCA_NO_DRAFT;
    second.file = there;
    uint32_t comp = put(around, first, SCA_NO_DRAFT);
    ck_assert_uint_eq(put(around, second, SCA_NO_DRAFT), comp);
    second.tag = around;
    ck_assert_uint_ne(put(around, second, comp), comp);
}
END_TEST

static void check_children(uint32_t parent, const uint32_t *children, uint32_t count)
{
    uint32_t at = vertex_at(parent)->first_child;
    for (uint32_t i = 0; i < count; i++, at = vertex_at(at)->next) {
        ck_assert_uint_eq(at, children[i]);
        ck_assert_uint_eq(vertex_at(at)->parent, parent);
    }
    ck_assert_uint_eq(at, SCA_NO_DRAFT);
}

START_TEST(siblings_stand_behind_what_was_named)
{
    uint32_t a = loop(0, 1, SCA_NO_DRAFT), b = loop(0, 2, a), c = loop(0, 3, a);
    uint32_t first = loop(0, 4, SCA_NO_DRAFT), below = loop(c, 5, SCA_NO_DRAFT);
    check_children(0, (const uint32_t[]){first, a, c, b}, 4);
    check_children(c, &below, 1);
    loop(0, 3, b); /* known: it stays where it is */
    check_children(0, (const uint32_t[]){first, a, c, b}, 4);
}
END_TEST

START_TEST(a_vertex_covers_lines_of_its_file)
{
    uint32_t vertex = loop(0, 10, SCA_NO_DRAFT);
    sca_draft_cover(&draft, function, vertex, here, 14);
    sca_draft_cover(&draft, function, vertex, here, 12);
    sca_draft_cover(&draft, function, vertex, here, 4); /* a loop begins where it was said to */
    sca_draft_cover(&draft, function, vertex, there, 99);
    sca_draft_cover(&draft, function, vertex, here, 0);
    sca_draft_cover(&draft, function, vertex, NULL, 98);
    ck_assert_uint_eq(vertex_at(vertex)->line, 10);
    ck_assert_uint_eq(vertex_at(vertex)->end_line, 14);
}
END_TEST

START_TEST(computation_begins_at_its_first_line)
{
    struct sca_draft_wish wish = {
        .kind = SCA_COMP, .file = nothing, .called = SCA_NO_DRAFT, .callee = nothing};
    uint32_t comp = put(0, wish, SCA_NO_DRAFT);
    sca_draft_cover(&draft, function, comp, here, 12);
    sca_draft_cover(&draft, function, comp, here, 7);
    sca_draft_cover(&draft, function, comp, there, 3);
    ck_assert_ptr_eq(vertex_at(comp)->file, here);
    ck_assert_uint_eq(vertex_at(comp)->line, 7);
    ck_assert_uint_eq(vertex_at(comp)->end_line, 12);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("draft");
    TCase *tcase = tcase_create("draft");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_text_is_kept_once);
    tcase_add_test(tcase, a_key_leads_to_one_function);
    tcase_add_test(tcase, a_new_function_has_a_root);
    tcase_add_test(tcase, a_name_is_a_key_by_its_text);
    tcase_add_test(tcase, another_key_may_lead_to_a_function);
    tcase_add_test(tcase, the_same_wish_is_the_same_vertex);
    tcase_add_test(tcase, wishes_that_differ_are_others);
    tcase_add_test(tcase, vertices_of_functions_are_apart);
    tcase_add_test(tcase, computation_is_told_by_what_is_before_it);
    tcase_add_test(tcase, siblings_stand_behind_what_was_named);
    tcase_add_test(tcase, a_vertex_covers_lines_of_its_file);
    tcase_add_test(tcase, computation_begins_at_its_first_line);
    suite_add_tcase(suite, tcase);
    return suite;
}
