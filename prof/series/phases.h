/*
 * Phases that the program names (scalana/region.h, MPI_Pcontrol): how often each was entered, and
 * what the rank did in it. Phases lie within each other; a name within another phase is another
 * phase. Bounded: SCA_SERIES_PHASES of them, SCA_PHASE_DEPTH deep; what is more counts for the one
 * around it.
 *
 * What an interval between two MPI calls took is shared out over the phases in it by wall time.
 * Phases of the thread that called MPI_Init count. State lock held, not in a handler. Never
 * allocates. The table lies in the part: a process that is killed leaves it.
 */
#ifndef SCA_PROF_PHASES_H
#define SCA_PROF_PHASES_H

#include "sca_part.h"

enum { SCA_PHASE_DEPTH = 32 };

/* The records, and how many there are, where readers look. Since then phases count, also those that
 * were begun before. NULL: none is kept. */
void sca_phases_begin(struct sca_part_phase *list, uint32_t *count, uint64_t init_ns);
/* All that are open end. `ns`: since init_ns. */
void sca_phases_end(uint64_t ns);

/* Say the name as it is kept, for good; NULL: nobody follows the phase, or none of that name is
 * open. Of any length; cut to SCA_PHASE_NAME - 1 bytes. `ns`: node clock; what lies before
 * `left_ns`, when the last MPI call was left, is booked already. Before sca_phases_begin() it is
 * remembered.
 */
const char *sca_phases_enter(const char *name, uint64_t ns, uint64_t left_ns);
/* Ends the innermost one of that name, and all within it. Where there is none, nothing. */
const char *sca_phases_leave(const char *name, uint64_t ns, uint64_t left_ns);

/* Whether sca_phases_call() has to be asked. */
extern uint32_t sca_phases_used;

/* What an iteration that ends now lies in, times since init_ns: the innermost phase that holds its
 * later half, from 1 on; 0: none. */
uint32_t sca_phases_of(uint64_t begin_ns, uint64_t end_ns);

/* An MPI call is booked, and the interval before it. */
void sca_phases_call(uint64_t compute_ns, uint64_t off_ns, uint64_t wall_ns, uint64_t mpi_ns);

#endif
