/*
 * The vertices in the order of the program: a parent before its children, these as the source has
 * them. Whatever run met them first, the same runs give the same numbers.
 */
#ifndef SCA_DETECT_PROGRAM_ORDER_H
#define SCA_DETECT_PROGRAM_ORDER_H

#include "graph/context_node.h"
#include "graph/tree_input.h"

#include <stdint.h>

/* Writes the vertices, in the contexts' arena, and renumbers the runs' sites and nodes. */
int sca_program_order(struct sca_contexts *contexts, struct sca_tree_input *runs, uint32_t nruns,
                      struct sca_ppg_vertex **vertices, uint32_t *nvertices);

#endif
