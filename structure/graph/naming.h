/*
 * Which function of the source code is: what a piece of machine code, or a call that was inlined,
 * is a copy of.
 */
#ifndef STRUCTURE_NAMING_H
#define STRUCTURE_NAMING_H

#include "graph/draft.h"
#include "image/code_functions.h"
#include "sca_compile_units.h"

struct sca_naming {
    struct sca_binary *binary;
    const struct sca_units *units;
    const struct sca_code_functions *code;
    struct sca_draft *draft;
    uint32_t *of_code; /* per piece of code: function of the draft, SCA_NO_DRAFT: not yet known */
};

/* "program+0x12ab": the name of what has none. Fills and returns `text`. */
enum { SCA_ADDRESS_NAME = 280 };
const char *sca_naming_address(const struct sca_naming *naming, uint64_t address,
                               char text[SCA_ADDRESS_NAME]);

/* SCA_ENOMEM. */
int sca_naming_of_code(struct sca_naming *naming, uint32_t code, uint32_t *function);
int sca_naming_of_die(struct sca_naming *naming, Dwarf_Die *die, uint32_t *function);

#endif
