/*
 * Sampling: PAPI overflow on PAPI_TOT_CYC, else perf::TASK-CLOCK, else timer_create on the
 * thread's CPU clock; always a CPU clock, one event set or timer per thread.
 * Counters (SCALANA_EVENTS) are read at samples, and where a sample's interval ends. What is used,
 * and why not something better, goes into the metadata "sampling"; what is counted into "metrics",
 * what cannot be into "metrics.absent".
 *
 * prepare, start and stop: once each, on the thread that called MPI_Init; prepare and stop also
 * where there is no start. thread_start and thread_stop: any thread for itself, any number of
 * times. None in a handler.
 */
#ifndef SCA_PROF_SAMPLER_H
#define SCA_PROF_SAMPLER_H

#include "sca_part.h"
#include <stdbool.h>

/* While MPI_Init runs: what the kernel needs time for, it may do meanwhile. Settings are read. */
void sca_sampler_prepare(void);
void sca_sampler_start(void);
void sca_sampler_thread_start(void); /* on every further thread, when it first shows up */
void sca_sampler_thread_stop(void);
void sca_sampler_stop(void); /* before Finalize: all threads stop sampling */
/* The calling thread, for as long as it waits: no samples, where they would cost more than the
 * signal. Counters of SCALANA_EVENTS go on. */
void sca_sampler_pause(bool paused);
/* The calling thread enters or leaves a call, and is `counting`: what its counters count from here
 * on is none of the place where its last sample was. */
void sca_sampler_count_rest(void);
/* What the calling thread's counters have counted so far, exactly; it is in this library. False:
 * there are none, or they take turns and are estimates. Any time that it takes is the library's
 * own.
 */
bool sca_sampler_read_counters(uint64_t counters[SCA_MAX_METRICS]);
/* The calling thread leaves a call after which it may compute for long: which part of what it does
 * is sampled is asked anew. */
void sca_sampler_part(void);
/* Samples come half as often from now on, each counting for more. False: they cannot. */
bool sca_sampler_slow_down(void);

/* Whose interval the calling thread's work lies in. */
struct sca_thread *sca_sampler_caller(void);

#endif
