/*
 * Which memory a walk may read. Frame information can be wrong (hand-written assembly), and a
 * profiler must not crash for it: slots between the walk's first frame and the end of the thread's
 * stack are there; any other address (alternate stacks, coroutines) is asked for once per page.
 * Async-signal-safe; errno is kept.
 */
#ifndef SCA_PROF_STACK_H
#define SCA_PROF_STACK_H

#include <stdbool.h>
#include <stdint.h>

struct sca_stack {
    uint64_t low, high; /* known to be there */
    uint64_t page;      /* found to be there */
};

/* Says how large this thread's stack is; without it a thread's is taken to be of usual size. */
void sca_stack_announce(uint64_t bytes);
/* The stack of this thread, for a walk that starts at stack pointer `sp`. */
struct sca_stack sca_stack_from(uint64_t sp);
bool sca_stack_probe(struct sca_stack *stack, uint64_t address);

static inline bool sca_stack_read(struct sca_stack *stack, uint64_t address, uint64_t *out)
{
    if (__builtin_expect(address - stack->low >= stack->high - stack->low, 0) &&
        !sca_stack_probe(stack, address))
        return false;
    *out = *(const uint64_t *)(uintptr_t)address;
    return true;
}

#endif
