/*
 * One file of machine code that took part in a run: its ELF, its DWARF (its own, or the separate
 * debug file's), its symbols and its `.scalana.psg` section.
 *
 * Everything belongs to the sca_binary until sca_binary_close(). Only detect/'s attribution sees
 * libdw's types. Not thread-safe.
 */
#ifndef SCA_BINARY_H
#define SCA_BINARY_H

#include "sca_arena.h"
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#define SCA_BUILD_ID_TEXT 65 /* hex digits of the longest kept build-id, and NUL */

struct sca_symbol {
    uint64_t address, size;
    const char *name; /* as in the symbol table */
    bool local;       /* seen by its own file only */
    uint64_t end;     /* of its section, 0 if unknown: one without a size reaches no further */
};

/* How much there is of a file. */
enum sca_binary_extent {
    SCA_BINARY_NAMES, /* functions that call paths go through */
    SCA_BINARY_GRAPH, /* graph and all functions */
    SCA_BINARY_LINES, /* lines as well */
    SCA_BINARY_WHOLE
};

struct sca_binary {
    struct sca_arena arena;
    char *path;
    void *bytes; /* the file in memory, NULL: it is on disk */
    enum sca_binary_extent extent;
    int file, debug_file; /* descriptors, -1 if none */
    Elf *elf, *debug_elf; /* debug_elf: the separate debug file, NULL if there is none */
    Dwarf *dwarf;         /* NULL until asked for, or none */
    Dwarf_CFI *unwind;    /* NULL until asked for, or none */
    char build_id[SCA_BUILD_ID_TEXT];
    bool unreadable; /* with `dwarf`: sections of it are compressed as this libdw does not know */
    bool stripped;   /* of symbols and lines, and no debug file brought them back */
    const void *psg; /* NULL: no such section */
    size_t psg_size;
    bool symbols_read;
    struct sca_symbol *symbols; /* functions, by address */
    size_t nsymbols;
};

/* Where a file is, and who it should be. */
struct sca_binary_source {
    const char *path;     /* as the run recorded it; what `out` is called by */
    const char *build_id; /* what the run recorded, "" if it knew none */
    const char *at;       /* where it is opened; NULL: at `path` */
    const char *root;     /* debug files are looked for below this folder as well; NULL: none */
    bool ask;             /* servers for its debug file (DEBUGINFOD_URLS), if none is found */
    const void *bytes;    /* or: the file in memory, from malloc; then the binary's */
    size_t size;
    enum sca_binary_extent extent; /* of `bytes` */
};

/* Opens the file and checks that it is the one that ran. SCA_ENOTFOUND, SCA_EIO, SCA_EFORMAT,
 * SCA_EMISMATCH (both build-ids named). */
int sca_binary_open_source(const struct sca_binary_source *source, struct sca_binary **out);
/* The same for a file that lies where it ran. */
int sca_binary_open(const char *path, const char *build_id, struct sca_binary **out);
void sca_binary_close(struct sca_binary *binary);
/* The file of a build-id from a server of DEBUGINFOD_URLS, in the cache of its client; free() the
 * path. NULL: there is none, or no server answers. */
char *sca_binary_from_server(const char *build_id);

/* What a library has to do with MPI: nothing; it calls MPI; or it offers MPI's functions to others
 * (MPI itself, its bindings for C++ and Fortran, a layer of MPI's profiling interface). */
enum sca_mpi_use { SCA_MPI_UNUSED, SCA_MPI_CALLED, SCA_MPI_OFFERED };
/* By its dynamic symbols. */
enum sca_mpi_use sca_binary_mpi_use(struct sca_binary *binary);
/* What others are linked with when they need the file: DT_SONAME, else its name. */
const char *sca_binary_library_name(struct sca_binary *binary);
/* Whether the file is linked with a library of that name. */
bool sca_binary_needs(struct sca_binary *binary, const char *library);

/* Debug information, NULL if there is none. Reading it may mean to unpack megabytes. */
Dwarf *sca_binary_dwarf(struct sca_binary *binary);

/* Where the function begins that an address lies in, from the unwind tables that even stripped code
 * has; the address itself if they do not know. */
uint64_t sca_binary_function_start(struct sca_binary *binary, uint64_t address);
/* Whether a file address lies in a procedure linkage table: code that leads to another file. */
bool sca_binary_is_stub(struct sca_binary *binary, uint64_t address);
/* All functions, by address. */
const struct sca_symbol *sca_binary_symbols(struct sca_binary *binary, size_t *count);
/* The function a file address lies in, or NULL. */
const struct sca_symbol *sca_binary_symbol(struct sca_binary *binary, uint64_t address);
/* The symbol of the object, which is no code, that a file address lies in, and how far; as in the
 * table. NULL: none. */
const char *sca_binary_object(struct sca_binary *binary, uint64_t address, uint64_t *offset);
/* Whether one of the symbols where that one begins has this name. */
bool sca_binary_is_symbol(struct sca_binary *binary, uint64_t address, const char *name);
/* A C++ linkage name with all its arguments, to be freed; NULL if it is none. */
char *sca_symbol_table_demangle(const char *linkage);
/* The same without arguments, as the user wrote it. */
char *sca_symbol_table_written(const char *linkage);
/* "parallel_for" of "parallel_for<main()::<lambda(int)> >(int)", as compilers name copies of
 * templates; owned by the binary, NULL: no memory. */
const char *sca_binary_shorten(struct sca_binary *binary, const char *full);
/* A linkage name as the user wrote it, without arguments; owned by the binary. */
const char *sca_binary_demangle(struct sca_binary *binary, const char *linkage);

#endif
