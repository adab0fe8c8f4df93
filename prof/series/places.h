/*
 * Where in the program phases begin and end that it names (series/phases.h): control activities of
 * the task activity graph (A. Sikora et al., 2016, 2.1). Each is a site, which no interval leads
 * to. Steps (SCA_SAMPLE_STEP) lead to it, and from it on to the next one or to the next MPI call.
 *
 * Bounded: SCA_MOST_PLACES and SCA_MOST_STEPS of a rank; of more, nothing is kept. Of the thread
 * that called MPI_Init alone. Not in a handler. Never allocates.
 */
#ifndef SCA_PROF_PLACES_H
#define SCA_PROF_PLACES_H

#include <stdint.h>

enum { SCA_MOST_PLACES = 512, SCA_MOST_STEPS = 2048 };

/* The thread passes one at `ns` (node clock): SCA_PLACE_BEGINS or SCA_PLACE_ENDS, and the phase's
 * name as sca_phases_enter() says it. The frame is that of the call which says so. Outside of the
 * tool, without the state lock.
 */
void sca_places_pass(const char *kind, const char *name, uint64_t ns, const void *return_address,
                     const void *cfa);

/* Whether sca_places_arrive() has to be asked. */
extern uint32_t sca_places_open;

/* An MPI call is booked that was entered at `ns`. State lock held. */
void sca_places_arrive(uint32_t site, uint64_t ns);

/* Recording pauses: what comes next is not known. */
void sca_places_pause(void);

#endif
