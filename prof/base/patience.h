/*
 * Waiting for other ranks, but not for ever and not for the dead. Never allocates; on the thread
 * that calls Init or Finalize.
 */
#ifndef SCA_PROF_PATIENCE_H
#define SCA_PROF_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>

/* How long to wait, and when to look again whether it is for the dead. */
struct sca_patience {
    double end, look;
};

double sca_patience_now(void);
struct sca_patience sca_patience_begin(double limit);
bool sca_patience_is_over(const struct sca_patience *patience);
/* True now and then, so that what costs system calls is not done all the time. */
bool sca_patience_looks(struct sca_patience *patience);
/* Between two looks: yields at first, then sleeps ever longer. Counts the turns. */
void sca_patience_pause(unsigned *turn);

/* Process numbers of the ranks that share ours, 0 for others; stays the caller's, and in place. */
void sca_patience_watch(const int32_t *by_rank);
/* Seen to have died; false for ranks that cannot be seen. */
bool sca_patience_is_dead(uint32_t rank);

#endif
