/*
 * What is asked again and again of a debugging information entry of a function (DWARF 5, 3.3): what
 * it is a copy of, what it is called, where it was inlined.
 *
 * Names belong to the Dwarf. Not thread-safe, as libdw is not.
 */
#ifndef SCA_DIE_H
#define SCA_DIE_H

#include <elfutils/libdw.h>
#include <stdint.h>

/* Where a function, inlined or not, is described for all of its copies; the entry itself, if it is
 * no copy. */
Dwarf_Die sca_die_origin(Dwarf_Die *die);
/* The name that the linker knows; "" if there is none. */
const char *sca_die_linkage(Dwarf_Die *die);
/* A constant, 0 if it is not there or too large. */
uint32_t sca_die_number(Dwarf_Die *die, unsigned attribute);
/* The file that an attribute of the entry names in the table of a unit; NULL: unknown. */
const char *sca_die_file(Dwarf_Die *unit, Dwarf_Die *die, unsigned attribute);

#endif
