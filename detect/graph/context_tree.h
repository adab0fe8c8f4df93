/*
 * The materialised context tree: the vertices of all runs, grown along the call paths that were
 * seen, then put into program order (ppg.h says what a vertex is).
 *
 * Vertices and their strings come from the arena given to sca_context_tree_build() and live as long
 * as it. Everything else is released before it returns.
 */
#ifndef SCA_DETECT_CONTEXT_TREE_H
#define SCA_DETECT_CONTEXT_TREE_H

#include "symbols/attribution.h"
#include "graph/tree_input.h"

/* SCA_ENOMEM; SCA_EFORMAT: a profile whose call paths are no tree. `inners` are the caller's. */
int sca_context_tree_build(struct sca_arena *arena, struct sca_attribution *attribution,
                           const struct sca_program *program, struct sca_tree_input *runs,
                           uint32_t nruns, struct sca_ppg_vertex **vertices, uint32_t *nvertices,
                           struct sca_inners *inners);

#endif
