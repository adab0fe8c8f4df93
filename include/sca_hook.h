/*
 * Loop markers: what instrumented code and the runtime agree on.
 *
 * Every loop that may reach MPI has a struct sca_loop. Once per iteration it loads `hook` and, if
 * that is not null, calls it with the structure's address. Null, as it starts, costs a load and a
 * branch. Inlined copies of a loop share one structure.
 *
 * They stand in the section "scalana_loops" of their executable or shared library, as an array; no
 * symbol table names it. An ELF note in a PT_NOTE segment tells where it is: section
 * ".note.scalana", name "ScalAna", type 2, and as description two little-endian signed 64-bit
 * numbers: the addresses of the array's start and end, both minus that of the description. The
 * runtime finds it with dl_iterate_phdr(), for modules opened later too. It may set and clear each
 * `hook` at any time. One element, of identity 0, belongs to no loop.
 *
 * The function is called from application code in any thread. It must return, may use any
 * register a C function may, must not raise, and must be quick.
 */
#ifndef SCA_HOOK_H
#define SCA_HOOK_H

#include <stdint.h>

#define SCA_HOOK_SECTION      "scalana_loops" /* a C identifier: linkers then name its ends */
#define SCA_HOOK_NOTE_SECTION ".note.scalana"
#define SCA_HOOK_NOTE_NAME    "ScalAna"
#define SCA_HOOK_NOTE_TYPE    2

struct sca_loop {
    void (*hook)(struct sca_loop *);
    uint64_t id;  /* upper 40 bits: of the unit's hash; lower 24: its vertex id (sca_psg.h) */
    uint64_t own; /* the runtime's; 0 at first */
};

#endif
