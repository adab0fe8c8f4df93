/*
 * Which call a sample's computation led to. A call may be followed by different ones, as in a loop
 * by the next round or by what comes behind, and what was computed before each is known exactly
 * (struct sca_part_interval). So samples are booked by both ends of their interval: by the first as
 * they are taken, so that nothing is lost if the process dies, and by the other when it is reached.
 *
 * State lock held.
 */
#ifndef SCA_PROF_SAMPLE_NEXT_H
#define SCA_PROF_SAMPLE_NEXT_H

#include "base/guard.h"
#include "sca_part.h"

enum { SCA_SAMPLE_KEY = 4 }; /* words: node, previous, kind and thread, next */

/* That word, as it lies in memory. */
static inline uint32_t sca_sample_next_of(enum sca_part_sample_kind kind, uint32_t thread)
{
    return (uint32_t)kind | thread << 16;
}

/* A record of SCA_T_SAMPLES has so many periods, or blocked calls, more, after a call of this
 * thread's. In handlers, of other threads too. Beyond SCA_MOST_AHEAD records the next call stays
 * unknown. */
void sca_sample_next_await(struct sca_thread *caller, uint32_t record, unsigned periods);
/* The calling thread, in the interval that is open, has a record of so many ns at a site, once
 * more. */
void sca_sample_next_book(uint32_t site, enum sca_part_sample_kind kind, uint32_t thread,
                          uint64_t ns);
/* The calling thread has gone from one site to the next, and took so long of its own in between.
 * Not in a handler. */
void sca_sample_next_arrive(struct sca_thread *caller, uint32_t previous, uint32_t site,
                            uint64_t own_ns);

#endif
