/*
 * Which sites of a run are called from a function that its caller calls, itself or through others:
 * recursion. Their contexts are those of the outermost activation, so that the order of contexts
 * does not tell how a program comes from one of them to another.
 */
#ifndef SCA_DETECT_RECURSIVE_SITES_H
#define SCA_DETECT_RECURSIVE_SITES_H

#include "base/workspace.h"
#include "graph/ppg.h"

/* Per site the outermost context that its call path passes twice; SCA_NONE: none. In `space`. */
const uint32_t *sca_recursive_sites(struct sca_workspace *space, const struct sca_ppg_run *run);

#endif
