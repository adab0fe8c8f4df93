/*
 * The functions behind ours: finds the MPI library's own symbols, once each.
 *
 * Usually the library is in the global scope; a program that loads it privately (a Python
 * extension) is served through the handle of the object itself. Any thread; not for handlers.
 */
#ifndef SCA_PROF_SYMBOLS_H
#define SCA_PROF_SYMBOLS_H

#include "mpi_functions.h"
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

typedef uintptr_t sca_word; /* an argument, untouched: every one of them fits a register */
typedef void (*sca_code)(void);

/* An address of the MPI library's, or NULL. Never finds this library's own entries. */
void *sca_symbols_find(const char *name);
/* A variable of the MPI library's, or NULL. The program may hold it in the library's place
 * (Fortran's common blocks, copy relocations), so the global scope is asked from its beginning. */
void *sca_symbols_find_variable(const char *name);

/* Whether the address lies in a file of the MPI library's, C's or Fortran's: one that has a
 * profiling name of its own. Not in a handler. */
bool sca_symbols_is_mpi(const void *address);

/* Whether the address lies in this library's file. */
bool sca_symbols_is_own(const void *address);
/* This library's own function of that name, or NULL. */
void *sca_symbols_own(const char *name);
/* An MPI library that is nowhere else is looked for in the namespace of this file, which stays. */
void sca_symbols_look_in(const struct link_map *file);

/* What an entry of ours calls: the MPI library's function under its profiling name (PMPI_X, and
 * PMPI's names of Fortran entries), or another tool's MPI_X where one follows us in link order.
 * sca_below is PMPI_X in any case. NULL until the first use. */
extern sca_code sca_real[SCA_FN_COUNT];
extern sca_code sca_below[SCA_FN_COUNT];
extern sca_code sca_real_fortran[SCA_FORTRAN_COUNT];
/* Never NULL: a function the MPI library has not got answers with an error code. */
sca_code sca_symbols_resolve(unsigned function);
sca_code sca_symbols_resolve_below(unsigned function);
sca_code sca_symbols_resolve_fortran(unsigned entry);

#define SCA_REAL(function)                                                                         \
    (__builtin_expect(sca_real[function] != 0, 1) ? sca_real[function]                             \
                                                  : sca_symbols_resolve(function))
#define SCA_BELOW(function)                                                                        \
    (__builtin_expect(sca_below[function] != 0, 1) ? sca_below[function]                           \
                                                   : sca_symbols_resolve_below(function))
#define SCA_REAL_FORTRAN(entry)                                                                    \
    (__builtin_expect(sca_real_fortran[entry] != 0, 1) ? sca_real_fortran[entry]                   \
                                                       : sca_symbols_resolve_fortran(entry))

#endif
