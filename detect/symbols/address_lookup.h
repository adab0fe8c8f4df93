/*
 * Working one address out: the inline chain, the vertex of each of its functions, names. Called
 * by attribution.c alone; what it allocates is the attribution's.
 */
#ifndef SCA_DETECT_ADDRESS_LOOKUP_H
#define SCA_DETECT_ADDRESS_LOOKUP_H

#include "sca_arena.h"
#include "sca_binary.h"
#include "sca_compile_units.h"
#include "sca_structure.h"
#include "symbols/place.h"

struct sca_address_source { /* what is known of the module */
    struct sca_arena *arena;
    struct sca_psg *psg;
    struct sca_binary *binary;
    const struct sca_units *units;
    const struct sca_structure *structure; /* of code without graph; NULL: none */
};

/* No frames if the unit has no function at the address. */
int sca_address_lookup_in_dwarf(const struct sca_address_source *source,
                                struct sca_dwarf_unit *unit, uint64_t address,
                                struct sca_address_info *out);
/* Of code without graph, by its recovered structure; no frames if that does not know it. `unit` may
 * be NULL. */
int sca_address_lookup_recovered(const struct sca_address_source *source,
                                 struct sca_dwarf_unit *unit, uint64_t address,
                                 struct sca_address_info *out);
int sca_address_lookup_in_symbols(const struct sca_address_source *source, uint64_t address,
                                  struct sca_address_info *out);

#endif
