/*
 * Our call paths against libunwind's, frame by frame. One arena per test process.
 * A path of ours that ends before libunwind's does (with the unknown node on top) is counted as
 * cut; every frame it has must still agree.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stdint.h>

struct oracle_count {
    uint64_t paths, frames, mismatches, cut, deepest;
};

extern struct oracle_count oracle;

void oracle_open(void);
void oracle_reset(void);
/* The path of a wrapper's caller; call it as sca_callpath_call() is called in a wrapper. */
void oracle_check_call(const void *return_address, const void *cfa);
/* The path of an interrupted instruction. */
void oracle_check_sample(const void *ucontext);
/* The innermost addresses of a node, as they are in memory now; returns how many. */
unsigned oracle_addresses(uint32_t node, uint64_t *out, unsigned most, bool *cut);

#endif
