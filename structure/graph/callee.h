/* What a call in machine code leads to, and what the graph makes of it. */
#ifndef STRUCTURE_CALLEE_H
#define STRUCTURE_CALLEE_H

#include "flow/flow_graph.h"

struct sca_callee {
    bool is_call; /* else the instruction is computation */
    bool is_mpi;
    bool is_indirect; /* through a pointer: unknown until run time */
    uint32_t code;    /* the piece of this file that is called, SCA_NO_CODE: none */
    const char *name; /* of another file's function, "" unknown */
};

/* Of graph->instructions[index], the last of its block or not. */
struct sca_callee sca_callee_find(const struct sca_code_image *image,
                                  const struct sca_code_functions *functions,
                                  const struct sca_flow_graph *graph, size_t index);

#endif
