/*
 * Periodic snapshots (SCALANA_SNAPSHOT=10m), for jobs that nobody watches: now and then a rank
 * copies its state into RUN/snapshots/600s/rank-N.part, the number being the seconds after MPI_Init
 * that it was due at. Ranks do so on their own, at the next MPI call, and do not wait for each
 * other.
 *
 * Bounded: as soon as there are SCA_MOST_SNAPSHOTS, every second one is removed, and they come half
 * as often. Where the disk is full there are no more, and rank 0 says so.
 */
#ifndef SCA_PROF_SNAPSHOT_H
#define SCA_PROF_SNAPSHOT_H

#include <stdint.h>

enum { SCA_MOST_SNAPSHOTS = 16 };

/* When the next one is due, by the node clock; UINT64_MAX: never. */
extern uint64_t sca_snapshot_due_ns;

/* Recording begins, into this directory. */
void sca_snapshot_begin(const char *directory);
/* One is due. On a thread that has left an MPI call, without the state lock. */
void sca_snapshot_take(uint64_t now_ns);
void sca_snapshot_end(void);

#endif
