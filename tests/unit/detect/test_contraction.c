/* Which functions are part of their callers, and which only drive what is passed to them. */
#include "graph/contraction.h"
#include "stats/dispersion.h"
#include "graph/inner_function.h"
#include "sca_error.h"
#include "check_main.h"

#include <math.h>
#include <stdlib.h>

/* ---- a program by hand ---- */

enum { MOST = 4 };

struct written {
    const char *linkage;
    uint32_t nvertices;
    struct sca_vertex vertices[MOST];
};

#define ROOT        {.kind = SCA_ROOT, .callee = ""}
#define LOOP(up)    {.kind = SCA_LOOP, .parent = (up), .callee = ""}
#define COMP(up)    {.kind = SCA_COMP, .parent = (up), .callee = ""}
#define CALL(up, f) {.kind = SCA_CALL, .parent = (up), .callee = (f)}
#define MPI(up, f)  {.kind = SCA_MPI, .parent = (up), .callee = (f)}
#define POINTER(up) {.kind = SCA_CALL, .flags = SCA_VF_INDIRECT, .parent = (up), .callee = ""}

enum { FLOP, FIB, SEND, THROUGH, NEST, OVER_LAMBDA, LAMBDA, LU, AT, MAP, RELAX, FUNCTIONS };

static struct written program_text[FUNCTIONS] = {
    [FLOP] = {"flop", 2, {ROOT, COMP(0)}},
    [FIB] = {"fib", 2, {ROOT, CALL(0, "fib")}},
    [SEND] = {"send", 2, {ROOT, MPI(0, "MPI_Send")}},
    [THROUGH] = {"through", 2, {ROOT, POINTER(0)}},
    [NEST] = {"nest", 3, {ROOT, LOOP(0), CALL(1, "flop")}},
    [OVER_LAMBDA] = {"_Z12parallel_forIZ4mainE3$_0EvlRKT_",
                     3,
                     {ROOT, LOOP(0), CALL(1, "_ZZ4mainENK3$_0clEl")}},
    [LAMBDA] = {"_ZZ4mainENK3$_0clEl", 2, {ROOT, COMP(0)}},
    [LU] = {"_Z2luI6MatrixEvRT_",
            4,
            {ROOT, LOOP(0), CALL(1, "_ZN6MatrixclEii"), CALL(1, "_ZN6MatrixclEii")}},
    [AT] = {"_ZN6MatrixclEii", 2, {ROOT, COMP(0)}},
    [MAP] = {"_Z3mapI5RelaxEvlRKT_", 3, {ROOT, LOOP(0), CALL(1, "_ZNK5RelaxclEl")}},
    [RELAX] = {"_ZNK5RelaxclEl", 2, {ROOT, COMP(0)}},
};

static struct sca_function functions[FUNCTIONS];
static struct sca_program program;
static struct sca_contraction contraction;

static void set_up(void)
{
    static const char *files[] = {"user.cpp"};
    static struct sca_psg psg;
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        functions[f] = (struct sca_function){.key = f + 1,
                                             .linkage = program_text[f].linkage,
                                             .name = program_text[f].linkage,
                                             .nfiles = 1,
                                             .files = files,
                                             .nvertices = program_text[f].nvertices,
                                             .vertices = program_text[f].vertices};
    psg = (struct sca_psg){.nfunctions = FUNCTIONS, .functions = functions};
    ck_assert_int_eq(sca_psg_link(&psg, 10, &program), SCA_OK);
    ck_assert_int_eq(sca_contraction_open(&program, &contraction), SCA_OK);
}

static void tear_down(void)
{
    sca_contraction_free(&contraction);
    sca_psg_program_free(&program);
}

/* ---- contraction ---- */

START_TEST(a_function_that_goes_nowhere_joins_its_caller)
{
    ck_assert(sca_contraction_joins(&contraction, NEST, FLOP));
    ck_assert(sca_contraction_joins(&contraction, NEST, LAMBDA));
    ck_assert(!sca_contraction_joins(&contraction, NEST, FIB));
    ck_assert(!sca_contraction_joins(&contraction, NEST, SEND));
    ck_assert(!sca_contraction_joins(&contraction, SEND, NEST));
    ck_assert(!sca_contraction_joins(&contraction, SCA_NO_FUNCTION, FLOP));
    ck_assert(!sca_contraction_joins(&contraction, NEST, SCA_NO_FUNCTION));
}
END_TEST

/* What a pointer leads to a run shows: here a loop, below the second of two frames. */
START_TEST(what_an_indirect_call_leads_to_a_run_tells)
{
    struct sca_frame frames[2] = {{.function = THROUGH, .name = "", .file = ""},
                                  {.function = NEST, .name = "", .file = ""}};
    struct sca_address_info nothing = {0},
                            place = {.nframes = 2, .frames = frames, .user = true, .program = true};
    const struct sca_address_info *places[] = {&nothing, &place};
    struct sca_node nodes[] = {{.parent = SCA_NONE}, {.parent = 0}};
    struct sca_site start = {.function = "MPI_Init"};
    struct sca_profile run = {.nnodes = 2, .nodes = nodes, .nsites = 1, .sites = &start};
    int status = SCA_OK;
    ck_assert(sca_contraction_joins(&contraction, FLOP, THROUGH));
    ck_assert(sca_contraction_add(&contraction, &run, places, &status));
    ck_assert(!sca_contraction_joins(&contraction, FLOP, THROUGH));
    ck_assert(!sca_contraction_add(&contraction, &run, places, &status));
    ck_assert_int_eq(status, SCA_OK);
}
END_TEST

START_TEST(a_framework_drives_what_is_passed_to_it)
{
    ck_assert(contraction.framework[OVER_LAMBDA]);
    ck_assert(contraction.framework[MAP]);
    ck_assert(!contraction.framework[LU]); /* an accessor, at several places */
    ck_assert(!contraction.framework[NEST]);
    ck_assert(!contraction.framework[LAMBDA]);
}
END_TEST

/* ---- functions that are part of a vertex ---- */

START_TEST(equal_functions_are_one)
{
    struct sca_arena arena = {0};
    struct sca_inners inners = {.arena = &arena};
    struct sca_inner flop = {.function = "flop", .file = "work.h", .line = 4, .inlined = true};
    uint32_t first = sca_inner_function_at(&inners, &flop);
    ck_assert_uint_eq(first, 1);
    ck_assert_uint_eq(sca_inner_function_at(&inners, &flop), first);
    struct sca_inner below = flop;
    below.parent = first;
    uint32_t second = sca_inner_function_at(&inners, &below);
    ck_assert_uint_eq(second, 2);
    ck_assert_uint_eq(inners.items[second].parent, first);
    below.line = 9;
    ck_assert_uint_eq(sca_inner_function_at(&inners, &below), 3);
    sca_inner_function_free(&inners);
    sca_arena_free(&arena);
}
END_TEST

/* ---- how much equal ranks differ ---- */

START_TEST(those_below_the_median_say_how_much_ranks_differ)
{
    double even[] = {1, 1, 1, 1, 1, 1, 1, 3}, rough[] = {0.8, 0.85, 0.9, 0.95, 1, 1.1, 1.2, 3};
    double small = sca_dispersion(even, 8, 1, 0.02), large = sca_dispersion(rough, 8, 1, 0.02);
    ck_assert_double_le(small, 0.02);
    ck_assert_double_gt(large, 0.08);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("contraction");
    TCase *tcase = tcase_create("contraction");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_function_that_goes_nowhere_joins_its_caller);
    tcase_add_test(tcase, what_an_indirect_call_leads_to_a_run_tells);
    tcase_add_test(tcase, a_framework_drives_what_is_passed_to_it);
    tcase_add_test(tcase, equal_functions_are_one);
    tcase_add_test(tcase, those_below_the_median_say_how_much_ranks_differ);
    suite_add_tcase(suite, tcase);
    return suite;
}
