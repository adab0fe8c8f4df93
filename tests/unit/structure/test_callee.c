/* What calls lead to, in code laid down byte by byte. */
#include "graph/callee.h"
#include "check_main.h"
#include "laid_code.h"

#include <string.h>

enum { AT = 0x1000, HELPER = 0x1040, STUBS = 0x2000, SLOTS = 0x3000, FUNCTION = 0 };

/* 0 call HELPER; 5 call stub of MPI_Send; 10 call *slot of other; 16 call *slot of MPI_Wtime;
 * 22 call *%rax; 24 call stub of omp_get_thread_num; 29 lea HELPER,%rdi; 36 call stub of
 * GOMP_parallel; 41 xor %edi,%edi; 43 call stub of GOMP_parallel; 48 jmp HELPER */
static const uint8_t code[HELPER - AT + 1] = {
    0xe8, 0x3b, 0,    0,    0,    0xe8, 0xf6, 0x0f, 0,
    0,    0xff, 0x15, 0xf8, 0x1f, 0,    0,    0xff, 0x15,
    0xfa, 0x1f, 0,    0,    0xff, 0xd0, 0xe8, 0xe9, 0x0f,
    0,    0,    0x48, 0x8d, 0x3d, 0x1c, 0,    0,    0,
    0xe8, 0xe3, 0x0f, 0,    0,    0x31, 0xff, 0xe8, 0xdc,
    0x0f, 0,    0,    0xe9, 0x0b, 0,    0,    0,    [HELPER - AT] = 0xc3};

/* jmp *slot, for the slots at SLOTS, + 24 and + 32; six bytes each. */
static const uint8_t stubs[] = {0xff, 0x25, 0xfa, 0x0f, 0,    0,    0xff, 0x25, 0x0c,
                                0x10, 0,    0,    0xff, 0x25, 0x0e, 0x10, 0,    0};

static struct laid_code laid;

static void set_up(void)
{
    laid_section(&laid, AT, code, sizeof code, true);
    laid_section(&laid, STUBS, stubs, sizeof stubs, true);
    laid.sections[1].stubs = true;
    laid_slot(&laid, SLOTS, "MPI_Send", 0);
    laid_slot(&laid, SLOTS + 8, "other", 0);
    laid_slot(&laid, SLOTS + 16, "MPI_Wtime", 0);
    laid_slot(&laid, SLOTS + 24, "omp_get_thread_num", 0);
    laid_slot(&laid, SLOTS + 32, "GOMP_parallel", 0);
    laid_function(&laid, AT, HELPER, "main");
    laid_function(&laid, HELPER, HELPER + 1, "helper");
    laid_follow(&laid, FUNCTION);
}

static void tear_down(void)
{
    laid_free(&laid);
}

static struct sca_callee at(uint64_t offset)
{
    size_t index = sca_flow_graph_find(&laid.graph, AT + offset);
    ck_assert_uint_lt(index, laid.graph.ninstructions);
    ck_assert_uint_eq(laid.graph.instructions[index].address, AT + offset);
    return sca_callee_find(&laid.image, &laid.functions, &laid.graph, index);
}

static void check(uint64_t offset, const char *name, uint32_t piece)
{
    struct sca_callee c = at(offset);
    ck_assert(c.is_call && !c.is_indirect);
    ck_assert_str_eq(c.name, name);
    ck_assert_uint_eq(c.code, piece);
}

START_TEST(calls_lead_into_the_file_or_to_names)
{
    check(0, "helper", 1);
    check(5, "MPI_Send", SCA_NO_CODE);
    check(10, "other", SCA_NO_CODE);
}
END_TEST

START_TEST(mpi_is_told_by_name_but_for_its_clock)
{
    ck_assert(at(5).is_mpi);
    ck_assert(!at(0).is_mpi && !at(10).is_mpi);
    check(16, "MPI_Wtime", SCA_NO_CODE);
    ck_assert(!at(16).is_mpi);
}
END_TEST

START_TEST(through_a_register_nobody_knows)
{
    ck_assert(at(22).is_call && at(22).is_indirect);
    ck_assert_str_eq(at(22).name, "");
    ck_assert_uint_eq(at(22).code, SCA_NO_CODE);
}
END_TEST

START_TEST(the_run_time_system_is_computation)
{
    ck_assert(!at(24).is_call);
    ck_assert(!at(29).is_call); /* as is what calls nothing */
}
END_TEST

START_TEST(what_starts_threads_calls_their_function)
{
    check(36, "GOMP_parallel", 1);
    ck_assert(!at(43).is_call); /* its argument is no function */
}
END_TEST

START_TEST(a_jump_out_of_the_function_is_a_call)
{
    check(48, "helper", 1);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("callee");
    TCase *tcase = tcase_create("callee");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, calls_lead_into_the_file_or_to_names);
    tcase_add_test(tcase, mpi_is_told_by_name_but_for_its_clock);
    tcase_add_test(tcase, through_a_register_nobody_knows);
    tcase_add_test(tcase, the_run_time_system_is_computation);
    tcase_add_test(tcase, what_starts_threads_calls_their_function);
    tcase_add_test(tcase, a_jump_out_of_the_function_is_a_call);
    suite_add_tcase(suite, tcase);
    return suite;
}
