/*
 * Which memory a walk may read. Frame information can be wrong (hand-written assembly), and a
 * profiler must not crash for it: slots between the walk's first frame and the end of the thread's
 * stack are there; any other address (alternate stacks, coroutines) is asked for once per page.
 * Async-signal-safe; errno is kept.
 */
#ifndef SCA_PROF_STACK_H
#define SCA_PROF_STACK_H

#include "base/guard.h"
#include <stdbool.h>
#include <stdint.h>

struct sca_stack {
    uint64_t low, high; /* known to be there */
    uint64_t page;      /* found to be there */
};

/* Says how large this thread's stack is; without it a thread's is taken to be of usual size. */
void sca_stack_announce(uint64_t bytes);

/* high == 0: not looked up yet. */
struct sca_stack_bounds {
    uint64_t high, bytes;
};
extern _Thread_local struct sca_stack_bounds sca_stack_bounds
    __attribute__((tls_model("initial-exec")));
void sca_stack_look_up(void);

/* The stack of this thread, for a walk that starts at stack pointer `sp`. */
static inline struct sca_stack sca_stack_from(uint64_t sp)
{
    if (__builtin_expect(!sca_stack_bounds.high, 0))
        sca_stack_look_up();
    uint64_t high = sca_stack_bounds.high;
    bool inside = high - sp < sca_stack_bounds.bytes;
    return (struct sca_stack){.low = inside ? sp : high, .high = high, .page = 1};
}

/* Whether a frame is gone, as seen from stack pointer `sp`: of the same stack, and above it; or
 * other things lie where its return address was. */
bool sca_stack_is_gone(const struct sca_frame_mark *frame, uint64_t sp);

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
