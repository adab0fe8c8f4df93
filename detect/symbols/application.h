/*
 * Which files of a run are the application: what somebody who runs it could look into, or change.
 *
 * The program is, and what has a graph, and every library that is not the distribution's, unless
 * it offers MPI's functions to others: then it is MPI's binding for a language, or a layer of its
 * profiling interface. The distribution's libraries are not: a user's program is told by its calls
 * of them. But where the program itself is the distribution's, it may be little more than a call of
 * the libraries that do its work: there, those that call MPI belong to it, and those that are
 * linked with such a library, directly or by others (solvers on top of one for communication).
 * BLAS, an FFT and the C library are not.
 */
#ifndef SCA_DETECT_APPLICATION_H
#define SCA_DETECT_APPLICATION_H

#include "symbols/code.h"

/* Sets `application` of each of the files of all runs; those that could not be read are not. */
void sca_application_find(struct sca_code *files, uint32_t count);

/* By where it lies: the distribution's libraries are not the user's to change, debug information or
 * not; nor is ours. */
bool sca_application_is_users_library(const char *path);

/* Whether the file is a library of the distribution that is not looked into, though the program is
 * the distribution's as well: its work may be there. */
bool sca_application_is_system_library(const struct sca_code *file, const struct sca_code *files,
                                       uint32_t count);

#endif
