/*
 * The Program Performance Graph: the vertices that ran, times ranks, for all runs given together
 * (ScalAna, SC'20, section III-C).
 *
 * One tree of vertices serves all runs, so that a vertex can be compared between rank counts. A
 * tree vertex is a vertex of a function's contracted PSG in its calling context: only contexts
 * that a call path or a sample went through exist; indirect calls are filled in from what ran, a
 * recursive call re-uses the vertices of the outermost activation. Code without PSG (unmodified
 * libraries) appears as functions (kind SCA_CALL) and lines from DWARF or the symbol table.
 *
 * Everything is owned by the graph until sca_ppg_free(). The profiles must outlive it.
 */
#ifndef SCA_DETECT_PPG_H
#define SCA_DETECT_PPG_H

#include "graph/intervals.h"
#include "graph/inner_function.h"
#include "sca_profile.h"
#include "sca_psg.h"

struct sca_ppg_vertex {
    uint32_t parent;  /* vertex 0 is the program's root and its own parent; parents come first */
    uint32_t kind;    /* enum sca_vertex_kind; SCA_ROOT only for vertex 0 */
    uint32_t order;   /* program order among the children of its parent (PSG index, else line) */
    uint32_t arm;     /* side of a branch */
    const char *name; /* callee for calls and MPI, else "" */
    const char *function; /* the function whose source holds it, as the user wrote it */
    const char *file;
    uint32_t line, end_line;
    uint32_t nested; /* of how many it is the inner one, of those that stand in the same lines of
                        the same code: loops in one line, or in one macro (same_place.h) */
    bool has_psg;
    bool near;   /* a loop recovered from code: the line is that of something in it */
    bool blocks; /* a call outside MPI in which ranks were blocked: its time is known exactly */
    bool drives; /* a call of code that only drives what is passed to it: goes round like a loop */
};

/* Computation of one rank in an interval (intervals.h), spread over vertices. */
struct sca_ppg_share {
    uint32_t vertex;
    float samples; /* how many samples carry it: 0 = taken from other ranks' samples */
    double seconds;
};

/* What is no code, as a lock (known_objects.h). */
struct sca_ppg_object {
    uint32_t node;    /* of the profile */
    const char *name; /* "table_lock", "made at solver.c:12"; "": not known */
    const char *file; /* of the call that made it; "": none is known */
    uint32_t line;
};

struct sca_ppg_run {
    const struct sca_profile *profile;
    uint32_t nranks;
    uint32_t threads;      /* of a rank that compute, at least 1 (load/team_size.h) */
    double work;           /* problem size as the user tells it, in any unit; 0: not told */
    uint32_t *site_vertex; /* per profile site; SCA_NONE for site 0 */
    uint32_t *node_vertex; /* per profile node: where a sample there belongs, */
    uint32_t *node_inner; /* and in which function of that vertex it is, in ppg.inners; 0: itself */
    double *comp;         /* [vertex * nranks + rank] exclusive computation, seconds of own
                             time; sums per rank to that rank's intervals exactly */
    double *blocked;      /* [vertex * nranks + rank] of that, off the core by the program's own
                             will: asleep, in I/O, waiting for something else than MPI */
    double *beside;       /* [vertex * nranks + rank] what threads beside the first computed there,
                             by their samples, less what of it is in comp: the first waited for it;
                             NULL: no thread has samples but the first of each rank */
    double *awaited;      /* [vertex] blocked there for other ranks, on all ranks; in none of these
                             (load/awaited.h) */
    double *mpi;          /* [vertex * nranks + rank] seconds inside MPI, SCA_MPI vertices; NULL
                             before sca_run_metrics_fill_mpi_time() */
    double *samples;      /* [vertex] samples outside MPI, of all ranks */
    double *sampled; /* [vertex] CPU seconds that these stand for, of all threads of the ranks */
    uint64_t *calls; /* [vertex] executions of SCA_MPI vertices, on all ranks */
    /* Spread of the computation of rank `r` in interval `g`: shares[first[r * intervals.n + g] ..
     * first[r * intervals.n + g + 1]), each vertex once; built from that rank's samples, shrunk
     * towards all ranks'. */
    struct sca_intervals intervals;
    uint32_t *first_share;
    struct sca_ppg_share *shares; /* by malloc */
    uint32_t nobjects;
    struct sca_ppg_object *objects; /* by node */
};

struct sca_ppg {
    uint32_t nvertices;
    struct sca_ppg_vertex *vertices; /* preorder in program order */
    uint32_t nruns;
    struct sca_ppg_run *runs; /* as given */
    struct sca_inners inners;
    const char *program, *path, *build_id;
    uint32_t nnotes; /* plain sentences: module without PSG, file not found, ... */
    const char **notes;
    void *memory;
};

void sca_ppg_free(struct sca_ppg *ppg);

/* The innermost vertex that holds the way from one vertex to another: the common ancestor, or the
 * loop around it when the way leads back. SCA_NONE as `from` is the program's start. */
uint32_t sca_ppg_vertex_between(const struct sca_ppg *ppg, uint32_t from, uint32_t to);

/* The innermost vertex that encloses both, or is one of them. */
uint32_t sca_ppg_common_ancestor(const struct sca_ppg *ppg, uint32_t a, uint32_t b);

/* Per vertex, the first after those below it; `ends` has nvertices. */
void sca_ppg_ends(const struct sca_ppg *ppg, uint32_t *ends);

/* Inclusive values: own plus all descendants'; `out` has nvertices doubles. */
void sca_ppg_inclusive(const struct sca_ppg *ppg, const double *exclusive, uint32_t nranks,
                       uint32_t rank, double *out);

/* Of runs in their order: as many ranks, but not as many threads in each. These are the scale. */
static inline bool sca_ppg_runs_by_threads(const struct sca_ppg_run *first,
                                           const struct sca_ppg_run *last)
{
    return first->nranks == last->nranks && first->threads != last->threads;
}

#endif
