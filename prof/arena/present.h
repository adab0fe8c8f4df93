/*
 * Who the process is and what its threads do, as an observer sees it in the part's header. A thread
 * takes a record with its first MPI call and gives it back as it ends; those for whom there is none
 * share one that nobody reads. Any thread, not in a handler; takes no lock.
 */
#ifndef SCA_PROF_PRESENT_H
#define SCA_PROF_PRESENT_H

#include "sca_part.h"

/* Once, by the thread that called MPI_Init: process, boot and the first record. */
void sca_present_begin(void);
/* The calling thread's record, taken now if it has none; never NULL. */
struct sca_part_present *sca_present_take(void);
void sca_present_leave(void);

#endif
