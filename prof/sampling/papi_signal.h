/*
 * PAPI's signal. At an overflow PAPI has the kernel send a real-time signal that the program may
 * handle, block or wait for. So before the events run, their descriptor is told to send ours
 * (own_signal.h), from which PAPI's handler is called, and the program gets back what it had for
 * PAPI's. On the thread whose events they are; not in a handler.
 */
#ifndef SCA_PROF_PAPI_SIGNAL_H
#define SCA_PROF_PAPI_SIGNAL_H

/* Around PAPI_overflow(). `descriptor`: of the event that overflows; -1: not found, and PAPI's
 * signal stays as it is. */
void sca_papi_signal_note(void);
void sca_papi_signal_redirect(int descriptor);

#endif
