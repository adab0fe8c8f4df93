/*
 * The environment in which a build finds ScalAna's compilers under every name: variables that build
 * systems and MPI's wrappers read, and a folder in front of PATH with links named like the MPI's
 * compilers.
 */
#ifndef SCA_CLI_COMPILERS_H
#define SCA_CLI_COMPILERS_H

#include <stdbool.h>

/* SCA_OK, or SCA_ENOTFOUND with a message: no compiler that ScalAna can use. */
int sca_compilers_check(void);
/* Is there a Fortran compiler that ScalAna can use? */
bool sca_compilers_have_fortran(void);
/* Changes this process's environment. What it replaces is said on standard error. SCA_OK, SCA_EIO
 * or SCA_ENOTFOUND with a message. */
int sca_compilers_replace(bool fortran);

#endif
