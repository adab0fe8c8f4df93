/*
 * libscalana: the performance graph: contexts x locations, with metrics and edges.
 *
 * It is the Program Performance Graph of Jin et al., "ScalAna: Automating Scaling Loss Detection
 * with Graph Analysis", SC'20, section III-C: the vertices of the program structure graph that ran,
 * in their calling contexts, times ranks. One tree of contexts serves all runs, so that a context
 * can be compared between rank counts. It is numbered in preorder, in program order: context 0 is
 * the program, a parent comes before its children, and what lies below context c are the contexts
 * c + 1 to end - 1.
 */
#ifndef SCALANA_GRAPH_H
#define SCALANA_GRAPH_H

#include "scalana/run.h"

#ifdef __cplusplus
extern "C" {
#endif

enum scalana_context_kind {                   /* more may come */
                            SCALANA_ROOT = 0, /* context 0: the program */
                            SCALANA_LOOP = 1,
                            SCALANA_BRANCH = 2,
                            SCALANA_CALL = 3,       /* of a function */
                            SCALANA_MPI = 4,        /* a call of an MPI function */
                            SCALANA_COMPUTATION = 5 /* a run of other instructions */
};

struct scalana_context {
    uint32_t parent; /* that of context 0 is itself */
    uint32_t end;    /* the first context after those below it; end = own number + 1: a leaf */
    uint32_t kind;   /* enum scalana_context_kind */
    uint32_t order;  /* program order among the children of the parent */
    uint32_t arm;    /* of which side of a branch, if the parent is one */
    uint32_t line, end_line; /* in `file`, from 1; 0: unknown */
    bool has_structure;      /* of a function that was compiled with scalana-static */
    const char *name;        /* the callee of calls and of MPI calls, else "" */
    const char *function;    /* whose source holds it, as the user wrote it; "" if unknown */
    const char *file;        /* as it was compiled; "" if unknown */
};

/* How many contexts there are, at least 1; 0 for NULL. */
uint32_t scalana_graph_count(const scalana_runs *runs);

/* Rows of contexts; the row's place in the graph is the context's number. */
int scalana_graph_contexts(const scalana_runs *runs, uint32_t first, uint32_t count,
                           struct scalana_context *out, size_t size);

/* How many sentences there are that a reader of the graph must know (code without structure, a
 * source not found ...), and one of them; NULL, with a message, if there is no such. */
uint32_t scalana_graph_notes(const scalana_runs *runs);
const char *scalana_graph_note(const scalana_runs *runs, uint32_t note);

/* ---- metrics ---- */

enum scalana_metric_id { /* more may come */
                         SCALANA_METRIC_COMPUTATION =
                             0, /* seconds of own time outside MPI, with what ranks were blocked:
                                   of the thread that calls MPI measured exactly from call to
                                   call, divided among contexts by its samples; what other threads
                                   computed is added, by theirs */
                         SCALANA_METRIC_MPI_TIME =
                             1, /* seconds inside MPI, of SCALANA_MPI contexts */
                         SCALANA_METRIC_SAMPLES =
                             2, /* samples taken, outside MPI and in MPI calls */
                         SCALANA_METRIC_MPI_CALLS = 3, /* executions of SCALANA_MPI contexts */
                         SCALANA_METRIC_MPI_BYTES = 4, /* that these sent or received */
                         SCALANA_METRIC_BYTES_SENT =
                             5, /* in messages between two ranks, at the call that sends, */
                         SCALANA_METRIC_BYTES_RECEIVED =
                             6, /* and at the one that completes the receive */
                         SCALANA_METRIC_MESSAGES_SENT = 7,
                         SCALANA_METRIC_MESSAGES_RECEIVED = 8,
                         SCALANA_METRIC_SAMPLED_TIME =
                             9, /* seconds of CPU time that the samples stand for */
                         /* Of a run that was replayed, in virtual time: as if each rank had a core.
                          */
                         SCALANA_METRIC_WAITING =
                             16, /* seconds waited in a call, the sum of the next eight and of
                                    SCALANA_METRIC_OTHER_WORLD and those behind it */
                         SCALANA_METRIC_LATE_SENDER =
                             17, /* the classes of scalana_wait.wait_class */
                         SCALANA_METRIC_WRONG_ORDER = 18,
                         SCALANA_METRIC_LATE_RECEIVER = 19,
                         SCALANA_METRIC_LATE_BROADCAST = 20,
                         SCALANA_METRIC_EARLY_REDUCE = 21,
                         SCALANA_METRIC_WAIT_AT_NXN = 22,
                         SCALANA_METRIC_WAIT_AT_BARRIER = 23,
                         SCALANA_METRIC_WAIT_AT_SCAN = 24,
                         SCALANA_METRIC_COMPLETION =
                             25, /* seconds in collective calls beyond waiting; signed */
                         SCALANA_METRIC_TRANSFER = 26, /* the same in other calls */
                         /* Seconds that other ranks waited because of the computation of this
                          * context and rank (Boehme, Geimer, Wolf, Arnold, "Identifying the root
                          * causes of wait states in large-scale parallel applications", ICPP 2010):
                          * direct, for this rank itself; indirect, for one that had waited for it.
                          */
                         SCALANA_METRIC_DELAY_COST = 27,
                         SCALANA_METRIC_DELAY_DIRECT = 28,
                         SCALANA_METRIC_DELAY_INDIRECT = 29,
                         /* Seconds on the critical path, and how much they are beyond the mean of
                          * all ranks in this context: lost against a balanced run (Boehme et al.,
                          * "Scalable critical-path based performance analysis", IPDPS 2012). The
                          * path goes through one rank at a time: its sum over contexts and ranks is
                          * the duration of the replay. */
                         SCALANA_METRIC_CRITICAL_PATH = 30,
                         SCALANA_METRIC_CRITICAL_IMBALANCE = 31,
                         SCALANA_METRIC_OTHER_WORLD =
                             32, /* a part of SCALANA_METRIC_WAITING: for ranks of another
                                    MPI_COMM_WORLD, as measured */
                         /* More classes of waits, of one-sided communication. */
                         SCALANA_METRIC_LATE_POST = 33,
                         SCALANA_METRIC_LATE_COMPLETE = 34,
                         SCALANA_METRIC_LOCK_CONTENTION = 35,
                         SCALANA_METRIC_COUNTER =
                             64, /* the first hardware counter of a run; the others follow, and
                                    after them those that were asked for and not counted */
                         SCALANA_METRIC_RATIO =
                             128 /* the first ratio of two metrics; the others follow */
};

/* What a context and location have of a metric is a sum over what ran there, and can be added up
 * over contexts and locations; a ratio is that of two such sums. */
struct scalana_metric {
    uint32_t id;         /* enum scalana_metric_id, or SCALANA_METRIC_COUNTER + n */
    const char *name;    /* "computation", "mpi_time", "late_sender" ..., or the counter's as it was
                            asked for: "PAPI_L2_DCM" */
    const char *unit;    /* "s", "samples", "calls", "bytes", "messages", "events" ... */
    const char *meaning; /* a few words */
    const char *title;   /* for people: "Late sender" */
    const char *absent;  /* why there are no values; "": there are */
    uint32_t parent;     /* the metric that this one is a part of; SCALANA_NONE: of none */
    uint32_t of, per;    /* a ratio: of these two metrics, times `scale`; else SCALANA_NONE */
    double scale;
};

/* Rows of the metrics a run has: the fixed ones, then its hardware counters, then ratios. */
int scalana_run_metrics(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                        struct scalana_metric *out, size_t size);

/* The id of a metric of a run by its name. SCALANA_ENOTFOUND. */
int scalana_metric_find(const scalana_runs *runs, uint32_t run, const char *name, uint32_t *id);

enum scalana_values { SCALANA_EXCLUSIVE = 0, SCALANA_INCLUSIVE = 1 };

/* Replays the largest run, by which its metrics from SCALANA_METRIC_WAITING on have values; the
 * options are those of an analysis (verdict.h), NULL: the default. The report of the same options
 * has the same values. It takes as long as the verdict. A second call changes nothing. No other
 * thread may use the runs meanwhile. To replay a smaller run, load it alone. SCALANA_EINVAL,
 * SCALANA_ENOMEM. */
int scalana_runs_replay(scalana_runs *runs, const scalana_options *options);

/* A block of a metric's values, ncontexts x nlocations doubles: that of context
 * first_context + c at location first_location + l is written to out[c * nlocations + l]. Exclusive
 * values are a context's own; inclusive ones add all contexts below it. 0 where a rank is absent;
 * NaN for a ratio to nothing.
 * One call for many contexts is cheaper than many calls: all but the computation walk the profile
 * of each location once. SCALANA_EINVAL: out of range, or no such metric; SCALANA_ENOTFOUND: it has
 * no values, and the message says why; SCALANA_ENOMEM. */
int scalana_metric_values(const scalana_runs *runs, uint32_t run, uint32_t metric,
                          enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                          uint32_t first_location, uint32_t nlocations, double *out);

/* ---- threads ---- */

/* A thread of the locations of a run: of each the one with that number. Numbers are given as
 * threads begin, and those of ended threads are used again; 0 is the first. */
struct scalana_thread {
    uint32_t number;
    uint32_t nlocations; /* that have samples of it */
    double sampled_s;    /* CPU seconds that its samples stand for, on all locations */
};

/* How many threads samples of the run fell on: 1 where each location has one. SCALANA_ENOMEM. */
int scalana_run_threads(const scalana_runs *runs, uint32_t run, uint32_t *n);

/* Rows of these, by number. */
int scalana_threads_get(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                        struct scalana_thread *out, size_t size);

/* On which core a thread of a location ran for which part of its CPU time, by the kernel's numbers.
 * Where a location used many, those with least are missing. */
struct scalana_core_part {
    uint32_t location, thread;
    int32_t core;    /* -1: none is known */
    double part;     /* of that thread's, 0 to 1 */
    double waited_s; /* for a core, that thread, in all of the run; 0: hardly, or unknown */
};

/* How many of these the run has; 0: an older release recorded it. SCALANA_ENOMEM. */
int scalana_run_core_parts(const scalana_runs *runs, uint32_t run, uint32_t *n);

/* Rows of these, by location, thread and core. */
int scalana_core_parts_get(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                           struct scalana_core_part *out, size_t size);

/* As scalana_metric_values(), of one thread by its number: computation, samples, sampled time and
 * hardware counters. Samples of a thread divide its own CPU time. The computation of the first is
 * the location's less that of the others, so that all threads add up to it. SCALANA_ENOTFOUND as
 * well: the metric is known of the location alone. */
int scalana_thread_values(const scalana_runs *runs, uint32_t run, uint32_t thread, uint32_t metric,
                          enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                          uint32_t first_location, uint32_t nlocations, double *out);

/* How such a metric is spread over the threads of all locations that have any of it: for each of
 * these contexts and each of `parts` (from 0, the least, to 1, the most; 0.5 is the median) the
 * quantile, to out[context * nparts + part]. NaN: no thread has any. Errors as those of
 * scalana_thread_values(). Any number of threads; a block of contexts is in memory at a time. */
int scalana_thread_quantiles(const scalana_runs *runs, uint32_t run, uint32_t metric,
                             enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                             const double *parts, uint32_t nparts, double *out);

/* ---- edges ---- */

enum scalana_edge_kind {
    SCALANA_EDGE_CONTROL = 1,       /* from a context to one inside it, on all locations alike */
    SCALANA_EDGE_COMMUNICATION = 2, /* messages, from the call that sent to the one that received */
    SCALANA_EDGE_COLLECTIVE = 4,    /* a location's part in the collectives of a group, from the
                                       root or, where there is none, from all members */
    SCALANA_EDGE_LOCK = 8           /* within a location: from the call by which threads had a lock
                                       to the one where others waited for it */
};

/* Communication: receives count where they were completed (MPI_Wait ...). Messages and bytes are
 * the receiver's exact totals. Which call of the sender they came from is known for the messages
 * that both sides kept, by which the totals are shared out; without any it is the call whose count
 * comes closest, or context 0 where the sender has none. `known` says where numbers are exact.
 * Collective: one edge for each member, call, group and root; `messages` are its calls. Who waits
 * for whom in it the MPI function says, the name of `to_context`. Of the root only the location is
 * known; of collectives over the neighbours in a topology, the group but not who is a neighbour. */
struct scalana_edge {
    uint32_t kind; /* enum scalana_edge_kind */
    /* Collective: SCALANA_NONE, and the root or, without one, SCALANA_NONE. */
    uint32_t from_context, from_location;
    uint32_t to_context, to_location; /* locations of control edges: SCALANA_NONE */
    uint64_t messages, bytes;         /* collective: calls; 0 on control edges */
    double seconds; /* control: computation and MPI in `to` and below it, over all locations;
                       lock: what threads waited; else 0 */
    double late_s;  /* communication: mean time by which the receiver's call was entered before
                       the sender's, of the kept messages; negative: the message was early. NaN if
                       none was kept, and on other edges */
    uint32_t group; /* collective: row of scalana_run_groups(); else SCALANA_NONE */
    uint32_t known; /* communication: enum scalana_count_known; else 0 */
    /* Lock: the threads of the location that had it and that waited for it, as
     * scalana_thread.number has them; else, and where a run does not tell, SCALANA_NONE. */
    uint32_t from_thread, to_thread;
    /* Lock: what it is called, "table_lock", or where it was made, "made at solver.c:12"; the
     * runs'.
     * "" on other edges, and where neither is known. */
    const char *lock;
};

/* What messages and bytes of a communication edge are. */
enum scalana_count_known {
    SCALANA_COUNT_EXACT = 1,     /* one of the two sides has no other call */
    SCALANA_COUNT_BY_TOTALS = 2, /* follows from the totals of both sides and the pairs seen */
    SCALANA_COUNT_ESTIMATED = 3  /* totals, shared out by the messages that both sides kept */
};

typedef struct scalana_edges scalana_edges;

/* Walks the edges of a run: control edges first, by `to_context`, then communication edges to the
 * receivers first_location ... first_location + nlocations - 1, by receiver, then by sender, then
 * collective edges to the same locations, by location, then those of locks within them.
 * `kinds` is a sum of enum scalana_edge_kind. The walk is one thread's and must end before the runs
 * are freed; free it with scalana_edges_close(). SCALANA_EINVAL, SCALANA_ENOMEM: then *out is NULL.
 */
int scalana_edges_open(const scalana_runs *runs, uint32_t run, uint32_t kinds,
                       uint32_t first_location, uint32_t nlocations, scalana_edges **out);

/* The next edges, at most `room` >= 1 of `size` bytes each; *n is how many: 0 at the end. After
 * SCALANA_ENOMEM the walk can only be closed. */
int scalana_edges_next(scalana_edges *edges, uint32_t room, struct scalana_edge *out, size_t size,
                       uint32_t *n);

/* NULL is nothing to close. */
void scalana_edges_close(scalana_edges *edges);

/* ---- groups ---- */

/* The members of a communicator. Those that ranks could not agree on a name for have a group for
 * each of these ranks, and those that the profiler had no room for ("others") one for each rank. */
struct scalana_group {
    const char *kind; /* "MPI_COMM_WORLD", "MPI_COMM_SELF", or the function that made it:
                         "MPI_Comm_split" ...; "unknown", "others" */
    uint32_t size;    /* how many members it has, also such that left nothing; 0: unknown. Of an
                         inter-communicator, those of the own side */
};

/* Rows of a run's groups; group 0 is MPI_COMM_WORLD. */
int scalana_run_groups(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_group *out, size_t size);

/* The locations that are members of a group, rising: at most `room` of them are written to `out`,
 * which may be NULL where room is 0; *n, if not NULL, is how many there are. Members that left
 * nothing are not known. */
int scalana_group_members(const scalana_runs *runs, uint32_t run, uint32_t group, uint32_t room,
                          uint32_t *out, uint32_t *n);

#ifdef __cplusplus
}
#endif
#endif
