/*
 * Builds the performance graph (graph/ppg.h) from profiles: their call paths grow the tree of
 * contexts, their samples and exact times fill it.
 */
#ifndef SCA_DETECT_GRAPH_BUILD_H
#define SCA_DETECT_GRAPH_BUILD_H

#include "graph/ppg.h"

struct sca_graph_wish {
    uint32_t max_loop_depth; /* SCA_NONE: as compiled */
    bool cache;        /* the structure of code without a graph is taken from the user's cache, and
                          kept there */
    bool unmeasured;   /* vertices of sites and nodes alone; all else of a run that has a value per
                          vertex or interval stays NULL */
    const char *symfs; /* the folder below which files are looked for, too, or NULL */
};

/* Builds the graph of all runs. SCA_EMISMATCH: runs of different programs, or a binary that changed
 * since the run (both build-ids in the message); SCA_ENOTFOUND: the binary is gone. */
int sca_graph_build(struct sca_profile *const *profiles, uint32_t nprofiles,
                    const struct sca_graph_wish *wish, struct sca_ppg **out);

#endif
