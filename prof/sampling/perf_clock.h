/*
 * The kernel's task clock of the calling thread (perf_event_open(2), "Overflow handling"): counts
 * its CPU time, but for that in the kernel, and sends it a signal every so many nanoseconds. Owned
 * by the thread; nothing here allocates, so handlers may use it too.
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
};

/* Stands still at first. False, with errno: there is none, or no descriptor for it. */
bool sca_perf_clock_open(struct sca_perf_clock *clock, uint64_t distance_ns, int signal_number);
/* Nothing if it is not open. */
void sca_perf_clock_close(struct sca_perf_clock *clock);

/* From now on so far from signal to signal. Of a clock that runs, the kernel's timer is set anew,
 * which in a virtual machine is a third of what a sample costs. */
void sca_perf_clock_set(const struct sca_perf_clock *clock, uint64_t distance_ns);

/* Lets it run for so many signals more. In the last of them si_code is POLL_HUP, not POLL_IN. */
void sca_perf_clock_run(const struct sca_perf_clock *clock, unsigned signals);

/* What a signal of such a clock takes of the thread, the least of a few, but for its handler:
 * interrupt, the kernel's timer, delivery, return. The last that it was to send takes so much more,
 * to be stopped; to set it and let it run again takes the third. And so much before its time by the
 * program's clock comes the first: what the kernel takes from setting the timer until the program
 * goes on counts as well. All 0 if it cannot be tried. */
struct sca_perf_price {
    uint64_t signal_ns, stop_ns, set_ns, lead_ns;
};

/* Takes half a millisecond. */
struct sca_perf_price sca_perf_cost_measure(void);

#endif
