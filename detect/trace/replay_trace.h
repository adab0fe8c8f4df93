/*
 * What the replay plays: for every rank the sequence of its MPI calls with the computation
 * before each, and what each call depends on.
 *
 * A trace comes from recorded windows, one trace per window that all ranks kept, or, where no
 * windows were recorded, from the run's totals: each rank walks its intervals (previous call path
 * -> this one), always taking the one that lags furthest behind its exact count. For nested loops
 * that gives back the program's order; where it does not, counts still agree between ranks, so
 * that the k-th message of a pair and the k-th collective of a communicator find each other.
 * All in the workspace (workspace.h). Times in seconds.
 */
#ifndef SCA_DETECT_REPLAY_TRACE_H
#define SCA_DETECT_REPLAY_TRACE_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "team/team.h"

struct sca_trace_event {     /* one MPI call */
    uint32_t site, previous; /* profile sites; previous: the computation before came after it */
    double interval;
};

/* Of a struct sca_op, what tells who depends on whom. */
struct sca_replay_trace_op {
    uint32_t event; /* of the sequence */
    uint32_t comm;
    uint32_t number; /* of a window among the run's, in the order of time; of a walk beside them the
                        next; of a sequence 0 */
    int32_t tag;
    int32_t peer : 24; /* a rank of the run, or -1 */
    uint32_t kind : 4, shape : 4;
};

struct sca_event_sequence { /* a rank: the calls of its first thread, then those of the others */
    uint32_t nevents, nops;
    uint32_t nothers;       /* threads beside the first, */
    const uint32_t *others; /* and the event that each begins with */
    const uint32_t *sites;  /* [i + 1] is the call of event i, [i] the one before it; ranks that go
                               through the same calls may have one array */
    double *interval;       /* per event */
    float *shown; /* per event: the interval as the window shows it (segment.h); NULL: that is it */
    float *deviation; /* per event: the interval less the middle rank's in the same instance; above
                         0 it is excess. instances.h. NULL: not known */
    float *transfer;  /* per event: inside the call before, beside waiting that is replayed. NULL
                         unless it grows, or the call waits for another world: */
    float *other_world;              /* of it, that (other_world.h); NULL: none does */
    struct sca_replay_trace_op *ops; /* by event, for links.h; not kept after that */
};

/* Of a trace in which windows follow each other (window_sequence.h). */
struct sca_trace_windows {
    uint32_t count, nparts;
    const uint32_t *which; /* per part, the window */
    uint32_t *begin; /* [rank * (nparts + 1) + part] its first event; the last: where it ends */
};

struct sca_trace {
    uint32_t nranks;
    uint32_t number; /* among all of the run's, which follow each other in time; 0: a walk */
    struct sca_trace_windows windows; /* count 0: it is one */
    struct sca_event_sequence *sequences;
    double weight; /* how often this happened in the run */
    /* [rank * intervals + interval] (intervals.h) of all traces of the run: the part of the
     * computation in the interval that is excess. NULL where instances are not known: then a rank's
     * are all alike. */
    const float *excess;
    /* first[r]: place of rank r's first event in arrays over all events, rank by rank; nevents in
     * all
     */
    uint32_t *first, nevents;
    /* Locations: the ranks or, where more threads than one of a rank call MPI, each of these.
     * Places of their first events, nlocations + 1; those of a rank follow each other. */
    uint32_t *location, nlocations;
};

#define SCA_NO_EVENT UINT32_MAX

struct sca_traces { /* this process' of a run; alone, all */
    struct sca_team *team;
    uint32_t first, all; /* number of the first one among all, and how many those are */
    uint32_t count;
    struct sca_trace *traces;
    double lost;    /* seconds of the run's computation that a walk did not reach */
    bool recorded;  /* from windows, */
    uint32_t shown; /* of so many; */
    double moving;  /* else: a part of what windows compute that is on another rank each time */
    struct sca_workspace space; /* what they live in, and their replays (what_if.h) */
};

/* Collectives of ranks in no recorded communicator: the run's end, where all wait for the last. */
#define SCA_COMM_END (SCA_NONE - 1)
/* Threads of a rank that begin and end; by call path, the ones below (walker_traffic.c). */
#define SCA_COMM_THREADS (SCA_NONE - 2)

void sca_replay_trace_free(struct sca_traces *traces);

/* Of `all` traces, this process makes those from `first` on: sets count, and takes memory for them.
 */
void sca_replay_trace_take(struct sca_traces *traces, uint32_t all);

/* Fills `first`, `nevents` and the locations, when the sequences stand. */
void sca_replay_trace_number(struct sca_workspace *space, struct sca_trace *trace);

/* By place: rank by rank. */
double *sca_replay_trace_intervals(struct sca_workspace *space, const struct sca_trace *trace);

/* The same, as windows show them (segment.h). */
double *sca_replay_trace_shown(struct sca_workspace *space, const struct sca_trace *trace);

/* Adds the computation in each interval to seconds[], and what of it is excess to excess[], times
 * the trace's weight: both are [rank * intervals + interval]. The sequences know their deviations.
 */
void sca_replay_trace_add_excess(const struct sca_trace *trace,
                                 const struct sca_intervals *intervals, double *seconds,
                                 double *excess);

/* Gives the events their transfers and their waits for another world: both are [rank * nsites +
 * site], seconds per call; NULL: none. */
void sca_replay_trace_add_transfer(struct sca_traces *traces, const double *per_call,
                                   const double *other_world, uint32_t nsites);

/* Of a rank. The times of words (SCA_LOCK_SET) become the run's, in steps of 64 ns, modulo 2^32:
 * those of one trace are less than half of these 275 seconds apart. */
struct sca_replay_trace_op sca_replay_trace_op(const struct sca_profile *profile,
                                               const struct sca_rank *rank, const struct sca_op *op,
                                               uint32_t event);

/* A sequence that is copied whole has the same threads. */
void sca_replay_trace_take_others(struct sca_workspace *space,
                                  const struct sca_event_sequence *from,
                                  struct sca_event_sequence *to);

enum { SCA_LIKE_BEFORE = 4 }; /* ranks before that one may go through the same calls */

/* The sites of a rank's sequence: those of a rank before where they are the same, else a copy. */
const uint32_t *sca_replay_trace_sites(struct sca_workspace *space,
                                       const struct sca_event_sequence *sequences, uint32_t rank,
                                       const uint32_t *sites, uint32_t nevents);

static inline struct sca_trace_event sca_trace_event_of(const struct sca_event_sequence *sequence,
                                                        uint32_t event)
{
    return (struct sca_trace_event){sequence->sites[event + 1], sequence->sites[event],
                                    sequence->interval[event]};
}

/* A window that stands for itself: nothing is to be estimated of it. */
static inline bool sca_trace_stands_alone(const struct sca_trace *trace)
{
    return trace->weight <= 1;
}

static inline double sca_shown_of(const struct sca_event_sequence *sequence, uint32_t event)
{
    return sequence->shown ? (double)sequence->shown[event] : sequence->interval[event];
}

static inline double sca_excess_of(const struct sca_event_sequence *sequence, uint32_t event)
{
    return sequence->deviation && sequence->deviation[event] > 0
               ? (double)sequence->deviation[event]
               : 0;
}

static inline double sca_transfer_of(const struct sca_event_sequence *sequence, uint32_t event)
{
    return sequence->transfer ? sequence->transfer[event] : 0;
}

static inline double sca_other_world_of(const struct sca_event_sequence *sequence, uint32_t event)
{
    return sequence->other_world ? sequence->other_world[event] : 0;
}

static inline bool sca_input_is_collective(uint8_t kind)
{
    return kind >= SCA_OP_COLLECTIVE && kind < SCA_OP_LOCK;
}

/* Which ranks a collective makes wait, by its MPI name; -1: none (it returns before the others
 * enter, or it is not known). */
int sca_collective_shape(const char *function);
/* What a call does to an exclusive lock (enum sca_lock_shape); -1: nothing. */
int sca_lock_shape(const char *function);

#endif
