/*
 * Working one address out: the inline chain, the vertex of each of its functions, names. Called
 * by attribution.c alone; what it allocates is the attribution's.
 */
#ifndef SCA_DETECT_ADDRESS_LOOKUP_H
#define SCA_DETECT_ADDRESS_LOOKUP_H

#include "sca_arena.h"
#include "sca_binary.h"
#include "sca_compile_units.h"
#include "symbols/place.h"

/* No frames if the unit has no function at the address. */
int sca_address_lookup_in_dwarf(struct sca_arena *arena, struct sca_psg *psg,
                                struct sca_binary *binary, const struct sca_units *units,
                                struct sca_dwarf_unit *unit, uint64_t address,
                                struct sca_address_info *out);
int sca_address_lookup_in_symbols(struct sca_arena *arena, struct sca_binary *binary,
                                  uint64_t address, struct sca_address_info *out);

#endif
