/*
 * Cores of its host that a process may compute on: by its affinity, as MPI_Init finds it. GCC's
 * OpenMP binds the first thread to a place of its own before that (OMP_PROC_BIND). Then the cores
 * are those of all places that its team is to have. Asks that runtime alone, for others would begin
 * by being asked; does not allocate.
 */
#ifndef SCA_PROF_ALLOWED_CORES_H
#define SCA_PROF_ALLOWED_CORES_H

#include <sched.h>
#include <stdbool.h>

/* By the kernel's numbers. False: the kernel does not tell. Any thread. */
bool sca_allowed_cores(cpu_set_t *set);

#endif
