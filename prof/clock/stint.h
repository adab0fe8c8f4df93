/*
 * Whether a thread has had its core to itself since an earlier moment, for two loads instead of
 * the system call that reads a CPU clock.
 *
 * The kernel notes in a thread's restartable-sequence area (struct rseq's field rseq_cs,
 * linux/rseq.h) when it takes the core away, moves the thread or delivers a signal: it clears the
 * field if the thread is not in the sequence that the field names. A sequence that is never run,
 * named there, so lasts exactly as long as nothing of the kind happens. A program with sequences
 * of its own replaces the name, which only looks like an end.
 *
 * "No" is always a safe answer: it is the only one before sca_stint_begin(), where the kernel has
 * no restartable sequences, the C library did not register them (before glibc 2.35, or by
 * GLIBC_TUNABLES), or a trial showed that the kernel does not clear the field at every switch.
 * Not for handlers: a signal has ended the stint.
 */
#ifndef SCA_PROF_STINT_H
#define SCA_PROF_STINT_H

#include <stdbool.h>

/* Once, by one thread: makes the trial, which sleeps for some 20 us. */
void sca_stint_init(void);
/* From now on, for the calling thread. */
void sca_stint_begin(void);
/* True: since its last sca_stint_begin() this thread was neither switched nor signalled. */
bool sca_stint_lasts(void);
/* The number of the core that the calling thread is on; -1: the kernel does not tell for nothing.
 */
int sca_stint_core(void);

#endif
