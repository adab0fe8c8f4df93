/*
 * What sharing cores adds to single intervals. A rank that was switched out needs more CPU time for
 * the same work: cold caches, and in virtual machines the host's own work. Such times fall on all
 * ranks alike and at random; in a replay, where the slowest of each step counts, they hide a part
 * of what mending a cause saves.
 *
 * Put down to the cores is, per rank and interval (intervals.h), by what an instance differs from
 * the other ranks more than the rank's usually do: up to twice what the middle rank has of that, in
 * an instance and in all, if that is little.
 */
#ifndef SCA_DETECT_OS_NOISE_H
#define SCA_DETECT_OS_NOISE_H

#include "trace/replay_trace.h"

/* Fills `disturbed` of the sequences, `calm_excess` and `calm_part` of the traces, in the traces'
 * room. Without recorded windows, where instances are not known, and with more than four million
 * intervals of ranks, nothing is done. */
void sca_os_noise_find(struct sca_traces *traces, uint32_t nranks,
                       const struct sca_intervals *intervals);

/* The interval with most of what the traces of this process put down to the cores, each as often as
 * it happened; SCA_NONE: nothing is. */
uint32_t sca_os_noise_most(struct sca_workspace *space, const struct sca_traces *traces,
                           const struct sca_intervals *intervals);

#endif
