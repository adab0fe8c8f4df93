/*
 * Unwinding with every register that a callee preserves, and any expression of cfi_expr.h: for the
 * few frames whose place a recipe cannot say (the dynamic linker's trampolines, hand-written
 * assembly). Parses each frame anew: where recipes do, walk.h is many times faster.
 *
 * Reads only what stack.h allows. Async-signal-safe, any thread.
 */
#ifndef SCA_PROF_UNWIND_H
#define SCA_PROF_UNWIND_H

#include "unwind/stack.h"

enum { SCA_REGISTERS = 17 }; /* by DWARF's numbers, the last is the program counter */

struct sca_unwind {
    uint64_t value[SCA_REGISTERS];
    uint32_t known; /* one bit each; 0: not begun */
    bool exact;     /* the program counter is no return address */
    struct sca_stack stack;
};

/* At what a signal interrupted; `gregs` is its uc_mcontext's. */
void sca_unwind_from(struct sca_unwind *u, const void *gregs);
/* To the caller. False: there is none, or it cannot be told; `u` then stays. */
bool sca_unwind_up(struct sca_unwind *u, bool in_handler);
/* Whether it stands in the frame with this stack pointer and code address. */
bool sca_unwind_is_at(const struct sca_unwind *u, uint64_t sp, uint64_t pc);
uint64_t sca_unwind_pc(const struct sca_unwind *u);
uint64_t sca_unwind_sp(const struct sca_unwind *u);
/* 0 if it is not known. */
uint64_t sca_unwind_bp(const struct sca_unwind *u);

struct sca_unwind_here {
    uint64_t bx, bp, sp, r12, r13, r14, r15, pc;
};
void sca_unwind_from_here(struct sca_unwind *u, const struct sca_unwind_here *here);

/* The registers of the function this is written in; it must not return before the last step out
 * of it is done. One statement: its frame is the same throughout. */
static inline __attribute__((always_inline)) void sca_unwind_look(struct sca_unwind_here *here)
{
    __asm__ volatile("movq %%rbx, (%0); movq %%rbp, 8(%0); movq %%rsp, 16(%0)\n\t"
                     "movq %%r12, 24(%0); movq %%r13, 32(%0); movq %%r14, 40(%0)\n\t"
                     "movq %%r15, 48(%0); leaq 0f(%%rip), %%rax; movq %%rax, 56(%0)\n0:"
                     :
                     : "r"(here)
                     : "rax", "memory");
}

#endif
