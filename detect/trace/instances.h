/*
 * Instances of an interval (one MPI call to the next) compared between the ranks of a trace: the
 * k-th of one rank with the k-th of the others. Totals tell how much more a rank computes; the
 * instances tell in which steps it does, and in all of them or in a few.
 */
#ifndef SCA_DETECT_INSTANCES_H
#define SCA_DETECT_INSTANCES_H

#include "trace/replay_trace.h"

/* Gives every event its deviation: its interval less that of the middle rank (of eight or more, the
 * one at two fifths) in the same instance; 0 where no other rank has it. */
void sca_instances_compare(struct sca_workspace *space, struct sca_trace *trace, uint32_t nsites);

#endif
