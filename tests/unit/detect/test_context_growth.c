/* Where call paths and samples lead in the tree of contexts. */
#include "graph/context_growth.h"
#include "check_main.h"
#include "psg_fixture.h"
#include "sca_error.h"

#include <stdlib.h>

enum { MAIN, SOLVE, FACT, SYNC, FUNCTIONS };
enum { LOOP = 1, TO_SOLVE, BRANCH, SEND, RECV, TO_FACT, TO_SYNC, TO_POINTER, TO_SORT };

static struct psg_text text[FUNCTIONS] = {
    [MAIN] = {"main", .nvertices = 10,
              .vertices = {PSG_ROOT_AT(1, 50),
                           PSG_LOOP_AT(0, 10, 30),
                           PSG_CALL(1, "solve"),
                           PSG_BRANCH(1),
                           PSG_MPI(3, "MPI_Send"),
                           {.kind = SCA_MPI, .parent = 3, .arm = 1, .callee = "MPI_Recv"},
                           PSG_CALL(0, "fact"),
                           PSG_CALL(0, "sync"),
                           PSG_POINTER(0),
                           PSG_CALL(0, "qsort")}},
    [SOLVE] = {"solve", .nvertices = 4,
               .vertices = {PSG_ROOT, PSG_LOOP_AT(0, 112, 115), PSG_COMP(1), PSG_COMP(0)}},
    [FACT] = {"fact", .nvertices = 3,
              .vertices = {PSG_ROOT, PSG_CALL(0, "fact"), PSG_MPI(0, "MPI_Allreduce")}},
    [SYNC] = {"sync", .nvertices = 3,
              .vertices = {PSG_ROOT, PSG_COMP(0), PSG_MPI(0, "MPI_Barrier")}},
};

static struct psg_fixture fixture;
static struct sca_contraction contraction;
static struct sca_arena arena;
static struct sca_inners inners;
static struct sca_contexts contexts;

static void set_up(void)
{
    psg_fixture_open(&fixture, text, FUNCTIONS);
    ck_assert_int_eq(sca_contraction_open(&fixture.program, &contraction), SCA_OK);
    arena = (struct sca_arena){0};
    inners = (struct sca_inners){.arena = &arena};
    sca_context_growth_init(&contexts, &arena, &fixture.program, &contraction, &inners, "program");
    sca_context_growth_main(
        &contexts, &(struct sca_frame){.function = MAIN, .name = "main", .file = "user.c"});
}

static void tear_down(void)
{
    free(contexts.nodes);
    sca_inner_function_free(&inners);
    sca_arena_free(&arena);
    sca_contraction_free(&contraction);
    psg_fixture_close(&fixture);
}

static struct sca_frame in(uint32_t function, uint32_t vertex)
{
    return (struct sca_frame){.function = function,
                              .vertex = vertex,
                              .name = fixture.functions[function].name,
                              .file = "user.c"};
}

static struct sca_frame plain(const char *name, uint32_t line)
{
    return (struct sca_frame){
        .function = SCA_NO_FUNCTION, .name = name, .file = "other.c", .line = line};
}

static uint32_t call(uint32_t base, struct sca_frame at, struct sca_frame callee)
{
    return sca_context_growth_call(&contexts, &(struct sca_spot){.base = base, .frame = &at},
                                   &callee);
}

static uint32_t sample(uint32_t base, struct sca_frame at)
{
    return sca_context_growth_sample(&contexts, &(struct sca_spot){.base = base, .frame = &at});
}

static uint32_t mpi(uint32_t base, struct sca_frame at, const char *name)
{
    return sca_context_growth_mpi(&contexts, &(struct sca_spot){.base = base, .frame = &at}, name);
}

static const struct sca_ppg_vertex *vertex(uint32_t index)
{
    ck_assert_uint_lt(index, contexts.count);
    return &contexts.nodes[index].shown;
}

static void check(uint32_t index, uint32_t kind, const char *name)
{
    ck_assert_uint_eq(vertex(index)->kind, kind);
    ck_assert_str_eq(vertex(index)->name, name);
}

START_TEST(the_root_is_main)
{
    ck_assert_uint_eq(contexts.count, 1);
    check(0, SCA_ROOT, "program");
    ck_assert_str_eq(vertex(0)->function, "main");
    ck_assert_uint_eq(vertex(0)->end_line, 50);
    ck_assert(vertex(0)->has_psg);
}
END_TEST

START_TEST(a_path_that_comes_by_again_finds_its_vertex)
{
    uint32_t solve = call(0, in(MAIN, TO_SOLVE), in(SOLVE, 0)), count = contexts.count;
    check(solve, SCA_CALL, "solve");
    check(vertex(solve)->parent, SCA_LOOP, "");
    ck_assert_uint_eq(vertex(vertex(solve)->parent)->parent, 0);
    ck_assert_uint_eq(call(0, in(MAIN, TO_SOLVE), in(SOLVE, 1)), solve);
    ck_assert_uint_eq(contexts.count, count);
    ck_assert_uint_ne(call(0, in(MAIN, TO_POINTER), in(SOLVE, 0)), solve);
}
END_TEST

START_TEST(recursion_goes_back_to_the_outermost_activation)
{
    uint32_t fact = call(0, in(MAIN, TO_FACT), in(FACT, 1)), count = contexts.count;
    ck_assert_uint_eq(call(fact, in(FACT, 1), in(FACT, 2)), fact);
    ck_assert_uint_eq(call(fact, in(FACT, 1), in(MAIN, 0)), 0);
    ck_assert_uint_eq(contexts.count, count);
}
END_TEST

START_TEST(sides_of_a_branch_stay_apart)
{
    uint32_t send = mpi(0, in(MAIN, SEND), "MPI_Send"), recv = mpi(0, in(MAIN, RECV), "MPI_Recv");
    check(send, SCA_MPI, "MPI_Send");
    check(recv, SCA_MPI, "MPI_Recv");
    ck_assert_uint_eq(vertex(send)->arm, 0);
    ck_assert_uint_eq(vertex(recv)->arm, 1);
    check(vertex(send)->parent, SCA_BRANCH, "");
    ck_assert_uint_eq(vertex(recv)->parent, vertex(send)->parent);
    ck_assert_uint_eq(mpi(0, in(MAIN, SEND), "MPI_Send"), send);
    /* Setting the call up is computation of what it stands in. */
    ck_assert_uint_eq(sample(0, in(MAIN, SEND)), vertex(send)->parent);
}
END_TEST

START_TEST(a_loop_of_computation_is_one_vertex)
{
    uint32_t solve = call(0, in(MAIN, TO_SOLVE), in(SOLVE, 0));
    uint32_t loop = sample(solve, in(SOLVE, 2));
    check(loop, SCA_LOOP, "");
    ck_assert_uint_eq(vertex(loop)->parent, solve);
    ck_assert_uint_eq(vertex(loop)->line, 112);
    ck_assert_uint_eq(sample(solve, in(SOLVE, 1)), loop);
    check(sample(solve, in(SOLVE, 3)), SCA_COMP, "");
    ck_assert_uint_eq(sample(solve, in(SOLVE, 0)), solve);
}
END_TEST

START_TEST(a_call_that_was_only_sampled_is_known_again_when_entered)
{
    uint32_t seen = sample(0, in(MAIN, TO_SOLVE)), pointer = sample(0, in(MAIN, TO_POINTER));
    check(seen, SCA_CALL, "solve");
    check(pointer, SCA_CALL, "(indirect call)");
    ck_assert_uint_eq(contexts.nodes[seen].active, SCA_NO_FUNCTION);
    ck_assert_uint_eq(call(0, in(MAIN, TO_SOLVE), in(SOLVE, 0)), seen);
    ck_assert_uint_eq(contexts.nodes[seen].active, SOLVE);
}
END_TEST

static uint32_t sample_inside(struct sca_frame at, uint32_t inner)
{
    return sca_context_growth_sample(&contexts, &(struct sca_spot){.frame = &at, .inner = inner});
}

START_TEST(what_a_library_calls_back_is_part_of_the_call_that_led_there)
{
    uint32_t sort = sca_inner_function_at(
        &inners, &(struct sca_inner){.function = "qsort", .file = "", .foreign = true});
    uint32_t compare = sca_inner_function_at(
        &inners, &(struct sca_inner){.parent = sort, .function = "by_key", .file = "user.c"});
    uint32_t there = sample_inside(in(MAIN, TO_SORT), sort);
    check(there, SCA_CALL, "qsort");
    ck_assert_uint_eq(sample_inside(in(MAIN, TO_SORT), compare), there);
}
END_TEST

START_TEST(a_function_that_jumped_to_mpi_is_put_back)
{
    uint32_t barrier = mpi(0, in(MAIN, TO_SYNC), "MPI_Barrier");
    check(barrier, SCA_MPI, "MPI_Barrier");
    check(vertex(barrier)->parent, SCA_CALL, "sync");
    ck_assert_uint_eq(vertex(vertex(barrier)->parent)->parent, 0);
    ck_assert_uint_eq(vertex(barrier)->parent, call(0, in(MAIN, TO_SYNC), in(SYNC, 2)));
}
END_TEST

START_TEST(code_without_graph_has_functions_and_lines)
{
    uint32_t qsort_ = call(0, in(MAIN, TO_POINTER), plain("qsort", 0));
    uint32_t line = sample(qsort_, plain("qsort", 12));
    check(qsort_, SCA_CALL, "qsort");
    check(line, SCA_COMP, "");
    ck_assert(!vertex(line)->has_psg);
    ck_assert_uint_eq(vertex(line)->line, 12);
    ck_assert_uint_eq(vertex(line)->order, 12);
    ck_assert_str_eq(vertex(line)->file, "other.c");
    ck_assert_uint_eq(sample(qsort_, plain("qsort", 12)), line);
    ck_assert_uint_ne(sample(qsort_, plain("qsort", 13)), line);
    ck_assert_uint_eq(sample(qsort_, plain("qsort", 0)), qsort_); /* no line: of the function */
}
END_TEST

START_TEST(a_thread_starts_below_what_it_was_outlined_from)
{
    uint32_t solve = call(0, in(MAIN, TO_SOLVE), in(SOLVE, 0));
    struct sca_frame own = plain("solve.omp_outlined.3", 7),
                     other = plain("solver.omp_outlined", 8);
    struct sca_frame worker = plain("worker", 9), master = in(SOLVE, 0);
    uint32_t thread = sca_context_growth_thread(&contexts, &own);
    check(thread, SCA_CALL, "solve.omp_outlined.3");
    ck_assert_uint_eq(vertex(thread)->parent, solve);
    ck_assert_uint_eq(sca_context_growth_thread(&contexts, &own), thread);
    ck_assert_uint_eq(vertex(sca_context_growth_thread(&contexts, &other))->parent, 0);
    ck_assert_uint_eq(vertex(sca_context_growth_thread(&contexts, &worker))->parent, 0);
    ck_assert_uint_eq(sca_context_growth_thread(&contexts, &master), solve);
}
END_TEST

START_TEST(a_fortran_main_has_the_users_name)
{
    struct sca_frame frame = plain("_QQmain", 3);
    free(contexts.nodes);
    sca_context_growth_init(&contexts, &arena, &fixture.program, &contraction, &inners, "program");
    sca_context_growth_main(&contexts, &frame);
    ck_assert_str_eq(vertex(0)->function, "main");
    ck_assert_str_eq(vertex(0)->file, "other.c");
    ck_assert(!vertex(0)->has_psg);
}
END_TEST

START_TEST(after_a_failure_nothing_grows)
{
    struct sca_frame worker = plain("worker", 9);
    contexts.status = SCA_ENOMEM;
    ck_assert_uint_eq(call(0, in(MAIN, TO_SOLVE), in(SOLVE, 0)), 0);
    ck_assert_uint_eq(mpi(0, in(MAIN, SEND), "MPI_Send"), 0);
    ck_assert_uint_eq(sample(0, in(MAIN, LOOP)), 0);
    ck_assert_uint_eq(sca_context_growth_thread(&contexts, &worker), 0);
    ck_assert_uint_eq(contexts.count, 1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("context_growth");
    TCase *tcase = tcase_create("context_growth");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, the_root_is_main);
    tcase_add_test(tcase, a_path_that_comes_by_again_finds_its_vertex);
    tcase_add_test(tcase, recursion_goes_back_to_the_outermost_activation);
    tcase_add_test(tcase, sides_of_a_branch_stay_apart);
    tcase_add_test(tcase, a_loop_of_computation_is_one_vertex);
    tcase_add_test(tcase, a_call_that_was_only_sampled_is_known_again_when_entered);
    tcase_add_test(tcase, what_a_library_calls_back_is_part_of_the_call_that_led_there);
    tcase_add_test(tcase, a_function_that_jumped_to_mpi_is_put_back);
    tcase_add_test(tcase, code_without_graph_has_functions_and_lines);
    tcase_add_test(tcase, a_thread_starts_below_what_it_was_outlined_from);
    tcase_add_test(tcase, a_fortran_main_has_the_users_name);
    tcase_add_test(tcase, after_a_failure_nothing_grows);
    suite_add_tcase(suite, tcase);
    return suite;
}
