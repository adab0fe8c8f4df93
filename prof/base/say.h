/*
 * The few lines this library prints, to standard error, each with its name in front. Nothing is
 * printed once the application has closed standard error or put another file in its place.
 */
#ifndef SCA_PROF_SAY_H
#define SCA_PROF_SAY_H

#include "base/settings.h"

/* At the beginning of the run: remembers which file standard error is. */
void sca_say_begin(void);
/* One line, without its end, if SCALANA_LOG is at least `level`. */
void sca_say(enum sca_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Before MPI_Abort: MPICH's launcher may end without a look at what a rank said last, so wait until
 * it has taken it, a tenth of a second at most. */
void sca_say_wait(void);

#endif
