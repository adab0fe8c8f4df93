/*
 * The growing tree of contexts: its vertices while their children are still to come. Out of memory
 * sets contexts->status, and everything becomes the root.
 */
#ifndef SCA_DETECT_CONTEXT_NODE_H
#define SCA_DETECT_CONTEXT_NODE_H

#include "graph/contraction.h"
#include "graph/ppg.h"
#include "symbols/attribution.h"

struct sca_context_node {
    struct sca_ppg_vertex shown;
    uint32_t function, vertex; /* in the graph, or SCA_NO_FUNCTION and the line */
    /* Calls and the root: the function that is active below. */
    uint32_t active;
    const char *active_file;
    uint32_t first_child, next; /* SCA_NONE ends */
};

struct sca_contexts {
    struct sca_arena *arena;
    const struct sca_program *program;
    const struct sca_contraction *contraction;
    struct sca_inners *inners;
    struct sca_context_node *nodes; /* from malloc; 0 is the root */
    size_t capacity;
    uint32_t count;
    int status;
};

/* In no function, below `parent`. */
struct sca_context_node sca_context_node_blank(uint32_t parent, uint32_t kind, const char *name);
/* The vertex like `wanted` below its parent, made if there is none. */
uint32_t sca_context_node_at(struct sca_contexts *contexts, const struct sca_context_node *wanted);
uint32_t sca_context_node_append(struct sca_contexts *contexts,
                                 const struct sca_context_node *wanted);
/* Text that lives as long as the tree. */
const char *sca_context_node_copy(struct sca_contexts *contexts, const char *text);
/* A Fortran program's main has no name that its user knows. */
const char *sca_context_node_written_name(const char *function);

#endif
