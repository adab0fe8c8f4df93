/*
 * dlsym, interposed: a program that looks MPI's functions up by itself, in the MPI library's own
 * handle, gets those of this library, as it would by linking. Language bindings do so. All other
 * look-ups are the C library's, which sees who asks: its function is jumped to, not called.
 */
#ifndef SCA_PROF_LOOKUP_H
#define SCA_PROF_LOOKUP_H

/* What dlsym is to answer; NULL: whatever the C library does. Called by dlsym alone. */
void *sca_lookup_instead(void *handle, const char *name, const void *caller);

#endif
