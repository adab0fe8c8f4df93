/*
 * Builds the performance graph (graph/ppg.h) from profiles: their call paths grow the tree of
 * contexts, their samples and exact times fill it.
 */
#ifndef SCA_DETECT_GRAPH_BUILD_H
#define SCA_DETECT_GRAPH_BUILD_H

#include "graph/ppg.h"

/* Builds the graph of all runs; max_loop_depth SCA_NONE: as compiled. `cache`: the structure of
 * code without a graph is taken from the user's cache, and kept there. `symfs`: the folder below
 * which files are looked for, too, or NULL. SCA_EMISMATCH: runs of different programs, or a binary
 * that changed since the run (both build-ids in the message); SCA_ENOTFOUND: the binary is gone. */
int sca_graph_build(struct sca_profile *const *profiles, uint32_t nprofiles,
                    uint32_t max_loop_depth, bool cache, const char *symfs, struct sca_ppg **out);

#endif
