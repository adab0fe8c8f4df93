/*
 * Which segments of a thread have a clock that makes every switch dearer. A segment is what a
 * thread does from the end of a wait in MPI (idle.h) to the next wait, or to the next look for what
 * it waits for, or to a call that is often followed by long computation: else what takes long would
 * belong to whichever call before it happened to wait, and not be likely after any. Where ranks
 * share cores and wait thousands of times a second, few segments are drawn for the clock, each as
 * its wait ends: one that is likely to be twice as long is drawn twice as often, for one sample. So
 * no moment of a program is sampled more often than another, however wrong that likelihood was
 * (sampling with unequal probabilities: Horvitz and Thompson 1952), but for what comes later in a
 * segment than 17 times what was likely, which has fewer. In the others, and in waits, there is no
 * clock. Several samples of one segment tell hardly more than one: what a program does there
 * resembles itself (cluster sampling: Kish 1965, chapter 5).
 *
 * One state per thread, for sampler_perf.c; nanoseconds.
 */
#ifndef SCA_PROF_SAMPLER_SEGMENT_H
#define SCA_PROF_SAMPLER_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Where the next samples are to come: so far from now in CPU time, and, of several, from one to the
 * next. How many, and how many periods each stands for. */
struct sca_aim {
    uint64_t distance_ns;
    unsigned samples, periods;
};

/* Of the calling thread, whose clock runs. `run` begins it anew, with a first aim, or ends it; from
 * a handler, too. Not in handlers. */
void sca_sampler_segment_start(void (*run)(bool on), uint64_t period_ns);
void sca_sampler_segment_stop(void);
/* The thread begins to wait in an MPI call, or has done so. Nothing, unless it was started. */
void sca_sampler_segment_wait(bool waits);
/* Leaves a call that may be followed by long computation. Nothing where it never waited: then the
 * clock runs on. */
void sca_sampler_segment_part(void);

/* The clock's aims: one as it begins (`first`), the next when all samples of that have come; steady
 * ones of a thread that was not started here. From handlers, too. */
struct sca_aim sca_sampler_segment_aim(uint64_t period_ns, bool first);

#endif
