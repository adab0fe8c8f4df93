/*
 * Steps of sca_psg_link(), in the order they run; each fills in its members of the program.
 * Inside common/psg only. Memory stays the program's.
 */
#ifndef PSG_LINK_H
#define PSG_LINK_H

#include "sca_psg.h"

/* Components of the call graph, numbered callees first, and the flags of recursion. */
int sca_psg_cycles(struct sca_program *program);
/* A function, with its component of the call graph. */
struct sca_ordered_function {
    uint32_t component, function;
};
/* All functions, callees first, once sca_psg_cycles() has numbered the components. The caller's
 * to free; NULL without memory. */
struct sca_ordered_function *sca_psg_cycles_callees_first(const struct sca_program *program);
/* whole[], kept[] and kind[] of every function. */
int sca_psg_contract(struct sca_program *program);

/* A call to code without a graph, whose callee the linker knows: computation to us. */
static inline bool sca_psg_link_is_foreign(const struct sca_program_function *f, uint32_t vertex)
{
    const struct sca_vertex *v = &f->local->vertices[vertex];
    return v->kind == SCA_CALL && !(v->flags & SCA_VF_INDIRECT) &&
           f->callee[vertex] == SCA_NO_FUNCTION;
}

#endif
