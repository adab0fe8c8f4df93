/*
 * The calling thread's set of PAPI events, at most one, by which a backend samples or counts: made,
 * filled and started by the backend, then kept or dropped, at last stopped. For sampler*.c alone,
 * once sca_papi_library_open() has found the library. sca_papi_set() may be asked in a handler.
 */
#ifndef SCA_PROF_PAPI_SET_H
#define SCA_PROF_PAPI_SET_H

/* The set, or PAPI_NULL. */
int sca_papi_set(void);
/* Makes an empty one; PAPI's status. */
int sca_papi_set_open(void);
/* The descriptor of the event that overflows, once it is set to; -1: not found. */
int sca_papi_set_overflowing(void);
/* The set has been started with so many events, or `status` says why not: then it is dropped.
 * Returns `status`. */
int sca_papi_set_keep(int status, unsigned events);
/* Nothing where there is none. */
void sca_papi_set_stop(void);

#endif
