/*
 * One rank's walk through what its run counted (trace_synthesis.h), and its parts: the transitions
 * from call to call, which trace_synthesis.c walks, and the traffic that its calls owe. All memory
 * is the workspace's; one thread at a time.
 */
#ifndef SCA_DETECT_WALKER_H
#define SCA_DETECT_WALKER_H

#include "trace/call_sequence.h"
#include "trace/replay_trace.h"

struct sca_walker_record { /* a peer or collective record of a site */
    uint32_t site, comm;
    int32_t peer;
    uint32_t kind;        /* enum sca_op_kind */
    int shape;            /* of a collective */
    uint64_t count, used; /* count: that the walk has */
    uint32_t channel;     /* traffic of equal channel shares a counter */
};

struct sca_walker_left { /* sums over the transitions out of a site */
    uint64_t quota, used;
};

struct sca_walker {
    struct sca_workspace *space;
    const struct sca_profile *profile;
    const struct sca_rank *rank;
    uint32_t number; /* that rank's */
    double factor;
    const bool *left_out;               /* per site; NULL: none */
    struct sca_transitions transitions; /* the intervals */
    struct sca_walker_record *traffic;
    uint32_t ntraffic, *traffic_first; /* by site */
    uint32_t nchannels;
    uint64_t *channel_next;       /* of the thread at hand, */
    uint64_t *channel_count;      /* [thread * nchannels + channel] and of those that were walked */
    uint64_t *calls, *quota;      /* per site: real ones, and those the walk makes */
    uint64_t *walked;             /* of these, so far */
    struct sca_walker_left *left; /* per site */
    struct sca_event_sequence *sequence;
    uint32_t thread, begin; /* at hand; its first event */
    uint32_t *others;       /* the sequence's */
    uint32_t *sites;        /* the sequence's */
    uint32_t *way_of_event;
    struct sca_replay_trace_op *ops; /* the sequence's */
    uint32_t *channel_of_op;
    uint32_t op_capacity;
};

/* Whether the site is of the thread at hand. */
static inline bool sca_walker_is_of_thread(const struct sca_walker *w, uint32_t site)
{
    return site < w->profile->nsites && w->profile->sites[site].thread == w->thread;
}

/* The transitions of the thread at hand, shortened, with how often each call is to be left. */
void sca_walker_collect_transitions(struct sca_walker *w);

/* The rank's messages, collectives and locks, by site, and its channels. */
void sca_walker_collect_traffic(struct sca_walker *w);

/* Adds an operation to the event that was walked last; `channel`: SCA_NONE: none. */
void sca_walker_add_op(struct sca_walker *w, const struct sca_op *op, uint32_t channel);

/* Adds the operations that this call of the site owes. */
void sca_walker_add_call_ops(struct sca_walker *w, uint32_t site);

/* Threads use a channel at the same time: who sends it in such an order receives it so, too. */
void sca_walker_merge_numbers(struct sca_walker *w);

#endif
