/*
 * The pieces of code that unwind tables and symbols tell apart, by address: functions, and parts of
 * functions that the compiler has put elsewhere.
 *
 * Belongs to whoever called sca_code_functions_read(), until sca_code_functions_free(); names
 * belong to the binary.
 */
#ifndef STRUCTURE_CODE_FUNCTIONS_H
#define STRUCTURE_CODE_FUNCTIONS_H

#include "image/landing_pads.h"

#define SCA_NO_CODE UINT32_MAX

struct sca_code_function {
    uint64_t low, high;
    const char *name;  /* linkage name; "" unknown */
    uint32_t symbol;   /* first of the symbols at `low`, SCA_NO_CODE: none */
    uint32_t nsymbols; /* that begin there */
    bool local;        /* no other file can call it by name */
    bool part;         /* named as a part of another function: joins whoever jumps into it */
    bool called;       /* some call leads to its beginning */
    bool no_return;    /* nothing comes back from it */
    uint32_t owner;    /* the function it is a part of; itself, if it stands alone */
};

struct sca_code_functions {
    struct sca_code_function *list; /* by `low`; ranges do not overlap */
    uint32_t count;
    size_t capacity;
    const struct sca_symbol *symbols;
    struct sca_landing_pads pads;
    bool named; /* there is a symbol table: what has no name is no function of its own */
};

int sca_code_functions_read(struct sca_binary *binary, const struct sca_code_image *image,
                            struct sca_code_functions *out);
void sca_code_functions_free(struct sca_code_functions *functions);

/* The index of the piece an address lies in, SCA_NO_CODE if none. */
uint32_t sca_code_functions_at(const struct sca_code_functions *functions, uint64_t address);
/* The same, of a piece that begins there. */
uint32_t sca_code_functions_from(const struct sca_code_functions *functions, uint64_t address);

#endif
