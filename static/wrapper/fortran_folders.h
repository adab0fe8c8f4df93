/*
 * MPI's Fortran files along the folders that a command's words name (-I, -J, -module-dir): which of
 * them flang can read, and which another compiler wrote.
 */
#ifndef FORTRAN_FOLDERS_H
#define FORTRAN_FOLDERS_H

#include "sca_words.h"
#include <stdbool.h>

/* "mpi" or "mpi_f08", whichever a source uses first; "": only others, which may use it in turn;
 * NULL: none. */
const char *sca_fortran_module_used(const char *source);
/* The first file of this name; NULL: nowhere. */
char *sca_fortran_find_file(const struct sca_words *words, const char *file);
/* A module file that flang can read, there or in the current folder. */
bool sca_fortran_has_own(const struct sca_words *words, const char *module);
/* The first one that another compiler wrote; NULL: none. */
char *sca_fortran_find_foreign(const struct sca_words *words, const char *module);
/* Adds the folders that -I names in `from`. */
void sca_fortran_add_folders(struct sca_words *to, const struct sca_words *from);
/* Folders whose module mpi another compiler wrote go behind the others, if one holds a module that
 * flang can read: build systems put the MPI's own folder first. */
void sca_fortran_put_own_first(struct sca_words *command);

/* MPI's subroutines, up to a NULL: `use mpi, only: MPI_Send` asks for them by name, and mpif.h
 * names none. */
extern const char *const sca_fortran_procedures[];

#endif
