/*
 * What threads of a process hand over to each other by: condition variables, semaphores, barriers,
 * words that they sleep at, threads that end. Each has the moment of whoever told, for those
 * who wait (virtual_time.h). Nothing is noted while nobody waits. The table has no order: of two
 * objects that fall on one place the later is known, unless threads wait for the other.
 *
 * Any thread that sca_virtual_time_follows(), not in a handler; nothing is held while a thread
 * waits; no allocation.
 */
#ifndef SCA_PROF_HAND_OVER_H
#define SCA_PROF_HAND_OVER_H

#include <stdbool.h>
#include <stdint.h>

/* Whether some thread waits for it. Costs a few loads. */
bool sca_hand_over_is_awaited(const void *object);
/* Whoever waits for it, or, with `keep`, whoever will, may go on by the calling thread, now. */
void sca_hand_over_tell(const void *object, bool keep);

/* Around a wait. A thread that is cancelled in it ends it as well. */
struct sca_hand_over_object;
struct sca_hand_over_wait {
    struct sca_hand_over_object *at; /* NULL: not followed */
    uint32_t number;                 /* of what was told until then */
    uint64_t began_ns;
};
struct sca_hand_over_wait sca_hand_over_wait_begin(const void *object);
/* What it waited in virtual time for who told first since then, ns: one that gets a core late has
 * been told more often. *thread: whom that is charged to. */
uint64_t sca_hand_over_wait_end(const struct sca_hand_over_wait *wait, uint32_t *thread);
/* It goes on by what was told with `keep`; likewise. */
uint64_t sca_hand_over_take(const void *object, uint32_t *thread);

/* The calling thread ends: those that join it go on by it. */
void sca_hand_over_thread_stop(void);

/* A barrier of so many threads is made there. */
void sca_hand_over_barrier(const void *barrier, unsigned members);
/* The calling thread comes to it; its turn, or -1: not known. Then it leaves it, at the latest
 * moment of that turn. */
int sca_hand_over_arrive(const void *barrier);
uint64_t sca_hand_over_depart(const void *barrier, int turn, uint32_t *thread);

#endif
