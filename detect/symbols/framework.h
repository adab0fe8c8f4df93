/*
 * Functions that only drive code which is passed to them: those of system headers, templates made
 * for a lambda in which nothing goes round without it, and templates made for a functor whose loops
 * call nothing else.
 */
#ifndef SCA_DETECT_FRAMEWORK_H
#define SCA_DETECT_FRAMEWORK_H

#include "sca_psg.h"

/* Sets framework[] by function of the program. SCA_ENOMEM. */
int sca_framework_find(const struct sca_program *program, bool *framework);

#endif
