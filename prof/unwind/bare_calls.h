/*
 * What a call instruction that ends at some address calls. Reads code of loaded modules, and words
 * of theirs that can be read. Async-signal-safe, any thread. x86-64.
 */
#ifndef SCA_PROF_BARE_CALLS_H
#define SCA_PROF_BARE_CALLS_H

#include "unwind/cfi.h"
#include "unwind/modules.h"
#include "unwind/stack.h"

enum sca_call_evidence {
    SCA_CALL_NONE,     /* no call ends there */
    SCA_CALL_OTHER,    /* of other code */
    SCA_CALL_INDIRECT, /* by a pointer that is gone */
    SCA_CALL_REACHES   /* of code in the range, or of a function that jumps there */
};

/* `caller` is the module of the address. */
enum sca_call_evidence sca_bare_calls(const struct sca_loaded *caller, uint64_t address,
                                      struct sca_range code, struct sca_stack *stack,
                                      bool in_handler);
/* Whether a call ends there at all, and the code can be read. */
bool sca_bare_calls_end_at(uint64_t address, struct sca_stack *stack);

/* Whether the call that ends there is of the function that `inside` lies in, or by a pointer, which
 * may be of any. Not in a handler. */
bool sca_bare_calls_of(const struct sca_loaded *caller, uint64_t address, uint64_t inside,
                       struct sca_stack *stack);

#endif
