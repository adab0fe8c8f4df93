/*
 * Growing the context tree: one vertex per (parent, what it is), found again whenever a path of
 * any run comes by. Used by context_tree.c alone. A failure sticks in `status`; the functions then
 * return vertex 0.
 */
#ifndef SCA_DETECT_CONTEXT_GROWTH_H
#define SCA_DETECT_CONTEXT_GROWTH_H

#include "graph/context_node.h"

struct sca_spot {                  /* an active function, and where in it the path goes on */
    uint32_t base;                 /* its activation: the root or a call */
    const struct sca_frame *frame; /* NULL: nothing is active yet */
    /* Where contraction made the functions that are called there part of it: */
    uint32_t inner;               /* the last of them (inner_function.h); 0: there is none */
    const struct sca_frame *last; /* and where in that; NULL: there is none with a graph */
};

/* The root, with nothing known of main yet. */
void sca_context_growth_init(struct sca_contexts *g, struct sca_arena *arena,
                             const struct sca_program *program,
                             const struct sca_contraction *contraction, struct sca_inners *inners,
                             const char *name);
/* Makes frame the program's main function. */
void sca_context_growth_main(struct sca_contexts *g, const struct sca_frame *frame);
/* The callee's activation below a spot; a recursive callee's is the outermost one. */
uint32_t sca_context_growth_call(struct sca_contexts *g, const struct sca_spot *spot,
                                 const struct sca_frame *callee);
/* Of a thread's first function: where the master runs it, else below the function it was outlined
 * from, else below the root. */
uint32_t sca_context_growth_thread(struct sca_contexts *g, const struct sca_frame *callee);
/* Where computation at the spot belongs. */
uint32_t sca_context_growth_sample(struct sca_contexts *g, const struct sca_spot *spot);
uint32_t sca_context_growth_mpi(struct sca_contexts *g, const struct sca_spot *spot,
                                const char *name);

#endif
