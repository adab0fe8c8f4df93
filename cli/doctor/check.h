/*
 * The checks of `scalana doctor`, by what they look at. Each appends to the list.
 */
#ifndef SCA_CLI_CHECK_H
#define SCA_CLI_CHECK_H

#include "doctor/checks.h"
#include "machine/target.h"

/* The installation, clang and flang. */
void sca_check_build(struct sca_checks *checks);
/* MPI's compilers and launchers, the batch job; `target` may be NULL. */
void sca_check_mpi(struct sca_checks *checks, const struct sca_target *target);
/* Samples, hardware counters, ptrace, the container. */
void sca_check_kernel(struct sca_checks *checks);
/* The folder that runs are written to; cores; settings. */
void sca_check_place(struct sca_checks *checks);
/* The program. */
void sca_check_program(struct sca_checks *checks, const struct sca_target *target);

#endif
