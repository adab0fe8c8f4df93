/* A draft of two functions becomes records of one unit, and stacks become ids of their vertices. */
#include "graph/emit.h"
#include "check_main.h"
#include "sca_error.h"
#include "sca_psg.h"

#include <string.h>

static struct sca_draft draft;
static struct sca_stack_table stacks;
static struct sca_structure structure;
static struct sca_psg psg;

static void tear_down(void)
{
    sca_psg_free(&psg);
    sca_structure_free(&structure);
    sca_stack_table_free(&stacks);
    sca_draft_free(&draft);
}

static uint32_t function(uint64_t key, const char *linkage, bool local)
{
    uint32_t made;
    bool is_new;
    ck_assert_int_eq(sca_draft_function(&draft, 0, key, &made, &is_new), SCA_OK);
    struct sca_draft_function *f = &draft.functions[made];
    f->linkage = f->name = linkage;
    f->local = local;
    return made;
}

static uint32_t vertex(uint32_t of, uint32_t parent, uint32_t after, struct sca_draft_wish wish)
{
    uint32_t made;
    wish.file = sca_draft_intern(&draft, wish.line ? "a.c" : "");
    wish.callee = sca_draft_intern(&draft, wish.callee ? wish.callee : "");
    ck_assert_int_eq(sca_draft_vertex(&draft, of, parent, &wish, after, &made), SCA_OK);
    return made;
}

static uint32_t push(uint32_t outer, uint32_t of, uint32_t v)
{
    uint32_t stack;
    ck_assert_int_eq(sca_stack_table_push(&stacks, outer, of, v, &stack), SCA_OK);
    return stack;
}

static void emit(void)
{
    ck_assert_int_eq(sca_emit(&draft, &stacks, "it", &structure), SCA_OK);
    ck_assert_int_eq(sca_psg_add(&psg, structure.psg, structure.psg_size, "it"), SCA_OK);
    ck_assert_uint_eq(psg.nunits, 1);
    ck_assert_uint_eq(psg.units[0].hash, structure.unit);
}

/* The vertex that a stack ends in. */
static const struct sca_vertex *last_of(uint32_t stack, uint32_t *number)
{
    uint32_t f;
    ck_assert_int_eq(sca_psg_find(&psg, psg.units, structure.stacks[stack].id, &f, number), SCA_OK);
    return &psg.functions[f].vertices[*number];
}

static const struct sca_function *written_as(const char *linkage)
{
    uint32_t f = 0;
    while (f < psg.nfunctions && strcmp(psg.functions[f].linkage, linkage))
        f++;
    ck_assert_uint_lt(f, psg.nfunctions);
    return &psg.functions[f];
}

/* The loop is found first, but what stands before it is found later. */
START_TEST(vertices_come_in_the_order_of_the_source)
{
    uint32_t f = function(1, "f", false), number;
    uint32_t loop =
        vertex(f, 0, SCA_NO_DRAFT,
               (struct sca_draft_wish){
                   .kind = SCA_LOOP, .line = 5, .flags = SCA_VF_NEAR, .called = SCA_NO_DRAFT});
    uint32_t inside =
        vertex(f, loop, SCA_NO_DRAFT,
               (struct sca_draft_wish){
                   .kind = SCA_MPI, .line = 6, .callee = "MPI_Send", .called = SCA_NO_DRAFT});
    uint32_t before =
        vertex(f, 0, SCA_NO_DRAFT,
               (struct sca_draft_wish){
                   .kind = SCA_CALL, .line = 3, .callee = "other", .called = SCA_NO_DRAFT});
    uint32_t in_loop = push(SCA_NO_STACK, f, inside), in_call = push(SCA_NO_STACK, f, before);
    emit();
    const struct sca_function *written = &psg.functions[0];
    static const uint8_t kinds[] = {SCA_ROOT, SCA_CALL, SCA_LOOP, SCA_MPI};
    static const uint32_t parents[] = {0, 0, 0, 2}, lines[] = {0, 3, 5, 6};
    ck_assert_uint_eq(written->nvertices, 4);
    for (uint32_t v = 0; v < 4; v++) {
        ck_assert_uint_eq(written->vertices[v].kind, kinds[v]);
        ck_assert_uint_eq(written->vertices[v].parent, parents[v]);
        ck_assert_uint_eq(written->vertices[v].line, lines[v]);
    }
    ck_assert_str_eq(last_of(in_loop, &number)->callee, "MPI_Send");
    ck_assert_uint_eq(number, 3);
    ck_assert_str_eq(last_of(in_call, &number)->callee, "other");
    ck_assert_uint_eq(number, 1);
    ck_assert_uint_eq(structure.loops, 1);
    ck_assert_uint_eq(structure.near, 1);
}
END_TEST

/* Two functions called f that only their files see, one that all see: calls say which is meant. */
START_TEST(calls_find_their_functions_by_names_of_their_own)
{
    uint32_t first = function(1, "f", true), second = function(2, "f", true),
             shared = function(3, "f", false), main = function(4, "main", false), number;
    uint32_t called[] = {first, second, shared}, calls[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t v =
            vertex(main, 0, SCA_NO_DRAFT,
                   (struct sca_draft_wish){.kind = SCA_CALL, .line = 10 + i, .called = called[i]});
        calls[i] = push(SCA_NO_STACK, main, v);
    }
    emit();
    const char *meant[3];
    for (uint32_t i = 0; i < 3; i++) {
        meant[i] = last_of(calls[i], &number)->callee;
        ck_assert_str_eq(written_as(meant[i])->name, "f");
    }
    ck_assert_str_eq(meant[2], "f");
    ck_assert_str_ne(meant[0], "f");
    ck_assert_str_ne(meant[1], "f");
    ck_assert_str_ne(meant[0], meant[1]);
}
END_TEST

START_TEST(stacks_keep_what_is_around_them)
{
    uint32_t outer = function(1, "outer", false), inner = function(2, "inner", false), number;
    uint32_t call = vertex(outer, 0, SCA_NO_DRAFT,
                           (struct sca_draft_wish){.kind = SCA_CALL, .line = 7, .called = inner});
    uint32_t loop =
        vertex(inner, 0, SCA_NO_DRAFT,
               (struct sca_draft_wish){.kind = SCA_LOOP, .line = 2, .called = SCA_NO_DRAFT});
    uint32_t around = push(SCA_NO_STACK, outer, call), in = push(around, inner, loop);
    ck_assert_int_eq(sca_stack_table_row(&stacks, 0x1000, in), SCA_OK);
    ck_assert_int_eq(sca_stack_table_row(&stacks, 0x1010, SCA_NO_STACK), SCA_OK);
    emit();
    ck_assert_uint_eq(structure.stacks[in].outer, around);
    ck_assert_uint_eq(structure.stacks[around].outer, SCA_NO_STACK);
    ck_assert_uint_eq(last_of(in, &number)->kind, SCA_LOOP);
    ck_assert_uint_eq(last_of(around, &number)->line, 7);
    ck_assert_uint_eq(structure.nrows, 2);
    ck_assert_uint_eq(sca_structure_find(&structure, 0x100f), in);
}
END_TEST

/* The function ends where the last of its own file's lines does. */
START_TEST(a_function_covers_what_is_in_it)
{
    uint32_t f = function(1, "f", false);
    draft.functions[f].vertices[0].file = sca_draft_intern(&draft, "a.c");
    draft.functions[f].vertices[0].line = 4;
    vertex(f, 0, SCA_NO_DRAFT,
           (struct sca_draft_wish){.kind = SCA_LOOP, .line = 9, .called = SCA_NO_DRAFT});
    emit();
    ck_assert_uint_eq(psg.functions[0].vertices[0].line, 4);
    ck_assert_uint_eq(psg.functions[0].vertices[0].end_line, 9);
    ck_assert_uint_eq(psg.functions[0].nfiles, 1);
}
END_TEST

START_TEST(an_empty_draft_is_a_unit_without_functions)
{
    emit();
    ck_assert_uint_eq(psg.nfunctions, 0);
    ck_assert_uint_eq(structure.nrows, 0);
    ck_assert_uint_eq(sca_structure_find(&structure, 0x1000), SCA_NO_STACK);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("emit");
    TCase *tcase = tcase_create("emit");
    tcase_add_checked_fixture(tcase, NULL, tear_down);
    tcase_add_test(tcase, vertices_come_in_the_order_of_the_source);
    tcase_add_test(tcase, calls_find_their_functions_by_names_of_their_own);
    tcase_add_test(tcase, stacks_keep_what_is_around_them);
    tcase_add_test(tcase, a_function_covers_what_is_in_it);
    tcase_add_test(tcase, an_empty_draft_is_a_unit_without_functions);
    suite_add_tcase(suite, tcase);
    return suite;
}
