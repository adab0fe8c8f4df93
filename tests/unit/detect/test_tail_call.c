/* Which call a function must have ended in, where its frame is gone. */
#include "symbols/tail_call.h"
#include "check_main.h"
#include "psg_fixture.h"

enum {
    MAIN,
    SYNC,
    EITHER,
    LOOPED,
    AFTER_LOOP,
    FORTRAN,
    STEP,
    SOLVE,
    TWO_SOLVES,
    THREADED,
    BODY,
    FUNCTIONS
};

static struct psg_text text[FUNCTIONS] = {
    [MAIN] = {"main", .nvertices = 12,
              .vertices = {PSG_ROOT, PSG_CALL(0, "sync"), PSG_CALL(0, "either"),
                           PSG_CALL(0, "looped"), PSG_CALL(0, "after_loop"),
                           PSG_CALL(0, "fortran_"), PSG_CALL(0, "step"), PSG_CALL(0, "two_solves"),
                           PSG_CALL(0, "printf"), PSG_POINTER(0), PSG_MPI(0, "MPI_Barrier"),
                           PSG_CALL(0, "threaded")}},
    [SYNC] = {"sync", .nvertices = 5,
              .vertices = {PSG_ROOT,
                           PSG_COMP(0),
                           PSG_MPI(0, "MPI_Send"),
                           {.kind = SCA_MPI, .callee = "MPI_Barrier", .line = 77},
                           PSG_MPI(0, "MPI_Barrier_init")}},
    [EITHER] = {"either", .nvertices = 4,
                .vertices = {PSG_ROOT,
                             PSG_BRANCH(0),
                             PSG_MPI(1, "MPI_Barrier"),
                             {.kind = SCA_MPI, .parent = 1, .arm = 1, .callee = "MPI_Barrier"}}},
    [LOOPED] = {"looped", .nvertices = 4,
                .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_BRANCH(1), PSG_MPI(2, "MPI_Barrier")}},
    [AFTER_LOOP] = {"after_loop", .nvertices = 4,
                    .vertices = {PSG_ROOT, PSG_LOOP(0), PSG_MPI(1, "MPI_Barrier"),
                                 PSG_MPI(0, "MPI_Barrier")}},
    [FORTRAN] = {"fortran_", .nvertices = 3,
                 .vertices = {PSG_ROOT, PSG_MPI(0, "mpi_barrier_"), PSG_MPI(0, "mpi_wait_f08_")}},
    [STEP] = {"step", .nvertices = 3,
              .vertices = {PSG_ROOT, PSG_CALL(0, "sync"), PSG_CALL(0, "solve")}},
    [SOLVE] = {"solve", .nvertices = 2, .vertices = {PSG_ROOT, PSG_LOOP(0)}},
    [TWO_SOLVES] = {"two_solves", .nvertices = 4,
                    .vertices = {PSG_ROOT, PSG_BRANCH(0), PSG_CALL(1, "solve"),
                                 PSG_CALL(0, "solve")}},
    [THREADED] = {"threaded", .nvertices = 3,
                  .vertices = {PSG_ROOT, PSG_COMP(0), PSG_CALL(0, "threaded.omp_outlined")}},
    [BODY] = {"threaded.omp_outlined", .nvertices = 2, .vertices = {PSG_ROOT, PSG_LOOP(0)}},
};

enum { TO_SYNC = 1, TO_EITHER, TO_LOOPED, TO_AFTER_LOOP, TO_FORTRAN, TO_STEP, TO_TWO_SOLVES };
enum { TO_LIBRARY = 8, TO_POINTER, TO_BARRIER, TO_THREADED };

static struct psg_fixture fixture;

static void set_up(void)
{
    psg_fixture_open(&fixture, text, FUNCTIONS);
}

static void tear_down(void)
{
    psg_fixture_close(&fixture);
}

/* The vertex of the frame that is missing below main's vertex, 0 if nothing can be said. */
static uint32_t last_mpi(uint32_t vertex, const char *mpi)
{
    struct sca_frame at = {.function = MAIN, .vertex = vertex}, out = {.vertex = 99};
    bool found = sca_tail_call_mpi(&fixture.program, &at, mpi, &out);
    ck_assert(found || out.vertex == 99);
    return found ? out.vertex : 0;
}

static uint32_t last_call(uint32_t vertex, uint32_t below)
{
    struct sca_frame at = {.function = MAIN, .vertex = vertex}, out = {.vertex = 99};
    struct sca_frame goes_on = {.function = below};
    bool found = sca_tail_call(&fixture.program, &at, &goes_on, &out);
    ck_assert(found || out.vertex == 99);
    return found ? out.vertex : 0;
}

START_TEST(a_function_that_jumped_to_mpi_gets_its_frame_back)
{
    struct sca_frame at = {.function = MAIN, .vertex = TO_SYNC}, out;
    ck_assert(sca_tail_call_mpi(&fixture.program, &at, "MPI_Barrier", &out));
    ck_assert_uint_eq(out.function, SYNC);
    ck_assert_uint_eq(out.vertex, 3);
    ck_assert_str_eq(out.name, "sync");
    ck_assert_str_eq(out.file, "user.c");
    ck_assert_uint_eq(out.line, 77);
    ck_assert_uint_eq(last_mpi(TO_SYNC, "MPI_Send"), 2);
    ck_assert_uint_eq(last_mpi(TO_SYNC, "MPI_Barrier_init"), 4);
    ck_assert_uint_eq(last_mpi(TO_SYNC, "MPI_Recv"), 0);
}
END_TEST

START_TEST(what_a_loop_comes_back_from_was_not_the_last_act)
{
    ck_assert_uint_eq(last_mpi(TO_LOOPED, "MPI_Barrier"), 0);
    ck_assert_uint_eq(last_mpi(TO_AFTER_LOOP, "MPI_Barrier"), 3);
}
END_TEST

START_TEST(of_two_last_acts_neither_is_named)
{
    ck_assert_uint_eq(last_mpi(TO_EITHER, "MPI_Barrier"), 0);
    ck_assert_uint_eq(last_call(TO_TWO_SOLVES, SOLVE), 0);
}
END_TEST

START_TEST(fortran_calls_mpi_by_other_names)
{
    ck_assert_uint_eq(last_mpi(TO_FORTRAN, "MPI_Barrier"), 1);
    ck_assert_uint_eq(last_mpi(TO_FORTRAN, "MPI_Wait"), 2);
    ck_assert_uint_eq(last_mpi(TO_FORTRAN, "MPI_Waitall"), 0);
}
END_TEST

START_TEST(a_function_between_two_frames_is_found)
{
    ck_assert_uint_eq(last_call(TO_STEP, SOLVE), 2);
    ck_assert_uint_eq(last_call(TO_STEP, SYNC), 1);
    ck_assert_uint_eq(last_call(TO_STEP, STEP), 0); /* nothing is missing */
    ck_assert_uint_eq(last_call(TO_STEP, LOOPED), 0);
    ck_assert_uint_eq(last_call(TO_STEP, SCA_NO_FUNCTION), 0);
}
END_TEST

START_TEST(a_function_that_jumped_to_a_region_gets_its_frame_back)
{
    ck_assert_uint_eq(last_mpi(TO_THREADED, "OpenMP region"), 2);
    ck_assert_uint_eq(last_mpi(TO_THREADED, "OpenMP critical"), 0);
    ck_assert_uint_eq(last_mpi(TO_SYNC, "OpenMP region"), 0);
}
END_TEST

START_TEST(only_a_direct_call_of_known_code_can_have_jumped)
{
    struct sca_frame nowhere = {.function = SCA_NO_FUNCTION}, out, solve = {.function = SOLVE};
    ck_assert(!sca_tail_call_mpi(&fixture.program, &nowhere, "MPI_Barrier", &out));
    ck_assert(!sca_tail_call(&fixture.program, &nowhere, &solve, &out));
    ck_assert_uint_eq(last_mpi(0, "MPI_Barrier"), 0);
    ck_assert_uint_eq(last_mpi(TO_LIBRARY, "MPI_Barrier"), 0);
    ck_assert_uint_eq(last_mpi(TO_POINTER, "MPI_Barrier"), 0);
    ck_assert_uint_eq(last_mpi(TO_BARRIER, "MPI_Barrier"), 0);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("tail_call");
    TCase *tcase = tcase_create("tail_call");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_function_that_jumped_to_mpi_gets_its_frame_back);
    tcase_add_test(tcase, what_a_loop_comes_back_from_was_not_the_last_act);
    tcase_add_test(tcase, of_two_last_acts_neither_is_named);
    tcase_add_test(tcase, fortran_calls_mpi_by_other_names);
    tcase_add_test(tcase, a_function_between_two_frames_is_found);
    tcase_add_test(tcase, a_function_that_jumped_to_a_region_gets_its_frame_back);
    tcase_add_test(tcase, only_a_direct_call_of_known_code_can_have_jumped);
    suite_add_tcase(suite, tcase);
    return suite;
}
