/*
 * Of a library that is not the user's the run keeps the names of the functions that its call paths
 * go through, and by which names it has to do with MPI. Rank 0, on the thread that calls Finalize.
 */
#ifndef SCA_PROF_KEEP_NAMES_H
#define SCA_PROF_KEEP_NAMES_H

#include "finish/elf_file.h"
#include "sca_wire.h"

/* Room for the ranges. */
size_t sca_keep_names_size(const struct sca_elf_file *f);
/* Puts the ranges, *n of them, but not the heads (keep_sections.h); `module` is the index in
 * SCA_T_MODULES. False: the file could not be read. */
bool sca_keep_names_put(const struct sca_elf_file *f, uint32_t module, struct sca_writer *w,
                        uint32_t *n);
/* Whether the file offers MPI's functions to others: MPI itself, or a layer of it. */
bool sca_keep_names_offers_mpi(const struct sca_elf_file *f);

#endif
