/*
 * What a run is called and where it goes. Used at MPI_Init and Finalize, on one thread; strings
 * are written into the caller's buffers.
 */
#ifndef SCA_PROF_RUNDIR_H
#define SCA_PROF_RUNDIR_H

#include <stddef.h>
#include <stdint.h>

enum { SCA_DIRECTORY = 3072 };

/* The program's file, absolute, and the part after the last slash. */
void sca_rundir_program_path(char *path, size_t size);
const char *sca_rundir_base_name(const char *path);
/* The program's build-id in hex, "" if it has none. */
void sca_rundir_program_build_id(char *hex, size_t size);

/* Rank 0: makes the run directory, a new one (name, name.2, ...) and absolute. 0 or an errno;
 * directory then is the name that could not be made. */
int sca_rundir_make(char directory[SCA_DIRECTORY], const char *output, const char *program,
                    uint32_t ranks);

#endif
