/*
 * Which source every instruction of a function comes from: its line, and the calls that were
 * inlined around it, as debug information has them.
 *
 * A map may be filled again and again; its arrays are kept until sca_source_map_free(). File names
 * belong to the Dwarf.
 */
#ifndef STRUCTURE_SOURCE_MAP_H
#define STRUCTURE_SOURCE_MAP_H

#include "flow/flow_graph.h"
#include "sca_compile_units.h"

struct sca_source_line {
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
};

/* An active function: the one that has the code, or one inlined into another. Parents come before
 * children; node 0 is the function itself. */
struct sca_source_node {
    uint32_t parent, depth;
    struct sca_source_line call; /* where the parent calls it; none for node 0 */
    Dwarf_Die die;
    bool described; /* `die` is set */
};

struct sca_source_map {
    struct sca_source_node *nodes;
    size_t nnodes, nodes_capacity;
    struct sca_source_line *line; /* of each instruction */
    uint32_t *node;               /* of each instruction: the innermost one */
    size_t capacity;
};

/* SCA_ENOMEM. Without debug information for the function there is one node and no line. */
int sca_source_map_fill(const struct sca_units *units, const struct sca_flow_graph *graph,
                        struct sca_source_map *map);
void sca_source_map_free(struct sca_source_map *map);

/* The line of an instruction as it is seen in a function that is active there: its own, or that of
 * the call that was inlined. */
struct sca_source_line sca_source_map_line(const struct sca_source_map *map, size_t instruction,
                                           uint32_t node);
/* Whether `node` is `other` or was inlined into it. */
bool sca_source_map_is_within(const struct sca_source_map *map, uint32_t node, uint32_t other);
/* The node below `node` that leads to `deeper`; `deeper` is within `node` and is not it. */
uint32_t sca_source_map_child(const struct sca_source_map *map, uint32_t node, uint32_t deeper);

#endif
