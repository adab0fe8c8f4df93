/*
 * Loop markers: what instrumented code and the runtime agree on.
 *
 * A loop that may reach MPI loads the variable `sca_loop_hook` once per iteration and, if it is
 * not null, calls it with the loop's identity: the upper 40 bits are those of the unit's hash,
 * the lower 24 its vertex id (sca_psg.h). Null, as it starts, costs a load and a branch.
 *
 * The variable is hidden: every executable and shared library has its own, and no symbol table
 * names it. An ELF note in a PT_NOTE segment tells where it is: section ".note.scalana", name
 * "ScalAna", type 1, and as description one little-endian signed 64-bit number: the variable's
 * address minus the address of that description. The runtime finds it with dl_iterate_phdr(),
 * for modules opened later too, and stores a function there; it may store null at any time.
 *
 * The function is called from application code in any thread. It must return, may use any
 * register a C function may, must not raise, and must be quick.
 */
#ifndef SCA_HOOK_H
#define SCA_HOOK_H

#include <stdint.h>

#define SCA_HOOK_SYMBOL       "sca_loop_hook"
#define SCA_HOOK_NOTE_SECTION ".note.scalana"
#define SCA_HOOK_NOTE_NAME    "ScalAna"
#define SCA_HOOK_NOTE_TYPE    1

typedef void (*sca_loop_hook_fn)(uint64_t loop);

#endif
