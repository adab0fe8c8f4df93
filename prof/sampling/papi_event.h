/*
 * Events by name. What happens in the kernel alone, such as a context switch, is counted there: a
 * count of user mode, which is all that PAPI asks for by itself, is always 0. Linux allows it where
 * kernel.perf_event_paranoid is 1 at most, or to who has CAP_PERFMON. Any thread.
 */
#ifndef SCA_PAPI_EVENT_H
#define SCA_PAPI_EVENT_H

/* PAPI_OK and the event's code, or PAPI's reason: PAPI_EPERM where the kernel may not be counted.
 */
int sca_papi_event_code(const char *name, int *code);

#endif
