/*
 * Which cores of the host the process may not use although its launcher may, and for which part of
 * the time they were idle: a rank that waits for a core while these are idle is bound to the wrong
 * ones. By the affinities of the process and its parent, and the kernel's account of each processor
 * (/proc/stat: proc(5)). Nothing is told where a control group limits the time on cores, for there
 * more cores are no more time.
 *
 * By the thread that is in MPI_Init or MPI_Finalize. Does not allocate; not for handlers.
 */
#ifndef SCA_PROF_FREE_CORES_H
#define SCA_PROF_FREE_CORES_H

#include <stddef.h>

/* From here on. Where there are none this costs two system calls. */
void sca_free_cores_begin(void);
/* "1:97 4-7:100": per cent of the time since then that they were idle; "" if there are none, or
 * they do not fit. */
void sca_free_cores_describe(char *text, size_t size);

#endif
