/* The finished graph: the draft's functions as records of one unit, and stacks of their ids. */
#ifndef STRUCTURE_EMIT_H
#define STRUCTURE_EMIT_H

#include "graph/draft.h"
#include "graph/stack_table.h"

/* Fills all of `out`. `source`: what the unit is said to be compiled from. SCA_ENOMEM. */
int sca_emit(struct sca_draft *draft, struct sca_stack_table *stacks, const char *source,
             struct sca_structure *out);

#endif
