/*
 * Which run is meant: a run directory, a result of `scalana run`, or a program's name, of which the
 * newest run directory here is taken.
 */
#ifndef SCA_LIVE_FIND_RUN_H
#define SCA_LIVE_FIND_RUN_H

/* The run directory, the caller's to free; NULL with a message (sca_error.h). `operand` NULL: the
 * newest of any program. */
char *sca_find_run(const char *operand);

#endif
