/*
 * The library's one signal. It is the one by which the C library itself tells threads of a
 * setuid() (SIGSETXID, the second real-time signal). The C library keeps it from programs:
 * sigfillset() leaves it out, no mask that is set through the C library blocks it, sigaction()
 * refuses it, no sigwait() and no signalfd gets it. What the C library sends with it goes on to the
 * C library's handler.
 *
 * Handlers run on the thread's own stack (own_stack.h) with all signals blocked, and are called for
 * each signal: whether it is theirs they tell by what it carries. A program may still block it by a
 * direct system call.
 */
#ifndef SCA_PROF_OWN_SIGNAL_H
#define SCA_PROF_OWN_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCA_OWN_SIGNAL = 33 };

typedef void sca_signal_handler(int number, siginfo_t *info, void *ucontext);

/* The handler is called from now on, and the calling thread lets the signal through. The signal's
 * number; 0: the kernel refuses. Not in a handler. */
int sca_own_signal_take(sca_signal_handler *handler);
void sca_own_signal_leave(sca_signal_handler *handler);

/* When the user's queue of signals is full, by whomever, the kernel sends SIGIO in the place of the
 * one it is told to: unhandled that would end the program. Where nobody handles it, it comes to the
 * same handlers. */
void sca_own_signal_take_substitute(void);

/* On a thread that begins: the C library may have set its own handler with the first of them. */
void sca_own_signal_keep(void);
/* The calling thread gets it, even if its mask was inherited from one that did not. */
void sca_own_signal_let_through(void);
bool sca_own_signal_is_blocked(void); /* for the calling thread */
/* For another one of the process, by the kernel's number of it. Not in a handler. */
bool sca_own_signal_is_blocked_for(int tid);
bool sca_own_signal_is_lost(void); /* somebody else has its handler */

#endif
