/*
 * Call paths as nodes of one trie per process, shared by MPI calls and samples.
 *
 * A trie node holds the frame recipe of its return address (CFA rule and slots, from .eh_frame),
 * so that walking a known path reads only proven stack slots; unknown ones are parsed once,
 * outside signal handlers; what the recipe cannot express falls back to libunwind there.
 * Nodes live in the arena (SCA_T_NODES); modules are registered as they are met.
 *
 * sca_callpath_call: any thread, not in a handler. sca_callpath_sample: only in the handler.
 */
#ifndef SCA_PROF_CALLPATH_H
#define SCA_PROF_CALLPATH_H

#include <stdint.h>

int sca_callpath_init(void);
/* The node of the caller of the wrapper: `return_address` is __builtin_return_address(0) and
 * `cfa` __builtin_dwarf_cfa(), both taken in the wrapper itself. SCA_NONE if it has no room. */
uint32_t sca_callpath_call(const void *return_address, const void *cfa);
/* The node of an interrupted instruction, from a ucontext_t. Never unwinds with libunwind. */
uint32_t sca_callpath_sample(const void *ucontext);
/* dlopen or dlclose happened: look the loaded modules up again before the next walk. */
void sca_callpath_modules_changed(void);

#endif
