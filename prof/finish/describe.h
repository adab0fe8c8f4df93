/*
 * The metadata of a run (doc/FORMATS.md): what was run, where, and how the clocks of its hosts
 * stand to each other. Into the arena, at Init and, on rank 0, once more before the profile is
 * written. Not for handlers.
 */
#ifndef SCA_PROF_DESCRIBE_H
#define SCA_PROF_DESCRIBE_H

#include "finish/meet.h"

void sca_describe_run(const struct sca_meeting *meeting, uint32_t rank, uint32_t ranks);
/* At the end, when the core has been busy: how fast it is, which ones the rank and its threads
 * used, what they waited for one, and which ones were idle. */
void sca_describe_core(void);
/* After sca_meet_again(): the offsets of the clocks as they are at the end, and what the library
 * took so far of the CPU time of all ranks. */
void sca_describe_end(const struct sca_meeting *meeting, uint64_t cost_ns, uint64_t cpu_ns);

#endif
