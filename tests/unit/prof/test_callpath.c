/* Call paths at MPI calls, as libunwind sees them, over the shapes in subject_*. */
#include "oracle.h"
#include "subjects.h"
#include "check_main.h"

#include "arena/arena.h"
#include "unwind/callpath.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

void probe(void)
{
    oracle_check_call(__builtin_return_address(0), __builtin_dwarf_cfa());
}

static void agrees(uint64_t least)
{
    ck_assert_uint_ge(oracle.paths, least);
    ck_assert_uint_eq(oracle.mismatches, 0);
    ck_assert_uint_eq(oracle.cut, 0);
}

#define AGREES(name, call, least)                                                                  \
    START_TEST(name)                                                                               \
    {                                                                                              \
        oracle_open();                                                                             \
        for (int n = 1; n <= 12; n++) {                                                            \
            for (int again = 0; again < 20; again++)                                               \
                call;                                                                              \
        }                                                                                          \
        agrees(least);                                                                             \
    }                                                                                              \
    END_TEST

AGREES(c_unoptimised, subject_c_O0(n), 10000)
AGREES(c_optimised, subject_c_O2(n), 10000)
#ifdef HAVE_REALIGNED
AGREES(c_realigned, subject_c_realigned(n), 10000)
#endif
#ifdef HAVE_CLANG
AGREES(c_clang, subject_c_clang(n), 10000)
#endif
AGREES(frames_in_other_registers, subject_frames(n), 480)
AGREES(cxx_exceptions, subject_cxx(n), 1000)
#ifdef HAVE_GFORTRAN
AGREES(fortran_gfortran, subject_gfortran_(&n), 1000)
#endif
#ifdef HAVE_FLANG
AGREES(fortran_flang, subject_flang_(&n), 1000)
#endif

static void on_signal(int signal)
{
    (void)signal;
    probe();
    subject_c_O2(3);
}

START_TEST(inside_a_signal_handler)
{
    oracle_open();
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    agrees(400);
}
END_TEST

START_TEST(on_an_alternate_stack)
{
    oracle_open();
    stack_t stack = {.ss_sp = malloc(1 << 20), .ss_size = 1 << 20};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    agrees(400);
}
END_TEST

static void *in_thread(void *argument)
{
    for (int i = 0; i < 30; i++)
        subject_c_O2(*(int *)argument);
    return argument;
}

START_TEST(threads_at_once)
{
    pthread_t thread[4];
    int n[4] = {2, 5, 7, 9};
    oracle_open();
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, in_thread, &n[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    agrees(4000);
}
END_TEST

static ucontext_t main_context, coroutine;

static void in_coroutine(void)
{
    subject_c_O2(4);
}

START_TEST(on_a_coroutine_stack)
{
    oracle_open();
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = malloc(1 << 18);
    coroutine.uc_stack.ss_size = 1 << 18;
    coroutine.uc_link = &main_context;
    makecontext(&coroutine, in_coroutine, 0);
    swapcontext(&main_context, &coroutine);
    ck_assert_uint_ge(oracle.paths, 40);
    ck_assert_uint_eq(oracle.mismatches, 0);
}
END_TEST

static __attribute__((noinline)) int dive(int n)
{
    volatile int kept = n;
    if (n)
        kept += dive(n - 1);
    else
        probe();
    return kept + 1;
}

START_TEST(ten_thousand_deep)
{
    oracle_open();
    ck_assert_int_gt(dive(500), 0);
    agrees(1);
    ck_assert_int_gt(dive(10000), 0);
    ck_assert_uint_eq(oracle.mismatches, 0);
    ck_assert_uint_eq(oracle.cut, 1);
    ck_assert_uint_eq(sca_callpath_truncated(), 1);
}
END_TEST

static uint64_t *last_note;

/* Stands where a wrapper stands. */
static __attribute__((noinline)) uint32_t wrapper(void)
{
    uint32_t node =
        sca_callpath_call(__builtin_return_address(0), __builtin_dwarf_cfa(), &last_note);
    __asm__ volatile("" : "+r"(node));
    return node;
}

static __attribute__((noinline)) uint32_t node_here(void)
{
    uint32_t node = wrapper();
    __asm__ volatile("" : "+r"(node));
    return node;
}

START_TEST(same_path_same_node)
{
    oracle_open();
    uint32_t node[3], last[2];
    for (volatile int i = 0; i < 3; i++)
        node[i] = node_here();
    last[0] = node_here();
    last[1] = wrapper();
    ck_assert_uint_ne(node[0], SCA_NONE);
    ck_assert_uint_eq(node[0], node[1]);
    ck_assert_uint_eq(node[0], node[2]);
    ck_assert_uint_ne(node[0], last[0]);
    ck_assert_uint_ne(last[0], last[1]);
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    ck_assert_uint_eq(nodes[nodes[node[0]].parent].parent, nodes[nodes[last[0]].parent].parent);
}
END_TEST

enum { LINES = 24 };

/* A path is written down when it is met again. */
static void from(int line, const uint32_t node[LINES], uint64_t *note[LINES], int round)
{
    ck_assert_msg(round < 2 || last_note, "line %d was not remembered", line);
    ck_assert(round < 3 || last_note == note[line]);
    for (int i = 0; i < line; i++) {
        ck_assert_uint_ne(node[i], node[line]);
        ck_assert(round < 2 || note[i] != last_note);
    }
    note[line] = last_note;
}

#define CALL(line)                                                                                 \
    node[line] = node_here();                                                                      \
    from(line, node, note, round);
#define CALLS(first) CALL(first) CALL(first + 1) CALL(first + 2) CALL(first + 3)

/* Their calls in it have the same return address, and the same stack address. */
START_TEST(one_function_from_many_lines)
{
    oracle_open();
    uint32_t node[LINES];
    uint64_t *note[LINES];
    for (volatile int round = 0; round < 5; round++) {
        CALLS(0) CALLS(4) CALLS(8) CALLS(12) CALLS(16) CALLS(20)
    }
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("callpath");
    TCase *tests = tcase_create("paths");
    tcase_add_test(tests, c_unoptimised);
    tcase_add_test(tests, c_optimised);
#ifdef HAVE_REALIGNED
    tcase_add_test(tests, c_realigned);
#endif
#ifdef HAVE_CLANG
    tcase_add_test(tests, c_clang);
#endif
    tcase_add_test(tests, frames_in_other_registers);
    tcase_add_test(tests, cxx_exceptions);
#ifdef HAVE_GFORTRAN
    tcase_add_test(tests, fortran_gfortran);
#endif
#ifdef HAVE_FLANG
    tcase_add_test(tests, fortran_flang);
#endif
    tcase_add_test(tests, inside_a_signal_handler);
    tcase_add_test(tests, on_an_alternate_stack);
    tcase_add_test(tests, threads_at_once);
    tcase_add_test(tests, on_a_coroutine_stack);
    tcase_add_test(tests, ten_thousand_deep);
    tcase_add_test(tests, same_path_same_node);
    tcase_add_test(tests, one_function_from_many_lines);
    suite_add_tcase(suite, tests);
    return suite;
}
