/*
 * Which cores of its host a process may run on, as it was bound when MPI_Init came: by its
 * affinity, and for each processor the package and the core it belongs to, by /sys. Does not
 * allocate.
 */
#ifndef SCA_PROF_BINDING_H
#define SCA_PROF_BINDING_H

#include <stddef.h>

/* "0:3": package 0, core 3; "0:0-3,8 1:0" for several; "all" where it may run on every processor of
 * the host; "" where the kernel does not tell, or it does not fit. Numbers are the kernel's. */
void sca_binding_describe(char *text, size_t size);

#endif
