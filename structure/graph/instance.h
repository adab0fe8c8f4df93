/*
 * Puts one function of machine code into the draft: its loops and calls become vertices of the
 * functions of the source they were written in, and each instruction gets its stack of vertices.
 */
#ifndef STRUCTURE_INSTANCE_H
#define STRUCTURE_INSTANCE_H

#include "graph/naming.h"
#include "graph/stack_table.h"
#include "source/loop_place.h"

struct sca_instance {
    const struct sca_code_image *image;
    struct sca_naming *naming;
    struct sca_stack_table *stacks;
    const struct sca_flow_graph *graph;
    const struct sca_source_map *map;
    const struct sca_loop_places *places;
};

/* `code`: index of the piece the graph begins with. SCA_ENOMEM. */
int sca_instance_add(struct sca_instance *instance, uint32_t code);

#endif
