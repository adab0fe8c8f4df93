/*
 * Task activity graphs: what a rank does, as a graph (A. Sikora et al., 2016, sections 2.1 and
 * 3.1). Nodes are activities: MPI calls by their context, the start and end of the recording, entry
 * and exit of loops around calls, begin and end of phases that the program names. Edges are the
 * computation from one call to the next, ways through control activities, and from where a request
 * begins to where it is completed.
 *
 * A graph may hold several ranks, which then are added up. It lives in a workspace.
 */
#ifndef SCA_DETECT_TASK_GRAPH_H
#define SCA_DETECT_TASK_GRAPH_H

#include "activity/task_sample.h"
#include "base/workspace.h"
#include "graph/ppg.h"

#include <stdbool.h>

enum sca_task_kind {
    SCA_TASK_START, /* MPI_Init returned */
    SCA_TASK_CALL,  /* communicates */
    SCA_TASK_LOCAL, /* an MPI call that no other rank takes part in */
    SCA_TASK_LOOP_ENTRY,
    SCA_TASK_LOOP_EXIT,
    SCA_TASK_END,    /* MPI_Finalize */
    SCA_TASK_BEGINS, /* a phase that the program names, at that call */
    SCA_TASK_ENDS    /* such a phase */
};

enum sca_task_edge_kind {
    SCA_TASK_COMPUTES,  /* between a call and the next */
    SCA_TASK_PASSES,    /* part of such a way that passes control activities */
    SCA_TASK_COMPLETES, /* from a request's start to its completion */
    SCA_TASK_STEPS /* from one activity to the next, where one of them begins or ends a phase */
};

struct sca_task_times {
    double count, seconds;         /* NAN: not known */
    double shortest, longest;      /* NAN: not known */
    struct sca_task_sample sample; /* of all that the run counted by their length, or were seen */
    uint32_t measured; /* number of the rank, from 1, that was added last with all of its own */
};

/* The sample is all there was. */
bool sca_task_times_are_whole(const struct sca_task_times *times);
/* Standard deviation, of the sample. NAN: there is none, or it is less than the shortest and the
 * longest instance alone make it, so that the sample is too small to say. */
double sca_task_times_deviation(const struct sca_task_times *times);

struct sca_task_node {
    enum sca_task_kind kind;
    uint32_t vertex; /* of the run's graph; SCA_NONE: the start */
    struct sca_task_times times;
    double bytes;      /* of calls, by their arguments or statuses */
    double iterations; /* of a loop: its rounds with MPI calls; NAN: cannot be told apart */
};

struct sca_task_edge {
    enum sca_task_edge_kind kind;
    uint32_t from, to; /* nodes */
    /* COMPUTES: own time, on the core or off it by the program's will. PASSES: count alone;
     * `seconds` is that of the whole ways that pass here, of which a part lies here. COMPLETES:
     * no time. STEPS: elapsed time, which is in COMPUTES as well. */
    struct sca_task_times times;
    double counters[SCA_MAX_METRICS]; /* COMPUTES: of the run's events, by its samples */
    uint32_t seen;                    /* COMPLETES: requests that were recorded with both ends */
};

struct sca_task_graph {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const uint32_t *ends; /* sca_ppg_ends() */
    uint32_t nranks;      /* that were added */
    uint32_t nnodes, nedges;
    struct sca_task_node *nodes; /* once finished in program order, an exit behind its loop */
    struct sca_task_edge *edges; /* once finished by from, to, kind */
    double seconds;              /* wall time of the ranks */
    /* For those who fill it. */
    uint32_t *call_node; /* [vertex]; SCA_NONE */
    uint32_t node_room, edge_room, table_room;
    uint32_t *table; /* edges by their hash; SCA_NONE */
};

/* What ranks are added from. `whole` is the profile as sca_profile_load() has it, for the shortest
 * and longest instances, which are n/a without; NULL. */
struct sca_rank_summary;
struct sca_task_source {
    const struct sca_ppg *ppg;
    const struct sca_ppg_run *run;
    const struct sca_profile *whole;
    struct sca_opened *opened;
    const uint32_t *ends;
    const struct sca_rank_summary *summary; /* of all ranks, for who asks for classes; NULL */
};

struct sca_task_graph *sca_task_graph_begin(struct sca_workspace *space,
                                            const struct sca_task_source *source);
/* Nothing of a rank that left nothing. */
void sca_task_graph_add(struct sca_task_graph *graph, const struct sca_task_source *source,
                        uint32_t rank);
/* Adds the loops and puts all in order. */
void sca_task_graph_finish(struct sca_task_graph *graph);

/* Inner seams of task_*.c. The node of a vertex; of a site without context SCA_NONE. */
uint32_t sca_task_graph_node(struct sca_task_graph *graph, enum sca_task_kind kind,
                             uint32_t vertex);
uint32_t sca_task_graph_call(struct sca_task_graph *graph, uint32_t site);
/* The edge, made if it is not there. */
struct sca_task_edge *sca_task_graph_edge(struct sca_task_graph *graph,
                                          enum sca_task_edge_kind kind, uint32_t from, uint32_t to);
/* NULL: it is not there. Before and after sca_task_graph_finish(), by the nodes' places then. */
struct sca_task_edge *sca_task_graph_find(const struct sca_task_graph *graph,
                                          enum sca_task_edge_kind kind, uint32_t from, uint32_t to);
/* Fills the table of edges anew, once these have other places or nodes. */
void sca_task_graph_list_edges(struct sca_task_graph *graph);

#endif
