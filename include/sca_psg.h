/*
 * The Program Structure Graph: what static/ puts into the section `.scalana.psg` of every object
 * and what everything after the link reads back (ScalAna, SC'20, section III-A).
 *
 * A record per compilation unit, encoded by common/psg/psg_write.c (layout: doc/FORMATS.md):
 *  - its hash (also in the DWARF producer string as "scalana:<16 hex digits>") and source file;
 *  - for each function its local graph, and the first of its vertices' ids. The discriminator of an
 *    instruction in that unit is a vertex id: function with the greatest first_id <= id, vertex id
 * - first_id of its graph. A function has a key, the hash of its content, so that equal copies
 *    (templates, inline functions) are kept once;
 *  - aliases: other linkage names of a function, as C++ constructors have.
 *
 * Memory: sca_psg_add() and sca_psg_link() own everything they fill in until sca_psg_free() and
 * sca_psg_program_free().
 * Strings are NUL-terminated, never NULL. Not for signal handlers.
 */
#ifndef SCA_PSG_H
#define SCA_PSG_H

#include "sca_psg_names.h"
#include "sca_wire.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* libdw drops line tables with greater discriminators. */
#define SCA_PSG_MAX_ID        ((1u << 24) - 1)
#define SCA_PSG_DEFAULT_DEPTH 10

enum sca_vertex_kind {
    SCA_ROOT, /* the function itself: vertex 0 of every local graph */
    SCA_LOOP,
    SCA_BRANCH,
    SCA_CALL, /* to user code: direct, indirect or recursive */
    SCA_MPI,  /* to an MPI function */
    SCA_COMP  /* a run of other instructions */
};

enum sca_vertex_flag {
    SCA_VF_INDIRECT = 1,  /* call through a pointer: callee unknown until run time */
    SCA_VF_RECURSIVE = 2, /* set after the link: the callee is in the caller's cycle */
    SCA_VF_MARKED = 4,    /* loop that carries a marker: its file alone does not rule MPI out */
    SCA_VF_REACHES = 8,   /* set after the link: it, or what lies in it or below it, calls MPI */
    SCA_VF_NEAR = 16      /* loop recovered from code: its line is that of something in it */
};

/* A vertex of a local graph. Siblings stand in execution order; `arm` tells the sides of a
 * Branch apart (0 for children of anything else): siblings of different arms exclude each other. */
struct sca_vertex {
    uint8_t kind;
    uint8_t flags;
    uint8_t arm;
    uint32_t parent;    /* index in the same graph; vertex 0 is its own parent */
    uint32_t file;      /* index into sca_function.files: inlined headers differ from the unit's */
    uint32_t line;      /* 0 if the compiler gave none */
    uint32_t end_line;  /* last line of the source it covers, >= line */
    const char *callee; /* linkage name for CALL and MPI, "" for indirect and other kinds */
};

struct sca_function {
    uint64_t key;
    const char *linkage; /* as the linker sees it: mangled; "" never */
    const char *name;    /* as the user wrote it, demangled where needed */
    bool local;          /* internal linkage: calls to it resolve inside the unit only */
    uint32_t nfiles;
    const char **files; /* absolute where the compiler knew the directory */
    uint32_t nvertices;
    struct sca_vertex *vertices; /* parents before children, preorder */
};

struct sca_unit_entry {
    uint64_t key;      /* of the function record */
    uint32_t first_id; /* discriminator of its vertex 0 in this unit; >= 1 */
};

struct sca_unit {
    uint64_t hash;
    const char *source;
    uint32_t max_loop_depth; /* --max-loop-depth of the compilation: the default for the link */
    uint32_t nentries;
    struct sca_unit_entry *entries; /* by first_id */
};

struct sca_alias {
    const char *linkage, *target; /* both linkage names */
};

/* Everything in the section(s) of one or more modules (executable and shared libraries). */
struct sca_psg {
    uint32_t nunits;
    struct sca_unit *units; /* by hash */
    uint32_t nfunctions;
    struct sca_function *functions; /* by key; equal keys once */
    uint32_t naliases;
    struct sca_alias *aliases; /* by linkage */
    void *memory;              /* implementation's */
};

/* Encodes a unit for the pass: its functions and aliases one by one, then all of it. Starts
 * zero-initialised; owned by sca_psg_output_free(). */
struct sca_psg_bytes {
    uint8_t *data;
    size_t length, capacity;
};
struct sca_psg_output {
    struct sca_psg_written *written; /* texts, by hash */
    struct sca_psg_bytes texts, functions, aliases;
    uint32_t ntexts, nfunctions, naliases, nentries, next_id;
    size_t capacity;
    struct sca_unit_entry *entries;
    bool failed; /* out of memory */
};
/* A numbered function takes the next ids, from 1 on, as many as it has vertices. */
void sca_psg_put_function(struct sca_psg_output *out, const struct sca_function *function,
                          bool numbered);
void sca_psg_put_alias(struct sca_psg_output *out, const struct sca_alias *alias);
/* Writes the unit and returns its hash, which is worked out. w->failed if there is no room, or was
 * no memory. */
uint64_t sca_psg_put_unit(struct sca_writer *w, struct sca_psg_output *out, const char *source,
                          uint32_t max_loop_depth);
/* Bytes that sca_psg_put_unit() needs at most. */
size_t sca_psg_unit_size(const struct sca_psg_output *out, const char *source);
void sca_psg_output_free(struct sca_psg_output *out);
/* Several records at once, smaller: what is worth packing is packed. */
void sca_psg_put_packed(struct sca_writer *w, const void *records, size_t length);
/* The hash behind keys and unit hashes: FNV-1a, continued from `seed`. */
#define SCA_PSG_HASH_SEED 0xcbf29ce484222325u
uint64_t sca_psg_hash(uint64_t seed, const void *bytes, size_t length);

/* Adds the records of one section's bytes to psg (zero-initialised before the first). The bytes
 * are copied. SCA_EFORMAT with the byte offset if damaged; what was read before stays. */
int sca_psg_add(struct sca_psg *psg, const void *bytes, size_t length, const char *name);
void sca_psg_free(struct sca_psg *psg);

const struct sca_unit *sca_psg_unit(const struct sca_psg *psg, uint64_t hash);
/* Vertex of a discriminator: the function's index in psg->functions and the vertex's index in it.
 * SCA_ENOTFOUND if the unit has no such id. */
int sca_psg_find(const struct sca_psg *psg, const struct sca_unit *unit, uint32_t id,
                 uint32_t *function, uint32_t *vertex);

/* ---- the whole program, after the link ---- */

/* Arrays are per vertex of `local`. Before contraction a call to code without a graph (a library's)
 * is computation: it belongs to the run of Comp around it. */
struct sca_program_function {
    const struct sca_function *local;
    uint32_t *callee;   /* index of the program function called, or SCA_NO_FUNCTION */
    bool reaches_mpi;   /* closed over the call graph, indirect calls assumed to */
    bool has_structure; /* MPI or a loop in it or in what it calls: worth a Call vertex */
    /* The same two but for what indirect calls may lead to; what is recursive goes round, too. */
    bool calls_mpi, goes_round;
    bool recursive;     /* calls itself, directly or through others */
    uint32_t component; /* of the call graph, strongly connected: equal = mutually recursive */
    uint32_t *whole;    /* the vertex that stands for it before contraction (mostly itself) */
    uint32_t *kept;     /* the vertex that stands for it after contraction */
    uint8_t *kind;      /* enum sca_vertex_kind of what kept[v] became: a merged loop is SCA_COMP */
    uint8_t *flags;     /* local flags, SCA_VF_RECURSIVE and SCA_VF_REACHES */
};

#define SCA_NO_FUNCTION UINT32_MAX

struct sca_program {
    uint32_t nfunctions;
    struct sca_program_function *functions; /* same order as psg->functions */
    uint32_t main;                          /* main, MAIN__ / _QQmain, or SCA_NO_FUNCTION */
    uint32_t max_loop_depth;
};

struct sca_psg_stats { /* the columns of the paper's Table II; saturate at UINT64_MAX */
    uint64_t before, after, loops, branches, comps, mpis, calls;
};

/* The depth the units were compiled with (the greatest, if they differ). */
uint32_t sca_psg_max_loop_depth(const struct sca_psg *psg);

/* Resolves calls, closes reachability, finds cycles, contracts with max_loop_depth (>= 0). psg
 * must outlive the program. Contraction is local to a function: kept[v] is v itself, or the first
 * vertex of the merged run of Comp that v went into. */
int sca_psg_link(const struct sca_psg *psg, uint32_t max_loop_depth, struct sca_program *out);
void sca_psg_program_free(struct sca_program *program);
/* Counts the full inter-procedural expansion from main without building it. */
void sca_psg_stats(const struct sca_program *program, struct sca_psg_stats *out);

const char *sca_psg_kind_name(enum sca_vertex_kind kind); /* "root", "loop", ... */

#ifdef __cplusplus
}
#endif
#endif
