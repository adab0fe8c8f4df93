/*
 * The compile units of one module: which unit, which function and which line-table row an address
 * has. The unit map comes from the units' own ranges, since clang writes no .debug_aranges;
 * functions are indexed per unit when first asked for.
 *
 * Belongs to whoever called sca_compile_units_read(), until sca_compile_units_free(); the Dwarf
 * must outlive it.
 */
#ifndef SCA_COMPILE_UNITS_H
#define SCA_COMPILE_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sca_range {
    uint64_t low, high;
    size_t index; /* of the unit or function that covers it */
};

struct sca_ranges { /* by low once sorted */
    struct sca_range *list;
    size_t count, capacity;
    bool nested; /* some ranges overlap: a look-up must go on to earlier ones */
};

struct sca_dwarf_unit {
    Dwarf_Die die;  /* carries ranges and line table */
    Dwarf_Die body; /* carries the functions: a split unit's, else the same */
    uint64_t hash;  /* of the graph's unit record, 0 if it was compiled without */
    bool has_hash, indexed;
    Dwarf_Die *functions;
    size_t nfunctions, capacity;
    struct sca_ranges ranges; /* of the functions */
};

struct sca_units {
    struct sca_dwarf_unit *units; /* by offset */
    size_t count, capacity;
    struct sca_ranges ranges;
    const char *absent; /* a file with a part of the debug information, if one is not there */
};

struct sca_line_row {
    const char *file; /* libdw's: as long as the Dwarf */
    uint32_t line, discriminator;
    uint64_t address; /* the one asked for, or one of the row that stands for it */
};

/* Damaged units are left out. SCA_ENOMEM. */
int sca_compile_units_read(Dwarf *dwarf, struct sca_units *out);
void sca_compile_units_free(struct sca_units *units);

struct sca_dwarf_unit *sca_compile_units_at(const struct sca_units *units, uint64_t address);
/* The unit a DIE stands in; NULL if it is none of these. */
struct sca_dwarf_unit *sca_compile_units_of(const struct sca_units *units, Dwarf_Die *die);
struct sca_piece { /* a piece of a function */
    uint64_t low, high;
};

/* The function whose code holds the address, and that piece of it. */
Dwarf_Die *sca_compile_units_function(struct sca_dwarf_unit *unit, uint64_t address,
                                      struct sca_piece *piece);
/* The row of an address. Code without a line takes the piece's next row that has one. */
bool sca_compile_units_row(struct sca_dwarf_unit *unit, uint64_t address, struct sca_piece piece,
                           struct sca_line_row *out);
/* Of code without a line: the last row before it in the piece that has one. */
bool sca_compile_units_row_before(struct sca_dwarf_unit *u, uint64_t address,
                                  struct sca_piece piece, struct sca_line_row *out);

#endif
