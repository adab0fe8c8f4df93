/* The blocks of each loop, those of the loops in it included. */
#ifndef STRUCTURE_LOOP_BLOCKS_H
#define STRUCTURE_LOOP_BLOCKS_H

#include "flow/flow_graph.h"

struct sca_loop_blocks {
    uint32_t *first;  /* per loop, and one more: in blocks[] */
    uint32_t *blocks; /* by address within a loop */
};

/* From malloc; SCA_ENOMEM. */
int sca_loop_blocks_list(const struct sca_flow_graph *graph, struct sca_loop_blocks *out);
void sca_loop_blocks_free(struct sca_loop_blocks *list);
/* Whether the block lies in the loop. */
bool sca_loop_blocks_holds(const struct sca_flow_graph *graph, uint32_t loop, uint32_t block);

#endif
