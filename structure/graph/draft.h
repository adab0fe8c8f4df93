/*
 * The Program Structure Graph of a binary while it is put together from machine code: one function
 * for each function of the source. What was inlined at several places, or compiled more than once,
 * is one function with all that any of its copies has.
 *
 * Owned by sca_draft_free(); strings given are copied, those found stay until then. SCA_ENOMEM.
 */
#ifndef STRUCTURE_DRAFT_H
#define STRUCTURE_DRAFT_H

#include "base/index_map.h"
#include "sca_arena.h"
#include "sca_psg.h"

#define SCA_NO_DRAFT UINT32_MAX

struct sca_draft_vertex {
    uint8_t kind, flags;                /* enum sca_vertex_kind, enum sca_vertex_flag */
    uint32_t parent, first_child, next; /* SCA_NO_DRAFT: none */
    uint32_t called;    /* function of the draft that is called, SCA_NO_DRAFT: `callee` tells */
    const char *callee; /* linkage name of another file's function, "" if unknown */
    const char *file;   /* interned, "" unknown */
    uint32_t line, end_line;
};

struct sca_draft_function {
    const char *linkage, *name;
    bool local;
    struct sca_draft_vertex *vertices; /* 0: the function itself */
    uint32_t count;
    size_t capacity;
    uint32_t *number; /* per vertex: its place in the finished graph */
    uint32_t first_id;
};

struct sca_draft_entry {
    uint32_t function, vertex;
    uint64_t tag;
};

struct sca_draft {
    struct sca_arena arena;
    struct sca_draft_function *functions;
    uint32_t count;
    size_t capacity;
    struct sca_draft_key *by_key;    /* of functions */
    struct sca_draft_entry *entries; /* of vertices, found by `known` */
    uint32_t nentries;
    size_t entries_capacity;
    struct sca_index_map known;
    struct sca_draft_text *texts;
};

/* What makes two vertices below one parent the same. */
struct sca_draft_wish {
    uint8_t kind, flags;
    const char *file; /* interned */
    uint32_t line;
    uint32_t called;    /* of a call: SCA_NO_DRAFT if not to a function of this file */
    const char *callee; /* interned */
    uint64_t tag;       /* tells apart what nothing else does: an address, the vertex before it */
};

const char *sca_draft_intern(struct sca_draft *draft, const char *text); /* NULL: no memory */

/* The function with this key, made if there is none: an address, or an offset of debug
 * information, with `space` telling which. */
int sca_draft_function(struct sca_draft *draft, uint32_t space, uint64_t key, uint32_t *function,
                       bool *is_new);
/* The same for a name that all files share. */
int sca_draft_named_function(struct sca_draft *draft, const char *linkage, uint32_t *function,
                             bool *is_new);
bool sca_draft_find_function(struct sca_draft *draft, uint32_t space, uint64_t key,
                             uint32_t *function);
/* Lets a key lead to a function that is there. */
int sca_draft_add_key(struct sca_draft *draft, uint32_t space, uint64_t key, uint32_t function);

/* The vertex below the parent that the wish describes; a new one stands behind `after`, a child of
 * the parent, or first (SCA_NO_DRAFT). */
int sca_draft_vertex(struct sca_draft *draft, uint32_t function, uint32_t parent,
                     const struct sca_draft_wish *wish, uint32_t after, uint32_t *vertex);
/* Makes the vertex cover a line of its file. */
void sca_draft_cover(struct sca_draft *draft, uint32_t function, uint32_t vertex, const char *file,
                     uint32_t line);

void sca_draft_free(struct sca_draft *draft);

#endif
