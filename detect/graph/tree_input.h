/*
 * The call paths of one run, and where in the tree of contexts they lead.
 */
#ifndef SCA_DETECT_TREE_INPUT_H
#define SCA_DETECT_TREE_INPUT_H

#include "graph/ppg.h"

struct sca_tree_input { /* one run */
    const struct sca_profile *profile;
    const uint32_t *module; /* per profile module: its index in the attribution, or SCA_NONE */
    uint32_t *site_vertex;  /* filled in, from the arena */
    uint32_t *node_vertex;
    uint32_t *node_inner;
};

#endif
