/*
 * Which ranges of code the unwind tables describe (.eh_frame; Linux Standard Base, "Exception
 * Frames"): one for each function or part of one, also in stripped files.
 */
#ifndef STRUCTURE_FRAME_RANGES_H
#define STRUCTURE_FRAME_RANGES_H

#include "sca_binary.h"

struct sca_frame_range {
    uint64_t low, high;
    uint64_t data; /* address of what its language adds, for exceptions; 0: nothing */
};

/* Sorted by address, from malloc, to be freed by the caller. What cannot be read is left out.
 * SCA_ENOMEM. */
int sca_frame_ranges_read(struct sca_binary *binary, struct sca_frame_range **out, size_t *count);

#endif
