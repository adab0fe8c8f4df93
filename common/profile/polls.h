/*
 * A thread that polls, as readers see it: in the call that looks, since the first of the looks in a
 * row that found nothing.
 */
#ifndef SCA_PROFILE_POLLS_H
#define SCA_PROFILE_POLLS_H

#include "sca_part.h"

/* A record that was read whole; `now_ns` by its clock. It is as of a call then, with
 * SCA_PRESENT_POLLS in nawaited; awaited are those of the last look, if it said so. Where
 * the last look lies back longer than an eighth of the row, the thread does something else, and its
 * record stays. */
void sca_polls_settle(struct sca_part_present *present, uint64_t now_ns);

#endif
