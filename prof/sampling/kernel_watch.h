/*
 * Samples of a thread's time in the kernel: page faults and system calls. Who samples the program
 * itself (sampler_perf.c, PAPI) learns of no moment in the kernel: a signal that comes then may
 * make a system call return EINTR. A timer on the thread's CPU clock is looked at by the kernel at
 * its ticks, and its signal sent as the thread goes back to its own code (task work, since
 * Linux 5.9): no call sees it, and it finds the instruction that faulted or called. Whether the
 * thread was in the kernel at the tick is told by its time there, which grows by a tick then.
 *
 * One watch per thread. Of threads whose samples are such timers' anyway there is none.
 */
#ifndef SCA_PROF_KERNEL_WATCH_H
#define SCA_PROF_KERNEL_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* False where this kernel has no such timers; then no thread is to be watched. */
bool sca_kernel_watch_prepare(uint64_t period_ns);

/* Of the calling thread. */
void sca_kernel_watch_begin(void);
void sca_kernel_watch_end(void);

#endif
