/*
 * SIGTRAP, by which the kernel can tell a thread of a sample at once (perf_event_open(2),
 * "sigtrap"). Any other signal it sends from an interrupt of its own: in a virtual machine that
 * takes more of the thread than the sample itself.
 *
 * The program goes on to have that signal as if it were nobody else's: sigaction, signal and
 * sysv_signal are interposed, so that what it sets is kept here, and gets what is not ours.
 */
#ifndef SCA_PROF_TRAP_H
#define SCA_PROF_TRAP_H

#include <signal.h>
#include <stdbool.h>

typedef void sca_trap_handler(int, siginfo_t *, void *);

/* The handler becomes that of SIGTRAP, also instead of the one before. False, and nothing changed,
 * where a debugger looks on (it would take each for a breakpoint), where something like valgrind
 * stands between the program and its signals (it would end the program), or the calling thread
 * blocks the signal. Not in a signal handler. */
bool sca_trap_take(sca_trap_handler *handler);

/* The program's own action is in force again. */
void sca_trap_give_back(void);

/* The handler is in force, whatever way the program has to set another. In handlers, too. */
bool sca_trap_is_taken(void);

/* To be called by the handler with what is not ours: does what the program set. */
void sca_trap_pass_on(int number, siginfo_t *info, void *ucontext);

#endif
