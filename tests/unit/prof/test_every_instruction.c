/* Call paths of samples, as libunwind sees them, at each single instruction: prologues, epilogues,
 * leaf functions, PLT entries, the C library's own code. The trap flag stops after each. */
#include "oracle.h"
#include "subjects.h"
#include "check_main.h"

#include "arena/arena.h"
#include "unwind/callpath.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long sink;

void probe(void)
{
    sink++;
}

static void on_trap(int signal, siginfo_t *info, void *ucontext)
{
    (void)signal;
    (void)info;
    oracle_check_sample(ucontext);
}

/* Sets or clears the trap flag; it works from the next instruction on. */
static inline __attribute__((always_inline)) void stepping(bool on)
{
    if (on)
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq $0x100, (%%rsp); popfq;"
                         "lea 128(%%rsp), %%rsp" ::
                             : "memory", "cc");
    else
        __asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq $~0x100, (%%rsp); popfq;"
                         "lea 128(%%rsp), %%rsp" ::
                             : "memory", "cc");
}

static void open_with_trap(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_trap;
    ck_assert_int_eq(sigaction(SIGTRAP, &action, NULL), 0);
    oracle_open();
}

/* `may_end` in a thousand paths end early: while an exception is about to jump to its handler,
 * whose registers are there before it is. */
#define STEPPED(name, call, least, may_end)                                                        \
    START_TEST(name)                                                                               \
    {                                                                                              \
        int n = 3;                                                                                 \
        open_with_trap();                                                                          \
        stepping(true);                                                                            \
        call;                                                                                      \
        stepping(false);                                                                           \
        ck_assert_uint_ge(oracle.paths, least);                                                    \
        ck_assert_uint_eq(oracle.mismatches, 0);                                                   \
        ck_assert_msg(oracle.cut * 1000 <= oracle.paths * may_end, "%lu of %lu cut",               \
                      (long)oracle.cut, (long)oracle.paths);                                       \
    }                                                                                              \
    END_TEST

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static __attribute__((noinline)) void c_library_work(int n)
{
    char text[200];
    int values[] = {n, 3, 8, 1, 7};
    snprintf(text, sizeof text, "%d %s %.17g", n, "word", n / 7.0);
    char *copy = strdup(text);
    sink += (long)strtod(copy + 7, NULL) + (long)strlen(copy);
    free(copy);
    qsort(values, 5, sizeof values[0], compare);
    sink += values[0] + (long)time(NULL);
    memset(text, 0, sizeof text);
}

STEPPED(c_unoptimised, subject_c_O0(n), 1000, 0)
STEPPED(c_optimised, subject_c_O2(n), 1000, 0)
#ifdef HAVE_REALIGNED
/* GCC says where rbp was even behind its pop: for two instructions the caller's is misread, by
 * libunwind too, which goes on or not as the addresses are this time. */
STEPPED(c_realigned, subject_c_realigned(n), 1000, 1)
#endif
#ifdef HAVE_CLANG
STEPPED(c_clang, subject_c_clang(n), 1000, 0)
#endif
STEPPED(cxx_exceptions, subject_cxx(n - 2), 10000, 5)
#ifdef HAVE_GFORTRAN
STEPPED(fortran_gfortran, subject_gfortran_(&n), 300, 0)
#endif
#ifdef HAVE_FLANG
STEPPED(fortran_flang, subject_flang_(&n), 300, 0)
#endif
STEPPED(frames_in_other_registers, subject_frames(n), 50, 0)
STEPPED(c_library, c_library_work(n), 3000, 0)

/* Code without frame information: one that leaves the stack alone, one with a frame pointer. */
__asm__(".text\n.type bare_leaf, @function\nbare_leaf:\n"
        "  mov $20, %ecx\n1: dec %ecx\n  jnz 1b\n  ret\n"
        ".type bare_frame, @function\nbare_frame:\n"
        "  push %rbp\n  mov %rsp, %rbp\n  sub $40, %rsp\n"
        "2: mov $20, %ecx\n1: dec %ecx\n  jnz 1b\n  leave\n  ret\n");
void bare_leaf(void);
void bare_frame(void);

static uint32_t caller_node, steps, told;

static void on_bare_trap(int signal, siginfo_t *info, void *ucontext)
{
    (void)signal;
    (void)info;
    const struct sca_part_node *nodes = sca_arena_table(SCA_T_NODES);
    uint32_t node = sca_callpath_sample(ucontext);
    uint64_t frames[64];
    bool cut;
    unsigned n = oracle_addresses(node, frames, 64, &cut);
    steps++;
    told += !cut && n > 3;
    caller_node = nodes[node].parent;
}

static void step_bare(void (*function)(void), unsigned percent)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};
    action.sa_sigaction = on_bare_trap;
    ck_assert_int_eq(sigaction(SIGTRAP, &action, NULL), 0);
    oracle_open();
    stepping(true);
    function();
    stepping(false);
    ck_assert_uint_gt(steps, 20);
    ck_assert_msg(told * 100 >= steps * percent, "%u of %u", told, steps);
}

START_TEST(assembly_without_frame_information)
{
    step_bare(bare_leaf, 100);
}
END_TEST

START_TEST(assembly_with_a_frame_pointer)
{
    step_bare(bare_frame, 90);
}
END_TEST

Suite *test_suite(void)
{
    Suite *suite = suite_create("every_instruction");
    TCase *tests = tcase_create("steps");
    tcase_add_test(tests, c_unoptimised);
    tcase_add_test(tests, c_optimised);
#ifdef HAVE_REALIGNED
    tcase_add_test(tests, c_realigned);
#endif
#ifdef HAVE_CLANG
    tcase_add_test(tests, c_clang);
#endif
    tcase_add_test(tests, cxx_exceptions);
#ifdef HAVE_GFORTRAN
    tcase_add_test(tests, fortran_gfortran);
#endif
#ifdef HAVE_FLANG
    tcase_add_test(tests, fortran_flang);
#endif
    tcase_add_test(tests, c_library);
    tcase_add_test(tests, frames_in_other_registers);
    tcase_add_test(tests, assembly_without_frame_information);
    tcase_add_test(tests, assembly_with_a_frame_pointer);
    suite_add_tcase(suite, tests);
    return suite;
}
