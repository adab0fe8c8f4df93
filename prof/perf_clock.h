/*
 * The kernel's task clock of the calling thread (perf_event_open(2), "Overflow handling"): counts
 * its CPU time, but for that in the kernel, and sends it a signal every so many nanoseconds. Owned
 * by the thread; nothing here allocates, so handlers may use it too.
 *
 * SIGTRAP comes of itself (Linux 5.13); any other signal by an interrupt beside that of the timer,
 * which in a virtual machine is two fifths of all that a sample takes (from Linux 6.11 on; before,
 * both have it).
 */
#ifndef SCA_PROF_PERF_CLOCK_H
#define SCA_PROF_PERF_CLOCK_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { SCA_NO_CLOCK = -1 };

struct sca_perf_clock {
    int descriptor; /* or SCA_NO_CLOCK */
    uint64_t id;    /* the kernel's: the program may have closed our descriptor and reused it */
    uint64_t mark;  /* what its SIGTRAPs bring; 0: it sends another signal */
};

/* Stands still at first. False, with errno: there is none, or no descriptor for it. */
bool sca_perf_open(struct sca_perf_clock *clock, uint64_t distance_ns, int signal_number);
/* Nothing if it is not open. */
void sca_perf_close(struct sca_perf_clock *clock);

/* From now on so far from signal to signal. Of a clock that runs, the kernel's timer is set anew,
 * which in a virtual machine is a third of what a sample costs. */
void sca_perf_set(const struct sca_perf_clock *clock, uint64_t distance_ns);

/* Lets it run for so many signals more. In the last of them si_code is POLL_HUP, not POLL_IN. One
 * that traps runs on: to be stopped would cost an interrupt. */
void sca_perf_run(const struct sca_perf_clock *clock, unsigned signals);

/* A signal of that clock; of any that traps, though it may be closed by now. */
bool sca_perf_sent(const struct sca_perf_clock *clock, const siginfo_t *info);
bool sca_perf_is_trap(const siginfo_t *info);

/* What a signal of such a clock takes of the thread but for its handler, the least of a few:
 * interrupt, the kernel's timer, delivery, return. `single`: with the clock run for each anew. 0 if
 * it cannot be tried. Takes some tenths of a millisecond. */
uint64_t sca_perf_cost_ns(bool single);
/* The same of SIGTRAP, which is taken (trap.h) and given back. */
uint64_t sca_perf_trap_cost_ns(void);

#endif
