/*
 * Where samples land: the innermost frames, by ranges of addresses that have one recipe. A sample
 * lands on an instruction of its own nearly each time. Kept by the address as callers are
 * (frames.h) each would be read from .eh_frame anew and touch a page of that table for the first
 * time, which took longer than the rest of a sample.
 *
 * Lock-free: any thread, handlers too. A small table; what it has no room for is read anew.
 */
#ifndef SCA_PROF_LEAVES_H
#define SCA_PROF_LEAVES_H

#include "unwind/frames.h"

/* The frame of code interrupted at pc, its key marked as exact. Its mark is none: no path is known
 * by it. */
void sca_leaves_find(uint64_t pc, struct sca_frame *out);

/* Of code that is no longer there. Not in a handler. */
void sca_leaves_forget(uint64_t first, uint64_t last);

#endif
