/*
 * A graph to be drawn: groups of nodes, one for each rank or class of ranks, and edges within and
 * between them. Task activity graphs and the performance graph become one; whoever draws it, as
 * GraphML, for Graphviz or as SVG, needs to know no other. It lives in a workspace.
 */
#ifndef SCA_DETECT_PICTURE_H
#define SCA_DETECT_PICTURE_H

#include "base/workspace.h"
#include "graph/ppg.h"

#include <stdbool.h>

enum sca_figure {                   /* how a node is drawn */
                  SCA_FIGURE_END,   /* the start, the end */
                  SCA_FIGURE_CALL,  /* an MPI call */
                  SCA_FIGURE_LOOP,  /* entry and exit of a loop; a loop */
                  SCA_FIGURE_PLACE, /* another vertex of the performance graph */
                  SCA_FIGURE_PEER,  /* another rank, or several */
                  SCA_FIGURE_REST,  /* what was contracted */
                  SCA_FIGURE_PHASE  /* what the program names begins or ends */
};

struct sca_picture_place { /* in the order of the program, the same in all groups */
    uint32_t at, behind, inner;
};

struct sca_picture_node {
    uint32_t group, vertex; /* vertex: SCA_NONE without */
    uint32_t id;            /* in the group, as views show it */
    struct sca_picture_place place;
    uint32_t column; /* of the place; set by sca_picture_arrange() */
    enum sca_figure figure;
    const char *activity; /* "call", "loop entry" ... */
    const char *label;    /* "lu.f:40 MPI_Recv in blts" */
    const char *brief;    /* "MPI_Recv" */
    const char *file;     /* "": none */
    uint32_t line;        /* 0: none */
    /* Of all ranks of the group; NAN: not known, or none. */
    double count, bytes, seconds, share, iterations, shortest, longest, deviation;
    bool abnormal;   /* ranks of the group take more than the others */
    uint32_t united; /* nodes that were contracted to this one; 0: it is one itself */
};

enum sca_link { /* kinds of edges */
                SCA_LINK_COMPUTATION,
                SCA_LINK_CONTROL,
                SCA_LINK_COMPLETION,
                SCA_LINK_MESSAGE,
                SCA_LINK_COLLECTIVE,
                SCA_LINK_ORDER, /* of the program */
                SCA_LINK_STEP   /* to where a phase begins or ends, or from there */
};

struct sca_picture_edge {
    enum sca_link kind;
    uint32_t from, to;                                                 /* nodes */
    double count, bytes, seconds, share, shortest, longest, deviation; /* as above */
    const char *known;                                                 /* of messages; "" */
    uint32_t pairs; /* of ranks that the messages are between; 0: no messages */
    bool through;   /* computation that enters or leaves loops: control edges lead the same way */
};

struct sca_picture_group {
    const char *name;  /* "Class 1: corner, rank 0" */
    const char *ranks; /* "0, 4-7" */
    const char *role;  /* "" */
    uint32_t nranks;
    double seconds; /* of all its ranks */
};

struct sca_picture {
    struct sca_workspace *space;
    const char *title;
    const char *prefix; /* of a group's name in files: "c" of a class, "r" of a rank */
    uint32_t first;     /* number of the first group */
    uint32_t ngroups, group_room;
    uint32_t nnodes, node_room;
    uint32_t nedges, edge_room;
    uint32_t ncolumns; /* set by sca_picture_arrange() */
    struct sca_picture_group *groups;
    struct sca_picture_node *nodes; /* by group, then in the order of the program */
    struct sca_picture_edge *edges;
};

void sca_picture_begin(struct sca_workspace *space, struct sca_picture *out);
uint32_t sca_picture_add_group(struct sca_picture *p, const struct sca_picture_group *group);
/* Nothing is known of the node, but what the caller sets. */
struct sca_picture_node *sca_picture_add_node(struct sca_picture *p, uint32_t group);
struct sca_picture_edge *sca_picture_add_edge(struct sca_picture *p, enum sca_link kind,
                                              uint32_t from, uint32_t to);
/* printf into the picture's workspace. */
const char *sca_picture_text(struct sca_picture *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Label, name, file and line of a vertex. */
void sca_picture_name(struct sca_picture *p, const struct sca_ppg_vertex *v,
                      struct sca_picture_node *node);
const char *sca_picture_link_name(enum sca_link kind);
/* Marks calls in which ranks of a group are longer than `ratio` times the ranks' median, and that
 * by one part in a hundred of their time. */
void sca_picture_mark_abnormal(struct sca_picture *p, double ratio);
/* Numbers the places: one column for each, in all groups. */
void sca_picture_arrange(struct sca_picture *p);

#endif
