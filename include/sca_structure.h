/*
 * The structure of a binary that was not compiled with scalana-static: functions, loops and calls,
 * recovered from machine code, line table and debug information. The graph is the same as the
 * compiler's (sca_psg.h); a table tells which vertices of it an address belongs to.
 *
 * Control flow: as in any disassembler that follows jumps; loops: nested strongly connected
 * components. Works for x86-64 and aarch64 files. What cannot be understood stays unknown; no input
 * makes it fail but one that is no such file, or too large for the memory.
 *
 * Not for signal handlers. A structure may be read by any number of threads.
 */
#ifndef SCA_STRUCTURE_H
#define SCA_STRUCTURE_H

#include "sca_binary.h"
#include "sca_compile_units.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SCA_NO_STACK 0

/* Active functions at some address: the innermost one's vertex, and what it was inlined into. */
struct sca_structure_stack {
    uint32_t outer; /* index of the stack around it; SCA_NO_STACK: it is the outermost */
    uint32_t id;    /* of the vertex, in the structure's unit */
};

/* Code from `address` to the next row's. */
struct sca_structure_row {
    uint64_t address;
    uint32_t stack; /* SCA_NO_STACK: nothing known */
};

struct sca_structure {
    void *psg; /* bytes as in the section .scalana.psg, one unit */
    size_t psg_size;
    uint64_t unit;                      /* its hash */
    struct sca_structure_stack *stacks; /* 0 is none */
    uint32_t nstacks;
    struct sca_structure_row *rows; /* by address */
    uint32_t nrows;
    uint32_t loops, near; /* how many loops, and how many of them have a line only near by */
};

/* Recovers what no unit in `units` with a graph of its own describes. SCA_EFORMAT: no machine code
 * that can be read (of a binary that is not whole, none at all). SCA_ENOMEM. `out` is the caller's
 * until sca_structure_free(). */
int sca_structure_recover(struct sca_binary *binary, const struct sca_units *units,
                          struct sca_structure *out);
/* The same; with `cache`, from the user's cache if it is there, else put there: by build-id, for
 * files that have one ($XDG_CACHE_HOME/scalana/structure; at most 256 MB, those used longest ago go
 * first). */
int sca_structure_cached(struct sca_binary *binary, const struct sca_units *units, bool cache,
                         struct sca_structure *out);
/* Of all code of a file, whoever compiled it. The codes of sca_binary_open() too. */
int sca_structure_of(const char *path, struct sca_structure *out);
/* Writes a file (doc/FORMATS.md). SCA_EIO. */
int sca_structure_save(const struct sca_structure *structure, const char *path);
void sca_structure_free(struct sca_structure *structure);

/* The stack of an address, SCA_NO_STACK if none. */
uint32_t sca_structure_find(const struct sca_structure *structure, uint64_t address);
/* Ids from the outermost function inwards; returns how many, at most `most`. */
uint32_t sca_structure_ids(const struct sca_structure *structure, uint32_t stack, uint32_t *ids,
                           uint32_t most);

#endif
