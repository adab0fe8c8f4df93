/*
 * Programs that have an MPI library linked into their own file (libmpi.a): their calls go there,
 * past every preloaded library, so that there is no profile and nobody who says so. Others load one
 * in a way that passes by (rebind.h).
 */
#ifndef SCA_PROF_LINKED_IN_H
#define SCA_PROF_LINKED_IN_H

/* At the end of a process in which MPI was never entered: says so, if its program is such a one and
 * has its symbols; once on each host as far as the launcher tells. Not in children of it that did
 * not call exec. */
void sca_linked_in_say(void);

#endif
