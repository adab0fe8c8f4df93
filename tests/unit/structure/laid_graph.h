/* Graphs of numbered blocks, one instruction each, as a test writes them down: edges only. */
#ifndef SCA_TEST_LAID_GRAPH_H
#define SCA_TEST_LAID_GRAPH_H

#include "flow/flow_graph.h"

struct laid_edge {
    uint32_t from, to;
};

/* Block 0 is the root. Ordered, and loops are found. To be freed by sca_flow_graph_free(). */
void laid_graph(struct sca_flow_graph *graph, uint32_t nblocks, const struct laid_edge *edges,
                size_t count);
#define LAID_GRAPH(graph, nblocks, ...)                                                            \
    laid_graph(graph, nblocks, (const struct laid_edge[]){__VA_ARGS__},                            \
               sizeof((const struct laid_edge[]){__VA_ARGS__}) / sizeof(struct laid_edge))

#endif
