/* Code that only drives what is passed to it, and what only looks like it. */
#include "symbols/framework.h"
#include "check_main.h"
#include "psg_fixture.h"
#include "sca_error.h"

/* One function that is judged, and the functors its loops may call. */
enum { JUDGED, RELAX, MATRIX, LAMBDA, FUNCTIONS };

#define CALL_RELAX  "_ZNK5RelaxclEl"      /* Relax::operator()(long) const */
#define CALL_MATRIX "_ZN6MatrixclEii"     /* Matrix::operator()(int, int) */
#define CALL_LAMBDA "_ZZ4mainENK3$_0clEi" /* main::$_0::operator()(int) const */

static struct psg_text text[FUNCTIONS] = {
    [RELAX] = {CALL_RELAX, .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}},
    [MATRIX] = {CALL_MATRIX, .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}},
    [LAMBDA] = {CALL_LAMBDA, .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}},
};

static bool judge(struct psg_text judged)
{
    struct psg_fixture p;
    bool framework[FUNCTIONS] = {false};
    text[JUDGED] = judged;
    psg_fixture_open(&p, text, FUNCTIONS);
    ck_assert_int_eq(sca_framework_find(&p.program, framework), SCA_OK);
    psg_fixture_close(&p);
    ck_assert(!framework[RELAX]);
    ck_assert(!framework[MATRIX]);
    ck_assert(!framework[LAMBDA]);
    return framework[JUDGED];
}

static bool is_in_file(const char *file)
{
    return judge((struct psg_text){"sort", .file = file, .nvertices = 1, .vertices = {PSG_ROOT}});
}

static bool is_by_name(const char *linkage)
{
    return judge((struct psg_text){linkage, .nvertices = 3,
                                   .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, CALL_LAMBDA)}});
}

static bool is_over_loop_of(const char *linkage, const char *callee)
{
    return judge(
        (struct psg_text){linkage, .nvertices = 4,
                          .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_BRANCH(1), PSG_CALL(2, callee)}});
}

START_TEST(what_system_headers_hold_is_a_framework)
{
    ck_assert(is_in_file("/usr/include/c++/13/bits/stl_algo.h"));
    ck_assert(is_in_file("/opt/gcc/include/c++/13/bits/stl_algo.h"));
    ck_assert(!is_in_file("/home/anna/include/sort.h"));
    ck_assert(!is_in_file("/home/anna/usr/include/sort.h"));
    ck_assert(!is_in_file(""));
}
END_TEST

START_TEST(a_template_for_a_lambda_is_one)
{
    ck_assert(is_by_name("_Z3runIZ4mainE3$_0EvT_"));       /* run<main::$_0> */
    ck_assert(is_by_name("_Z3runIZ4mainEUliE_EvT_"));      /* run<main::{lambda(int)#1}> */
    ck_assert(is_by_name("_ZN4TaskIZ4mainEUlvE_E3runEv")); /* Task<main::{lambda()#1}>::run */
    ck_assert(is_by_name("_ZN12_GLOBAL__N_13runIZ4mainEUlvE_EEvT_")); /* of a nameless namespace */
    ck_assert(!is_by_name("_Z3runIiEvT_"));                           /* run<int> */
    ck_assert(!is_by_name("run"));
}
END_TEST

/* A table that is filled by a loop of its own, with a lambda for its width. */
START_TEST(a_loop_without_the_lambda_is_the_users_code)
{
    const char *over = "_Z3runIZ4mainE3$_0EvT_";
    struct psg_text plain = {over, .nvertices = 3,
                             .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_COMP(1)}};
    struct psg_text inner = {
        over, .nvertices = 5,
        .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, CALL_LAMBDA), PSG_LOOP(1), PSG_COMP(3)}};
    struct psg_text accessor = {over, .nvertices = 3,
                                .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, CALL_MATRIX)}};
    struct psg_text tiled = {
        over, .nvertices = 4,
        .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_LOOP(1), PSG_CALL(2, CALL_LAMBDA)}};
    struct psg_text pointer = {over, .nvertices = 3,
                               .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_POINTER(1)}};
    struct psg_text handed_on = {over, .nvertices = 2, .vertices = {PSG_ROOT, PSG_COMP(0)}};
    ck_assert(!judge(plain));
    ck_assert(!judge(inner));
    ck_assert(!judge(accessor));
    ck_assert(judge(tiled));
    ck_assert(judge(pointer));
    ck_assert(judge(handed_on));
}
END_TEST

START_TEST(a_lambda_itself_is_the_users_code)
{
    ck_assert(!is_by_name("_ZZ4mainENKUliE_clEi"));      /* main::{lambda(int)#1}::operator() */
    ck_assert(!is_by_name("_ZZ3runIiEvT_ENKUlvE_clEv")); /* in run<int> */
    ck_assert(!is_by_name("_ZZ4mainENK3$_0clEv"));
}
END_TEST

START_TEST(a_template_whose_loops_call_its_functor_is_one)
{
    ck_assert(is_over_loop_of("_Z3mapI5RelaxEvlRKT_", CALL_RELAX));
    ck_assert(is_over_loop_of("_Z3mapIK5RelaxEvv", CALL_RELAX));   /* map<Relax const> */
    ck_assert(is_over_loop_of("_Z3twoId5RelaxEvT0_", CALL_RELAX)); /* two<double, Relax> */
}
END_TEST

START_TEST(who_was_not_made_for_the_functor_is_none)
{
    ck_assert(!is_over_loop_of("_Z5plainRK5Relax", CALL_RELAX));
    ck_assert(!is_over_loop_of("plain", CALL_RELAX));
    ck_assert(!is_over_loop_of("_Z3mapI5RelaxEvlRKT_", CALL_MATRIX));
    ck_assert(!is_over_loop_of("_Z3mapI8RelaxAllEvlRKT_", CALL_RELAX));
    ck_assert(!is_over_loop_of("_Z3mapI8SubRelaxEvlRKT_", CALL_RELAX));
    /* std::vector<Relax, std::allocator<Relax> > make<int>(int) */
    ck_assert(!is_over_loop_of("_Z4makeIiESt6vectorI5RelaxSaIS1_EET_", CALL_RELAX));
}
END_TEST

START_TEST(loops_that_do_more_make_it_code_of_its_own)
{
    struct psg_text twice = {
        "_Z3mapI6MatrixEvRT_", .nvertices = 4,
        .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, CALL_MATRIX), PSG_CALL(1, CALL_MATRIX)}};
    struct psg_text besides = {
        "_Z3mapI6MatrixEvRT_", .nvertices = 4,
        .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(1, CALL_MATRIX), PSG_CALL(0, CALL_MATRIX)}};
    struct psg_text straight = {"_Z3mapI6MatrixEvRT_", .nvertices = 3,
                                .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_CALL(0, CALL_MATRIX)}};
    struct psg_text pointer = {"_Z3mapI6MatrixEvRT_", .nvertices = 3,
                               .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_POINTER(1)}};
    ck_assert(!judge(twice));
    ck_assert(judge(besides));
    ck_assert(!judge(straight));
    ck_assert(!judge(pointer));
    ck_assert(!is_over_loop_of("_Z3mapI6MatrixEvRT_", "puts"));
}
END_TEST

START_TEST(a_program_of_nothing_has_none)
{
    struct sca_program nothing = {0};
    bool untouched = true;
    ck_assert_int_eq(sca_framework_find(&nothing, &untouched), SCA_OK);
    ck_assert(untouched);
}
END_TEST

SCA_SUITE("framework", what_system_headers_hold_is_a_framework, a_template_for_a_lambda_is_one,
          a_loop_without_the_lambda_is_the_users_code, a_lambda_itself_is_the_users_code,
          a_template_whose_loops_call_its_functor_is_one, who_was_not_made_for_the_functor_is_none,
          loops_that_do_more_make_it_code_of_its_own, a_program_of_nothing_has_none)
