/*
 * libscalana: a run at the moment it was read: what each rank was doing, and whom it waited for.
 *
 * A rank keeps its state in a mapped file of the run directory. It is read without a signal, a
 * message or a lock: the program does not notice. scalana_runs_load() of a directory whose job
 * runs, hangs or was killed finds it; of a run that ended well, or of runtimes before version 5 of
 * the live state, there is none of what is here. Threads and rows: error.h.
 *
 * Who waits for whom makes a wait-for graph (Holt, "Some deadlock properties of computer systems",
 * ACM Computing Surveys 4, 1972); for MPI, with calls that wait for all or for one of several:
 * Hilbrich, de Supinski, Schulz, Mueller, "A graph based approach for MPI deadlock detection", ICS
 * 2009.
 */
#ifndef SCALANA_LIVE_H
#define SCALANA_LIVE_H

#include "scalana/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

enum scalana_doing {                            /* more may come */
                     SCALANA_COMPUTES = 0,      /* outside MPI */
                     SCALANA_IN_MPI_CALL = 1,   /* in the call `context` */
                     SCALANA_IN_FINALIZE = 2,   /* it reached MPI_Finalize */
                     SCALANA_HAS_ENDED = 3,     /* without it: by exit, abort, MPI_Abort */
                     SCALANA_WAITS_FOR_LOCK = 4 /* outside MPI, for long: in the call `context` */
};

enum scalana_awaits {
    SCALANA_AWAITS_SENDER = 1,    /* a message from `location` */
    SCALANA_AWAITS_RECEIVER = 2,  /* that `location` receives one */
    SCALANA_AWAITS_ALL = 3,       /* a collective: all members of the group */
    SCALANA_AWAITS_ROOT = 4,      /* a collective: the root, `location` */
    SCALANA_AWAITS_MEMBERS = 5,   /* a collective whose root it is, or may be: the members */
    SCALANA_AWAITS_LOWER = 6,     /* a collective: members of lower rank in the group */
    SCALANA_AWAITS_NEIGHBOURS = 7 /* a collective over the neighbours in a topology */
};

/* One of what a call waits for. */
struct scalana_awaited {
    uint32_t kind;     /* enum scalana_awaits */
    uint32_t group;    /* row of scalana_run_groups(); SCALANA_NONE: not known */
    uint32_t location; /* SCALANA_NONE: any, none or not known */
    bool any_location; /* of a receive: MPI_ANY_SOURCE */
    int32_t tag;       /* of a message; SCALANA_ANY_TAG */
    uint32_t number;   /* of a collective on its group, modulo 2^32 */
};
#define SCALANA_ANY_TAG INT32_MIN

/* What the kernel says of a thread. */
enum scalana_thread_state {
    SCALANA_THREAD_UNKNOWN = 0, /* it is another host's, or gone */
    SCALANA_THREAD_RUNS = 1,    /* or waits for a core */
    SCALANA_THREAD_SLEEPS = 2,
    SCALANA_THREAD_STOPPED = 3 /* by a signal, or a debugger */
};

/* A thread of a rank that has called MPI. */
struct scalana_activity {
    uint32_t location;
    uint32_t thread;   /* the kernel's number of it */
    uint32_t doing;    /* enum scalana_doing; of a process that is gone, what it did last */
    bool gone;         /* its process is not there any more */
    uint32_t context;  /* of the MPI call it is in; else of the one it left last, 0: MPI_Init */
    double since_s;    /* for so long, up to now; of a run that has ended, up to its last sign */
    uint32_t sampled;  /* where the last sample outside MPI found it; SCALANA_NONE: none yet */
    double sampled_s;  /* so many seconds ago */
    bool any;          /* one of what it awaits is enough; else it waits for all */
    uint32_t nawaited; /* of a call: requests that it waits for; 0: not known */
    uint32_t nknown;   /* of these are in `awaited` */
    const struct scalana_awaited *awaited;
    uint32_t holder; /* of a wait for a lock: the kernel's number of the thread that had it, */
    double asked_s;  /* so many seconds ago; 0: it is in none */
    uint32_t state;  /* enum scalana_thread_state */
    uint32_t held;   /* where that thread took it, without callers; SCALANA_NONE: not known */
    bool polls;  /* by that call (MPI_Test, MPI_Iprobe, ...), without success for since_s; it may
                    stop by itself */
    bool booked; /* since_s is in the location's times and in the metrics already */
};

/* Rows of what the threads of a run do, by location; scalana_run.nactivities says how many. */
int scalana_run_activities(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                           struct scalana_activity *out, size_t size);

/* How many messages the location `from` has sent on the group to `to`, less those that `to` has
 * received: below 1, and none is under way. By complete calls alone: one that is being sent does
 * not count yet. */
int scalana_messages_under_way(const scalana_runs *runs, uint32_t run, uint32_t group,
                               uint32_t from, uint32_t to, int64_t *n);

/* What is under way, as above, and a message of it, of those of which the run keeps some. */
struct scalana_under_way {
    int64_t messages, bytes;
    uint32_t context; /* that sent one of them; SCALANA_NONE: none is known */
    int32_t tag;      /* of that one */
};
int scalana_under_way_get(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t from,
                          uint32_t to, struct scalana_under_way *out, size_t size);

/* Of messages under way those that the run keeps: all of a pair of ranks that exchanges few, of
 * others some. */
struct scalana_kept_message {
    uint32_t context; /* that sent it */
    int32_t tag;
};
/* At most `count` of them; `*n` says how many were written. */
int scalana_under_way_kept(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t from,
                           uint32_t to, uint32_t count, struct scalana_kept_message *out,
                           size_t size, uint32_t *n);

/* How many collectives of the group the location has completed, or, of non-blocking ones, begun. */
int scalana_collectives_done(const scalana_runs *runs, uint32_t run, uint32_t group,
                             uint32_t location, uint64_t *n);

#ifdef __cplusplus
}
#endif
#endif
