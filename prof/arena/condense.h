/*
 * What a rank has to tell, before it is sent: nothing a reader would miss. On the thread that
 * calls MPI_Finalize, when recording is over.
 */
#ifndef SCA_PROF_CONDENSE_H
#define SCA_PROF_CONDENSE_H

/* Samples that were booked anew leave their first records. Times get fewer digits where many ranks
 * make the profile large (to 1 part in 16,384, so that sums of many stay true); these do not change
 * in runs of up to 32 ranks. */
void sca_condense(void);

#endif
