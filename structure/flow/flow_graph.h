/*
 * The control flow of one function in machine code: its instructions, basic blocks and loops.
 *
 * A loop is a strongly connected part of the graph with what lies in it when its header is taken
 * out (nested strongly connected components: Steensgaard 1993, Havlak 1997), so loops with several
 * entries are loops too. A graph may be filled again and again: its arrays grow and are kept until
 * sca_flow_graph_free().
 */
#ifndef STRUCTURE_FLOW_GRAPH_H
#define STRUCTURE_FLOW_GRAPH_H

#include "image/code_functions.h"

#define SCA_NO_LOOP  UINT32_MAX
#define SCA_NO_BLOCK UINT32_MAX

struct sca_flow_span { /* of code that belongs to the function */
    uint64_t low, high;
    struct sca_code_bytes code; /* from `low` on */
    uint8_t *marks;             /* per byte, enum sca_flow_mark */
};

struct sca_flow_edge {
    uint64_t from, to; /* addresses: of the jump, and of where it leads */
};

struct sca_flow_block {
    uint32_t first, count;           /* of its instructions */
    uint32_t successor, nsuccessors; /* in successors[] */
    uint32_t loop;                   /* the innermost one it is in */
    uint32_t order;                  /* reverse postorder; SCA_NO_BLOCK: never reached */
};

struct sca_flow_loop {
    uint32_t parent; /* SCA_NO_LOOP: none; parents come before children */
    uint32_t header; /* block through which it is entered */
    uint32_t depth;  /* 1: no loop around it */
    bool many;       /* it has several entries: which is its header is a choice */
};

struct sca_flow_graph {
    struct sca_flow_span *spans; /* the first holds the function's beginning */
    size_t nspans, spans_capacity;
    struct sca_instruction *instructions; /* by address */
    size_t ninstructions, instructions_capacity;
    struct sca_flow_edge *jumps; /* of indirect jumps, by `from` */
    size_t njumps, jumps_capacity;
    uint64_t *roots; /* the beginning first, then code that nothing leads to */
    size_t nroots, roots_capacity;
    struct sca_flow_block *blocks; /* by address */
    size_t nblocks, blocks_capacity;
    uint32_t *successors;
    size_t nsuccessors, successors_capacity;
    struct sca_flow_loop *loops;
    size_t nloops, loops_capacity;
    uint32_t *ordered; /* blocks in reverse postorder, then those never reached */
    size_t ordered_capacity;
    size_t nreached; /* the first so many of `ordered` are reached from the beginning */
    bool returns;    /* it may come back to its caller */
};

/* What is known of the whole binary while a function is followed. */
struct sca_flow_code {
    const struct sca_code_image *image;
    struct sca_code_functions *functions;                   /* parts get their owners */
    bool (*no_return)(const void *names, const char *name); /* of other files' functions */
    const void *names;
};

/* Follows the function's code and fills instructions, spans and blocks; loops too if wanted.
 * SCA_ENOMEM. */
int sca_flow_graph_fill(const struct sca_flow_code *code, uint32_t function, bool loops,
                        struct sca_flow_graph *graph);
void sca_flow_graph_free(struct sca_flow_graph *graph);

/* Index of the instruction at or behind an address; ninstructions if there is none. */
size_t sca_flow_graph_find(const struct sca_flow_graph *graph, uint64_t address);
/* Index of the block that begins there; SCA_NO_BLOCK. */
uint32_t sca_flow_graph_block(const struct sca_flow_graph *graph, uint64_t address);

/* ---- between the files of this room ---- */

enum sca_flow_mark {
    SCA_MARK_BEGINS = 1, /* an instruction */
    SCA_MARK_LEADER = 2, /* jumps lead there, or it is a root */
    SCA_MARK_COVERED = 4 /* part of an instruction */
};

/* Whether control comes back from a call or goes on behind a jump to outside. */
bool sca_flow_comes_back(const struct sca_flow_code *code, const struct sca_instruction *call);
uint8_t *sca_flow_graph_mark(const struct sca_flow_graph *graph, uint64_t address);

int sca_flow_trace(const struct sca_flow_code *code, uint32_t function,
                   struct sca_flow_graph *graph);
int sca_flow_blocks(const struct sca_flow_code *code, struct sca_flow_graph *graph);
int sca_flow_order(struct sca_flow_graph *graph);
void sca_flow_find_return(const struct sca_flow_code *code, struct sca_flow_graph *graph);
int sca_flow_loops(struct sca_flow_graph *graph);

#endif
