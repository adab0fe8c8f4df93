/*
 * Virtual time: plays a trace forward as if each rank had a core and messages took no time
 * (doc/internals/verdict.md, "Replay"). A call is entered when the computation before it is done,
 * and left at the latest of that and the entering of all it depends on. The waits that come out are
 * immune to ranks that share cores.
 *
 * An event's number says as the manieth of all it is entered; arrays are by number. They live in
 * the room and are used again by the next sca_replay_run() of the same replay.
 */
#ifndef SCA_DETECT_REPLAY_H
#define SCA_DETECT_REPLAY_H

#include "replay/event_order.h"

struct sca_replay {
    const struct sca_trace *trace;
    double *interval;     /* the computation played: the trace's, or equalised by a what-if */
    double *enter;        /* seconds since the trace's begin */
    uint32_t *waited_for; /* event whose entering ended the wait; SCA_NO_EVENT: did not wait */
    uint32_t *order;      /* events as they are left: what an event depends on stands before it */
    double *seconds;      /* by place (rank by rank): what a replay begins with, */
    float *deviation;     /* and what of it is excess; NULL: the trace's */
    const float *excess;  /* [rank * intervals + interval] likewise (replay_trace.h) */
    bool stale;           /* intervals have changed since it was played */
    double end;           /* latest exit */
    double waits;         /* sum of exit - enter, of all locations (rank_idle.h) */
    uint64_t forced;      /* calls left although a partner never came: what they miss is unknown */
    struct sca_order numbers;
    struct sca_replay_links *links;
};

/* Links are those of the trace, by place, and not needed any longer; interval starts as the
 * trace's. More than `most_forced` calls forced: there is no replay, only their number so far. */
void sca_replay_open(struct sca_workspace *space, const struct sca_trace *trace,
                     struct sca_replay_links *links, uint64_t most_forced, struct sca_replay *out);
/* Not stale afterwards. */
void sca_replay_run(struct sca_replay *replay);

/* The manieth event of a rank, from 0. */
static inline uint32_t sca_replay_at(const struct sca_replay *replay, uint32_t rank, uint32_t i)
{
    return replay->numbers.number[replay->trace->first[rank] + i];
}

/* The computation before that event, nothing equalised; and what of it is excess. */
static inline double sca_replay_seconds(const struct sca_replay *replay, uint32_t rank, uint32_t i)
{
    return replay->seconds ? replay->seconds[replay->trace->first[rank] + i]
                           : replay->trace->sequences[rank].interval[i];
}

static inline double sca_replay_excess(const struct sca_replay *replay, uint32_t rank, uint32_t i)
{
    return replay->deviation ? (double)replay->deviation[replay->trace->first[rank] + i]
                             : sca_excess_of(&replay->trace->sequences[rank], i);
}

/* When an event is left: what it waited for was entered then. */
static inline double sca_replay_exit(const struct sca_replay *replay, uint32_t event)
{
    uint32_t by = replay->waited_for[event];
    return replay->enter[by == SCA_NO_EVENT ? event : by];
}

static inline double sca_replay_waited(const struct sca_replay *replay, uint32_t event)
{
    return sca_replay_exit(replay, event) - replay->enter[event];
}

/* The event before of the same rank and thread; SCA_NO_EVENT: it is its first. */
static inline uint32_t sca_replay_before(const struct sca_replay *replay, uint32_t event)
{
    return event < replay->numbers.nfirst ? SCA_NO_EVENT
                                          : replay->order[event - replay->numbers.nfirst];
}

/* Rank of an event. */
uint32_t sca_replay_rank(const struct sca_replay *replay, uint32_t event);
struct sca_trace_event sca_replay_event(const struct sca_replay *replay, uint32_t event);
/* An event whose rank is known: its place in the rank's sequence. */
static inline uint32_t sca_replay_place(const struct sca_replay *replay, uint32_t rank,
                                        uint32_t event)
{
    return replay->numbers.place[event] - replay->trace->first[rank];
}
/* Whether two events meet in one collective: how a wait's edge is called. */
bool sca_replay_is_collective(const struct sca_replay *replay, uint32_t event);

#endif
