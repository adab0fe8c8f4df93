/*
 * What ranks do, as far as classes of ranks ask for it: of each, which calls it made and in what
 * order, whom it exchanged messages with, and what it computed before each call. Ranks are added
 * one by one, in any order, and may be forgotten then. What ranks have in common stands once.
 *
 * All by sites, so that it needs no graph: sites that are merged later keep their numbers.
 *
 * Summaries of parts of a run's ranks are united in any order and grouping, along a tree for one:
 * classes are those of one summary to which all ranks were added.
 */
#ifndef SCA_DETECT_RANK_SUMMARY_H
#define SCA_DETECT_RANK_SUMMARY_H

#include "activity/task_graph.h"
#include "activity/word_lists.h"
#include "sca_profile_each.h"

/* Peers as the rank sees them, round the world; these are none of its ranks. */
#define SCA_PEER_UNKNOWN UINT32_MAX
#define SCA_PEER_FOREIGN (UINT32_MAX - 1) /* of another world */

struct sca_own_times { /* of intervals, ns; one of the two: floats where these are exact */
    const float *narrow;
    const double *wide;
};

struct sca_rank_summary {
    struct sca_workspace *space;
    uint32_t nranks;
    uint32_t *graph;                 /* [rank]: of `graphs`; SCA_NONE: not added */
    uint32_t *peers;                 /* [rank]: of `distances` */
    double *own_s, *own_ns;          /* [rank]: all it computed */
    struct sca_own_times *times;     /* [rank]: [interval of its graph] */
    struct sca_word_lists graphs;    /* sca_rank_summary_graph() */
    struct sca_word_lists calls;     /* of peers: 2 * site, + 1 where the rank received */
    struct sca_word_lists distances; /* number in `calls`, then a peer for each of these */
    uint32_t *words, room;           /* of the rank at hand */
};

struct sca_graph_words { /* of calls that were made, in the order of the rank's tables */
    uint32_t nsites, nintervals;
    const uint32_t *sites;
    const uint32_t (*intervals)[2]; /* the site before, and the site */
};

void sca_rank_summary_begin(struct sca_workspace *space, uint32_t nranks,
                            struct sca_rank_summary *out);
/* A rank that is there, once. Its sites, intervals and peers are read. */
void sca_rank_summary_add(struct sca_rank_summary *summary, uint32_t number,
                          const struct sca_rank *rank);
/* Adds the ranks of `from`, which has the same world and sites; ranks that `to` has stay as they
 * are. Nothing of `from` is needed any more then. One that is empty adds nothing. */
void sca_rank_summary_unite(struct sca_rank_summary *to, const struct sca_rank_summary *from);
/* The source's, or one of all its ranks, in `space`. */
const struct sca_rank_summary *sca_rank_summary_of(struct sca_workspace *space,
                                                   const struct sca_task_source *source);
/* Adds ranks while they are loaded, in `space`, from which nothing jumps meanwhile: without memory
 * the loading fails. The summary is empty before the first. */
struct sca_rank_taker sca_rank_summary_taker(struct sca_workspace *space,
                                             struct sca_rank_summary *summary);

struct sca_graph_words sca_rank_summary_graph(const struct sca_rank_summary *summary,
                                              uint32_t graph);
/* What the rank computed in an interval of its graph, ns. */
static inline double sca_own_times_ns(const struct sca_own_times *times, uint32_t interval)
{
    return times->narrow ? (double)times->narrow[interval] : times->wide[interval];
}

#endif
