/*
 * Call paths as nodes of one trie per process (SCA_T_NODES), shared by MPI calls and samples.
 *
 * A walk goes from the innermost frame outwards by recipes (walk.h), hashing as it goes; the hash
 * leads to the path's node. Only a path not met before is walked a second time and entered node
 * by node. Where the callers cannot be told, a node in no module at offset 0 stands for them right
 * below the root. Frames of this library do not show.
 *
 * Lock-free for known paths; the state lock for new ones. No allocation, no libunwind.
 * sca_callpath_call: any thread, not in a handler. sca_callpath_sample: only in the handler.
 */
#ifndef SCA_PROF_CALLPATH_H
#define SCA_PROF_CALLPATH_H

#include <stdint.h>

int sca_callpath_init(void);
/* Recording is over: gives back what walks were remembered by. */
void sca_callpath_end(void);
/* The node of the caller of the wrapper: `return_address` is __builtin_return_address(0) and
 * `cfa` __builtin_dwarf_cfa(), both taken in the wrapper itself. SCA_NONE if it has no room.
 * `*note` is a word of this path that callers may read and write, any thread at any time, 0 at
 * first; NULL for a path that is not remembered. */
uint32_t sca_callpath_call(const void *return_address, const void *cfa, uint64_t **note);
/* The node of an interrupted instruction, from a ucontext_t. Never unwinds with libunwind. */
uint32_t sca_callpath_sample(const void *ucontext);
/* After dlclose: forgets what was known of code that is no longer there. Not in a handler. */
void sca_callpath_modules_changed(void);
/* Walks so far that did not reach the outermost frame. */
uint64_t sca_callpath_truncated(void);

/* The node of a call that is known by its return address alone: its callers are not told. SCA_NONE
 * without room. */
uint32_t sca_callpath_alone(const void *return_address);

/* A path that goes on to a function: what its caller's address does not tell, if that jumped there
 * and is gone. SCA_NONE without room. */
uint32_t sca_callpath_into(uint32_t node, const void *function);

/* The path as thread `track`, from 1, follows it (SCA_NODE_THREAD); without room the path itself.
 */
uint32_t sca_callpath_of_thread(uint32_t node, uint32_t track);

#endif
