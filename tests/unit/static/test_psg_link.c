#include "psg_fixture.h"
#include "check_main.h"
#include "sca_error.h"

#include <stdio.h>

static struct section s;
static struct sca_psg psg;
static struct sca_program program;
static struct sca_psg_stats stats;

static void link_section(uint32_t depth)
{
    ck_assert_int_eq(sca_psg_add(&psg, s.bytes, s.w.length, "a.o"), SCA_OK);
    ck_assert_int_eq(sca_psg_link(&psg, depth, &program), SCA_OK);
    sca_psg_stats(&program, &stats);
}

static struct sca_program_function *linked(const char *name)
{
    return &program.functions[function_named(&psg, name)];
}

static void unlink_section(void)
{
    sca_psg_program_free(&program);
    sca_psg_free(&psg);
}

static void start(void)
{
    section_init(&s);
}

/* Figure 4(c): Loop 1.1 and Loop 1.2 go into one Comp when MaxLoopDepth is 1. */
START_TEST(figure4_contracted)
{
    start();
    section_figure3(&s);
    section_unit(&s, 10);
    link_section(1);
    const uint32_t main_kept[] = {0, 1, 2, 2, 2, 2, 2, 7, 8}, foo_kept[] = {0, 1, 2, 3};
    const uint8_t kinds[] = {SCA_ROOT, SCA_LOOP, SCA_COMP, SCA_COMP, SCA_COMP,
                             SCA_COMP, SCA_COMP, SCA_CALL, SCA_MPI};
    ck_assert_mem_eq(linked("main")->kept, main_kept, sizeof main_kept);
    ck_assert_mem_eq(linked("main")->kind, kinds, sizeof kinds);
    ck_assert_mem_eq(linked("foo")->kept, foo_kept, sizeof foo_kept);
    ck_assert_uint_eq(linked("main")->callee[7], function_named(&psg, "foo"));
    ck_assert_uint_eq(program.main, function_named(&psg, "main"));
    ck_assert_uint_eq(stats.before, 11); /* root, 3 loops, 3 comps, branch, 3 mpi */
    ck_assert_uint_eq(stats.after, 7);
    ck_assert_uint_eq(stats.loops, 1);
    ck_assert_uint_eq(stats.branches, 1);
    ck_assert_uint_eq(stats.comps, 1);
    ck_assert_uint_eq(stats.mpis, 3);
    ck_assert_uint_eq(stats.calls, 0);
    unlink_section();
}
END_TEST

static void add_runtime(struct sca_vertex last)
{
    struct sca_vertex main_[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 4, ""},
                                 {SCA_CALL, 0, 0, 0, 0, 2, 2, "print"},
                                 {SCA_MPI, 0, 0, 0, 0, 3, 3, "MPI_Bcast"}};
    struct sca_vertex print[] = {{SCA_ROOT, 0, 0, 0, 0, 0, 0, ""},
                                 {SCA_LOOP, 0, 0, 0, 0, 0, 0, ""},
                                 {SCA_LOOP, 0, 0, 1, 0, 0, 0, ""},
                                 last};
    start();
    section_function(&s, "main", false, main_, 3);
    section_function(&s, "print", false, print, 4);
    section_unit(&s, 10);
    link_section(10);
}

/* A runtime that is linked in has no source: a call to it is computation, unless it leads to MPI.
 */
START_TEST(a_library_without_source_is_no_part_of_the_graph)
{
    add_runtime((struct sca_vertex){SCA_COMP, 0, 0, 2, 0, 0, 0, ""});
    ck_assert_uint_eq(stats.before, 3); /* root, the call, MPI_Bcast */
    ck_assert_uint_eq(stats.after, 3);
    ck_assert_uint_eq(stats.comps, 1);
    ck_assert_uint_eq(stats.loops, 0);
    unlink_section();
    add_runtime((struct sca_vertex){SCA_MPI, 0, 0, 2, 0, 0, 0, "MPI_Send"});
    ck_assert_uint_eq(stats.before, 5);
    ck_assert_uint_eq(stats.loops, 2);
    ck_assert_uint_eq(stats.mpis, 2);
    unlink_section();
}
END_TEST

START_TEST(deep_enough_loops_are_all_kept)
{
    start();
    section_figure3(&s);
    section_unit(&s, 10);
    link_section(2);
    const uint32_t kept[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    ck_assert_mem_eq(linked("main")->kept, kept, sizeof kept);
    ck_assert_uint_eq(stats.after, stats.before);
    unlink_section();
}
END_TEST

/* A branch without MPI dissolves; the loop inside stays; neighbours become one Comp. */
START_TEST(a_branch_without_mpi_keeps_only_its_loops)
{
    struct sca_vertex f[] = {
        {SCA_ROOT, 0, 0, 0, 0, 1, 9, ""},   {SCA_COMP, 0, 0, 0, 0, 2, 2, ""},
        {SCA_BRANCH, 0, 0, 0, 0, 3, 7, ""}, {SCA_COMP, 0, 0, 2, 0, 4, 4, ""},
        {SCA_LOOP, 0, 0, 2, 0, 5, 5, ""},   {SCA_COMP, 0, 1, 2, 0, 7, 7, ""},
        {SCA_COMP, 0, 0, 0, 0, 8, 8, ""},
    };
    start();
    section_function(&s, "main", false, f, 7);
    section_unit(&s, 10);
    link_section(10);
    const uint32_t kept[] = {0, 1, 1, 1, 4, 5, 5};
    ck_assert_mem_eq(linked("main")->kept, kept, sizeof kept);
    ck_assert_uint_eq(stats.after, 4);
    unlink_section();
}
END_TEST

/* Loops around MPI stay whatever their depth, and so do the arms of a branch. */
START_TEST(what_surrounds_mpi_is_kept)
{
    struct sca_vertex f[] = {
        {SCA_ROOT, 0, 0, 0, 0, 1, 9, ""},         {SCA_LOOP, 0, 0, 0, 0, 2, 8, ""},
        {SCA_LOOP, 0, 0, 1, 0, 3, 8, ""},         {SCA_BRANCH, 0, 0, 2, 0, 4, 8, ""},
        {SCA_COMP, 0, 0, 3, 0, 5, 5, ""},         {SCA_COMP, 0, 1, 3, 0, 6, 6, ""},
        {SCA_MPI, 0, 1, 3, 0, 7, 7, "mpi_send_"}, {SCA_LOOP, 0, 1, 3, 0, 8, 8, ""},
    };
    start();
    section_function(&s, "_QQmain", false, f, 8);
    section_unit(&s, 10);
    link_section(0);
    const uint32_t kept[] = {0, 1, 2, 3, 4, 5, 6, 7};
    ck_assert_mem_eq(linked("_QQmain")->kept, kept, sizeof kept);
    ck_assert_uint_eq(linked("_QQmain")->kind[7], SCA_COMP);
    ck_assert_uint_eq(program.main, function_named(&psg, "_QQmain"));
    unlink_section();
}
END_TEST

/* rand() has no graph: with the Comp before it, it is one Comp, before and after. */
START_TEST(a_call_without_graph_is_computation)
{
    struct sca_vertex f[] = {
        {SCA_ROOT, 0, 0, 0, 0, 1, 9, ""},
        {SCA_COMP, 0, 0, 0, 0, 2, 2, ""},
        {SCA_CALL, 0, 0, 0, 0, 3, 3, "rand"},
        {SCA_CALL, SCA_VF_INDIRECT, 0, 0, 0, 4, 4, ""},
    };
    start();
    section_function(&s, "main", false, f, 4);
    section_unit(&s, 10);
    link_section(10);
    ck_assert_uint_eq(linked("main")->whole[2], 1);
    ck_assert_uint_eq(linked("main")->kept[2], 1);
    ck_assert_uint_eq(linked("main")->kept[3], 3);
    ck_assert(linked("main")->reaches_mpi); /* who knows what the pointer calls */
    ck_assert_uint_eq(stats.before, 3);
    ck_assert_uint_eq(stats.calls, 1);
    unlink_section();
}
END_TEST

START_TEST(recursion_is_a_cycle_counted_once)
{
    struct sca_vertex main_[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 2, ""},
                                 {SCA_CALL, 0, 0, 0, 0, 2, 2, "even"}};
    struct sca_vertex even[] = {{SCA_ROOT, 0, 0, 0, 0, 3, 6, ""},
                                {SCA_MPI, 0, 0, 0, 0, 4, 4, "MPI_Barrier"},
                                {SCA_CALL, 0, 0, 0, 0, 5, 5, "odd"}};
    struct sca_vertex odd[] = {{SCA_ROOT, 0, 0, 0, 0, 7, 9, ""},
                               {SCA_CALL, 0, 0, 0, 0, 8, 8, "even"}};
    start();
    section_function(&s, "main", false, main_, 2);
    section_function(&s, "even", false, even, 3);
    section_function(&s, "odd", false, odd, 2);
    section_unit(&s, 10);
    link_section(10);
    ck_assert_uint_eq(linked("even")->component, linked("odd")->component);
    ck_assert_uint_ne(linked("even")->component, linked("main")->component);
    ck_assert(linked("odd")->flags[1] & SCA_VF_RECURSIVE);
    ck_assert(!(linked("main")->flags[1] & SCA_VF_RECURSIVE));
    ck_assert(linked("odd")->reaches_mpi && linked("odd")->recursive);
    ck_assert_uint_eq(stats.before, 4); /* root, barrier, two closing calls */
    ck_assert_uint_eq(stats.calls, 2);
    unlink_section();
}
END_TEST

START_TEST(static_functions_resolve_in_their_own_unit)
{
    struct sca_vertex caller_a[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 2, ""},
                                    {SCA_CALL, 0, 0, 0, 0, 2, 2, "helper"}};
    struct sca_vertex caller_b[] = {{SCA_ROOT, 0, 0, 0, 0, 11, 12, ""},
                                    {SCA_CALL, 0, 0, 0, 0, 12, 12, "helper"}};
    struct sca_vertex quiet[] = {{SCA_ROOT, 0, 0, 0, 0, 5, 5, ""}};
    struct sca_vertex loud[] = {{SCA_ROOT, 0, 0, 0, 0, 6, 7, ""},
                                {SCA_MPI, 0, 0, 0, 0, 7, 7, "MPI_Barrier"}};
    start();
    section_function(&s, "a", false, caller_a, 2);
    section_function(&s, "helper", true, quiet, 1);
    section_unit(&s, 10);
    section_function(&s, "b", false, caller_b, 2);
    section_function(&s, "helper", true, loud, 2);
    section_unit(&s, 10);
    link_section(10);
    ck_assert(!linked("a")->reaches_mpi);
    ck_assert(linked("b")->reaches_mpi);
    unlink_section();
}
END_TEST

START_TEST(an_alias_resolves_to_its_target)
{
    struct sca_alias alias = {"_ZN1AC1Ev", "_ZN1AC2Ev"};
    struct sca_vertex f[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 2, ""},
                             {SCA_CALL, 0, 0, 0, 0, 2, 2, "_ZN1AC1Ev"}};
    struct sca_vertex g[] = {{SCA_ROOT, 0, 0, 0, 0, 5, 5, ""}};
    start();
    section_function(&s, "main", false, f, 2);
    section_function(&s, "_ZN1AC2Ev", false, g, 1);
    sca_psg_put_alias(&s.out, &alias);
    section_unit(&s, 10);
    link_section(10);
    ck_assert_uint_eq(linked("main")->callee[1], function_named(&psg, "_ZN1AC2Ev"));
    unlink_section();
}
END_TEST

/* 64 levels, each calling the next twice: 2^64 vertices are counted, not built. */
START_TEST(an_expansion_too_large_to_build_is_counted)
{
    char name[8], next[8];
    static struct section big;
    section_init(&s);
    for (int i = 0; i < 64; i++) {
        snprintf(name, sizeof name, i ? "f%d" : "main", i);
        snprintf(next, sizeof next, "f%d", i + 1);
        struct sca_vertex f[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 2, ""},
                                 {SCA_CALL, 0, 0, 0, 0, 2, 2, next},
                                 {SCA_CALL, 0, 0, 0, 0, 3, 3, next}};
        section_init(&big);
        section_function(&big, name, false, f, 3);
        section_unit(&big, 10);
        ck_assert_int_eq(sca_psg_add(&psg, big.bytes, big.w.length, "big"), SCA_OK);
    }
    struct sca_vertex leaf[] = {{SCA_ROOT, 0, 0, 0, 0, 1, 2, ""},
                                {SCA_MPI, 0, 0, 0, 0, 2, 2, "MPI_Barrier"}};
    section_init(&big);
    section_function(&big, "f64", false, leaf, 2);
    section_unit(&big, 10);
    ck_assert_int_eq(sca_psg_add(&psg, big.bytes, big.w.length, "big"), SCA_OK);
    link_section(10);
    ck_assert_uint_eq(stats.mpis, UINT64_MAX);
    unlink_section();
}
END_TEST

Suite *test_suite(void)
{
    const TTest *const tests[] = {
        figure4_contracted,
        a_library_without_source_is_no_part_of_the_graph,
        deep_enough_loops_are_all_kept,
        a_branch_without_mpi_keeps_only_its_loops,
        what_surrounds_mpi_is_kept,
        a_call_without_graph_is_computation,
        recursion_is_a_cycle_counted_once,
        static_functions_resolve_in_their_own_unit,
        an_alias_resolves_to_its_target,
        an_expansion_too_large_to_build_is_counted,
    };
    return one_case("psg_link", tests, sizeof tests / sizeof *tests);
}
