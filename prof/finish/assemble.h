/*
 * Rank 0 at MPI_Finalize: takes the ranks' images from the stream (stream.h) and writes them, group
 * by group, so that it never holds more than one group of them. The other ranks: send theirs.
 * Never allocates; memory is mapped and given back.
 */
#ifndef SCA_PROF_ASSEMBLE_H
#define SCA_PROF_ASSEMBLE_H

#include "finish/profile_file.h"
#include "profile/store.h"

/* Ranks other than 0: SCA_NONE, or a rank that did not answer. */
uint32_t sca_assemble_send(const struct sca_store_image *own);

enum sca_assembly { SCA_ASSEMBLED, SCA_ASSEMBLE_SILENCE, SCA_ASSEMBLE_MEMORY };
/* Rank 0: all images, its own first, into the file; the metadata are the arena's. What went wrong
 * with the file itself is in there; *missing is the rank that fell silent. */
enum sca_assembly sca_assemble(const struct sca_store_image *own, uint32_t ranks,
                               struct sca_profile_file *file, uint32_t *missing);

#endif
