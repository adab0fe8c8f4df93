/*
 * Growing the context tree: one vertex per (parent, what it is), found again whenever a path of
 * any run comes by. Used by context_tree.c alone. A failure sticks in `status`; the functions then
 * return vertex 0.
 */
#ifndef SCA_DETECT_CONTEXT_GROWTH_H
#define SCA_DETECT_CONTEXT_GROWTH_H

#include "symbols/attribution.h"
#include "graph/contraction.h"
#include "graph/ppg.h"

struct sca_knot {
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
    struct sca_knot *knots; /* from malloc; 0 is the root */
    size_t capacity;
    uint32_t count;
    int status;
};

struct sca_spot {                  /* an active function, and where in it the path goes on */
    uint32_t base;                 /* its activation: the root or a call */
    const struct sca_frame *frame; /* NULL: nothing is active yet */
    /* Where contraction made the functions that are called there part of it: */
    uint32_t inner;               /* the last of them (inner_function.h); 0: there is none */
    const struct sca_frame *last; /* and where in that; NULL: there is none with a graph */
};

/* The root, with nothing known of main yet. */
void sca_contexts_init(struct sca_contexts *g, struct sca_arena *arena,
                       const struct sca_program *program, const struct sca_contraction *contraction,
                       struct sca_inners *inners, const char *name);
/* Makes frame the program's main function. */
void sca_context_main(struct sca_contexts *g, const struct sca_frame *frame);
/* The callee's activation below a spot; a recursive callee's is the outermost one. */
uint32_t sca_context_call(struct sca_contexts *g, const struct sca_spot *spot,
                          const struct sca_frame *callee);
/* Of a thread's first function: where the master runs it, else below the function it was outlined
 * from, else below the root. */
uint32_t sca_context_thread(struct sca_contexts *g, const struct sca_frame *callee);
/* Where computation at the spot belongs. */
uint32_t sca_context_sample(struct sca_contexts *g, const struct sca_spot *spot);
uint32_t sca_context_mpi(struct sca_contexts *g, const struct sca_spot *spot, const char *name);

#endif
