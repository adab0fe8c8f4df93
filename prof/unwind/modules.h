/*
 * The modules (program and shared objects) that call paths run through, found by address.
 *
 * A module gets its slot when an address inside it is first met; the slot stays its own for good:
 * loaded again later, even elsewhere, the same file has the same slot and the same record in
 * SCA_T_MODULES. With glibc 2.35 or later a look-up needs no lock and no table prepared outside
 * (_dl_find_object is async-signal-safe); before that, sample handlers know the modules of the
 * last refresh, and calls outside handlers refresh when they meet an unknown address.
 *
 * sca_modules_find: any thread, handler too. The rest: any thread, not in a handler, but for
 * sca_modules_record, which wants the state lock.
 */
#ifndef SCA_PROF_MODULES_H
#define SCA_PROF_MODULES_H

#include "unwind/cfi.h"
#include <stdbool.h>
#include <stdint.h>

enum { SCA_MODULES = 1024 };

struct sca_loaded {
    uint32_t slot; /* SCA_NONE: more modules than slots */
    uint64_t bias;
    struct sca_frame_info info;
};

void sca_modules_init(void);
bool sca_modules_find(uint64_t address, bool in_handler, struct sca_loaded *out);
/* Index in SCA_T_MODULES, or SCA_NONE. */
uint32_t sca_modules_record(uint32_t slot);
uint64_t sca_modules_bias(uint32_t slot);
/* Where a module that is loaded lies; false for the program. */
bool sca_modules_library(uint32_t slot, uint64_t *first, uint64_t *last);
/* The slot of this library itself: its frames are left out of call paths. */
uint32_t sca_modules_own(void);
/* Of the C library, or SCA_NONE. */
uint32_t sca_modules_libc(void);

/* After dlclose: calls `gone` with the address range of every slot that is no longer there. */
void sca_modules_retire(void (*gone)(uint64_t first, uint64_t last));

#endif
