/*
 * Debug information without what no verdict needs: values in variables, parameters and types are
 * set to zero, each byte staying where it is. Functions, what is inlined into them, their scopes
 * and lines stay. So a copy packs well, and every offset into it holds.
 *
 * No allocation; any thread. DWARF 2 to 5; a unit that is not understood stays as it is.
 */
#ifndef SCA_PROF_LEAN_DWARF_H
#define SCA_PROF_LEAN_DWARF_H

#include <stddef.h>
#include <stdint.h>

enum { SCA_LEAN_CODES = 1 << 14 }; /* kinds of entries in a unit, at most */

struct sca_lean_dwarf {
    uint8_t *info; /* .debug_info, changed in place */
    size_t info_size;
    const uint8_t *abbrev; /* .debug_abbrev */
    size_t abbrev_size;
    uint32_t *places; /* SCA_LEAN_CODES words of the caller's */
    uint32_t units;   /* set: how many of them describe code */
};

void sca_lean_dwarf(struct sca_lean_dwarf *d);

#endif
