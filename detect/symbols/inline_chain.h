/*
 * What is inlined around an address: the function, and on the way in each inlined one. From the
 * DIEs of its unit (DWARF 5, 3.3.8); they live as long as the unit.
 */
#ifndef SCA_DETECT_INLINE_CHAIN_H
#define SCA_DETECT_INLINE_CHAIN_H

#include "sca_compile_units.h"

enum { SCA_DEEPEST_CHAIN = 64 }; /* what is inlined deeper is told as its caller */

struct sca_inline_chain { /* outermost first */
    Dwarf_Die die[SCA_DEEPEST_CHAIN];
    size_t count;
};

/* The row of row->address, within the function's piece of code, and what is inlined there: a row
 * belongs to what is inlined where it is. */
void sca_inline_chain(struct sca_dwarf_unit *unit, Dwarf_Die *function, struct sca_piece piece,
                      struct sca_line_row *row, struct sca_inline_chain *chain);

#endif
