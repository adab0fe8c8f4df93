/*
 * The report: what detect/ found, as it is written to JSON ("schema": "scalana-report/1") and
 * read back by viewer/ and by anything else. Field names of the JSON are the members' names
 * (contract: README, doc/FORMATS.md).
 *
 * A report owns all its strings and arrays, in one arena; sca_report_free() releases them all.
 * Strings are NUL-terminated UTF-8 (invalid bytes replaced on writing), never NULL.
 * Seconds are double; shares are fractions of ranks x wall of the largest run.
 */
#ifndef SCA_REPORT_H
#define SCA_REPORT_H

#include "sca_report_locks.h"
#include "sca_report_threads.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sca_topology.h"

#define SCA_REPORT_SCHEMA "scalana-report/1"

/* Where a run's ranks x duration went, core-seconds. The parts add up to base_core_s. */
struct sca_report_account {
    bool is_virtual;    /* ranks shared cores: duration as if each had had one (replayed) */
    double duration_s;  /* the wall clock's, or virtual */
    double base_core_s; /* ranks x duration_s */
    double useful_core_s, extra_core_s; /* computation; extra: beyond ideal scaling of the smallest
                                           run's */
    double blocked_core_s; /* outside MPI: asleep, in I/O, waiting for something else than MPI */
    double awaited_core_s; /* waits for other ranks outside MPI that are not replayed */
    double queued_core_s;  /* waits for a core while cores were idle that they might not use */
    double explained_core_s, unexplained_core_s; /* replayed waits, charged to somebody or not */
    double disturbed_core_s;   /* replayed waits for what sharing cores adds to single intervals */
    double other_world_core_s; /* waits for ranks of another MPI_COMM_WORLD, measured */
    double communication_core_s; /* inside MPI for communication that grows */
    double rest_core_s;          /* transfer, scheduling, error of measurement: signed */
    double tool_core_s; /* ours; was measured inside the computation and is taken out of it */
};

struct sca_report_host {
    const char *name, *address; /* "" if unknown; names need not differ */
    uint32_t nranks;
    uint32_t *ranks;
};

/* The topology of most ranks of a run, and where each rank stands in it. */
struct sca_report_topology {
    const char *kind; /* cart|graph|dist_graph; worlds: where several are one run; "" if there is
                         none */
    uint32_t ndims;   /* of cart */
    uint32_t *dims;
    bool *periodic;
    uint32_t nranks; /* the run's, 0 if there is none */
    uint32_t width;  /* numbers of a place: ndims coordinates; of graph how many neighbours, of
                        dist_graph how many in and out; of worlds the world's number, from 1, and the
                        rank in it */
    int32_t *places; /* [nranks * width]; -1: this rank is not in it */
};

struct sca_report_meta { /* what somebody noted of a run: "git", "compilers" ... */
    const char *key, *value;
};

struct sca_report_world { /* its ranks are the run's from `first` on */
    const char *dir;
    uint32_t first, ranks;
};

struct sca_report_run {
    const char *dir; /* of several worlds the first one's */
    uint32_t ranks;
    uint32_t threads;               /* of a rank that compute; 0 in older reports */
    double work;                    /* problem size as given, any unit; 0: not given */
    double wall_s;                  /* longest rank, Init to Finalize */
    double useful_s, mpi_s, wait_s; /* core-seconds, summed over ranks */
    double tool_s;
    bool complete, oversubscribed;
    bool noisy;   /* differs from what the other runs make expect by more than noise allows */
    double noise; /* relative error of a vertex' time in this run, without sampling */
    struct sca_report_account account;
    uint32_t nhosts; /* by their lowest ranks; 0: unknown */
    struct sca_report_host *hosts;
    uint32_t nworlds; /* 0: it is one MPI_COMM_WORLD */
    struct sca_report_world *worlds;
    struct sca_report_topology topology;
    /* The words behind the program's name, and where it was started; "" in older reports. */
    const char *arguments, *directory;
    double core_step_ns; /* time of one step of a chain of dependent multiplications on the median
                            rank's core, which tells its clock; 0: not known */
    uint32_t nmeta;
    struct sca_report_meta *meta;
};

/* POP's table (pop-coe.eu, "POP standard metrics"), fractions; NAN: not measured. Each is the
 * product of those that it consists of: global = parallel x computation, parallel = load balance x
 * communication, communication = serialisation x transfer (all serialisation where transfer is
 * NAN), computation = instructions x IPC x frequency. */
struct sca_report_efficiency {
    uint32_t ranks;
    double global, parallel, load_balance, communication, serialisation, transfer;
    double computation;
    double instructions, ipc, frequency; /* of counters; NAN in older reports */
    /* POP's hybrid figures: hybrid = parallel x openmp, and openmp is the product of the rest. NAN
     * where no rank has parallel regions, and in older reports. */
    double hybrid, openmp, openmp_serialisation, openmp_load_balance, openmp_scheduling;
    /* Load balance is the product of these (TALP: Lopez, Garcia-Gasulla et al., "TALP", 2021): of
     * the ranks of the node with most to do on the mean, and of these means. NAN on one node. */
    double load_balance_within, load_balance_between;
};

struct sca_report_vertex {
    uint32_t id;      /* index in vertices[] */
    const char *kind; /* loop|branch|call|comp|mpi|root */
    const char *name; /* callee or function for calls and mpi, else "loop at file:line" */
    const char *function, *file;
    uint32_t line, end_line; /* 0 unknown; then `file` may be "program+0x12ab", an address */
    uint32_t parent;         /* caller context upwards; a root's is itself (JSON: null) */
    uint32_t nranks;         /* per-rank seconds of the largest run, inclusive of children */
    double *rank_s;          /* computation for non-MPI vertices, time inside MPI for MPI ones */
    uint32_t nruns;          /* per run (same order as runs[]): sum over ranks, core-seconds */
    double *run_s;
    bool near; /* the line is that of something in the loop, not of its head */
};

struct sca_report_projection { /* a vertex on more ranks than were run */
    uint32_t ranks;
    double share, share_ci[2]; /* of all computation and communication then; 95 % */
};

struct sca_report_nonscalable {
    uint32_t vertex;
    double slope, slope_ci[2], r2, share, loss_core_s;
    double expected_slope; /* what the rest of the program does, or ideal */
    uint32_t nprojections; /* at 2, 8 and 64 times the largest run */
    struct sca_report_projection *projections;
};

/* Replayed waiting of the largest run at one MPI call, by what it is waiting for. Direct: charged
 * to computation of the rank waited for; indirect: that rank had waited itself (delay costs:
 * Boehme et al., ICPP 2010). What is neither is unexplained. */
struct sca_report_wait {
    uint32_t vertex;
    const char *wait_class; /* "class": late-sender|late-receiver|wrong-order|early-reduce|
                               late-broadcast|wait-at-nxn|wait-at-barrier|wait-at-scan|
                               other-world|late-post|late-complete|lock-contention */
    double count;           /* calls that waited, estimated */
    double wait_core_s, direct_core_s, indirect_core_s;
};

/* 0, 5, 25, 50, 75, 95 and 100 % of the ranks have at most so much. */
enum { SCA_REPORT_QUANTILES = 7, SCA_REPORT_NAMED_RANKS = 64 };

/* One vertex' values of a metric, without what is below it. Where all are known ("complete") the
 * ranks that are not listed have 0. Else only ranks that causes name are listed, at most
 * SCA_REPORT_NAMED_RANKS of them. */
struct sca_report_metric_row {
    uint32_t vertex;
    double sum; /* over all ranks */
    bool complete;
    bool same;        /* every rank has values[0] */
    uint32_t nvalues; /* 1 if they are the same */
    uint32_t *ranks;  /* [nvalues], rising; NULL: values[] is that of rank 0, 1, 2 ... */
    double *values;
    /* Of what is not complete. */
    uint32_t least_rank, most_rank; /* of `nquantiles` none is known in runs of very many ranks but
                                       the first and the last: then it is 2 */
    uint32_t nquantiles;
    double quantiles[SCA_REPORT_QUANTILES];
};

struct sca_report_metric_sum { /* over all ranks of a run */
    uint32_t vertex;
    double sum;
};

struct sca_report_metric_run { /* what a run other than the largest has of a metric */
    uint32_t run;              /* index in runs[] */
    uint32_t nrows;            /* vertices that are not here have 0 */
    struct sca_report_metric_sum *rows;
};

/* A metric of the largest run. Values can be added up over vertices and ranks; a ratio is that of
 * two such sums, and has no rows. */
struct sca_report_metric {
    const char *name, *title, *unit, *meaning;
    const char *absent; /* why there are no values; "": there are */
    uint32_t parent;    /* index of the metric that it is a part of; UINT32_MAX: of none */
    uint32_t of, per;   /* a ratio: of these two, times scale; else UINT32_MAX */
    double scale;
    uint32_t nrows; /* vertices that are not here have 0 */
    struct sca_report_metric_row *rows;
    double *by_rank; /* [ranks of the largest run]: each rank's value over all vertices; NULL:
                        the report has none */
    uint32_t nothers;
    struct sca_report_metric_run *others; /* runs that have it; none in older reports */
};

struct sca_report_source {  /* as it was compiled */
    const char *file, *md5; /* as vertices name it; 32 hexadecimal digits */
};

struct sca_report_abnormal {
    uint32_t vertex, ranks_of_run;
    uint32_t nranks;
    uint32_t *ranks;
    double ratio, excess_core_s;
};

struct sca_report_symptom {
    uint32_t vertex;
    double wait_core_s;
};

struct sca_report_part { /* of a cause that is known as between two calls */
    uint32_t vertex;
    double excess_core_s, share; /* of the excess of all vertices there */
};

struct sca_report_step { /* from the symptom back to the cause */
    uint32_t vertex, rank;
    const char *via; /* p2p|collective|data|control: how the walk arrived here; "" for the first */
};

/* A backtracking path, whether or not it leads to a cause. */
struct sca_report_path {
    const char *start; /* nonscalable|waiting|abnormal: what its first vertex is */
    double wait_s;     /* the wait that it begins with; 0: of a place alone */
    bool to_cause;     /* it ends in that cause: */
    uint32_t cause;    /* by index */
    uint32_t nsteps;
    struct sca_report_step *steps;
};

struct sca_report_cause {
    uint32_t vertex;
    const char *category; /* imbalance|serial|nonscalable|communication|contention|binding */
    uint32_t nranks;
    uint32_t *ranks;
    double cost_core_s, cost_share, gain_core_s, gain_share;
    double gain_ci[2];    /* 95 % interval of gain_core_s; in older reports it is that alone */
    const char *saved_if; /* what that gain supposes: alike (its ranks take as long as the others),
                             shared (all take the mean), "usual" (long instances take what others
                             do), at-once (no rank waits for its turn), ideal (it scales as it
                             should), transfer (transfers take what they do on the fewest ranks),
                             even-threads (all threads of a rank take the same), all-threads (they
                             share it), no-lock (no thread waits for the lock), free-cores (its
                             ranks may use the cores that were idle);
                             "" or NULL in older reports */
    uint32_t ncall_paths; /* call paths to its place; 0 in older reports */
    const char *uncertain_path; /* guessed (a caller on it is one), cut (it does not reach the
                                   thread's start); "" or NULL: certain, or an older report */
    bool moves;                 /* now on this one of its ranks, now on that */
    double gain_shared_core_s;  /* saved if the ranks' work were shared out among all instead; 0 if
                                   that is near gain_core_s, or not known */
    double gain_alike_core_s;   /* of "shared": if its ranks took as long as the others instead */
    double direct_core_s, indirect_core_s; /* of the cost: waits for it, and for who waited for it;
                                              the rest of the cost is its own excess */
    double ratio;       /* delayed ranks over the others; 0 if it does not apply */
    const char *others; /* have of it: none|some (most have none)|less (ratio says)|in-turn (one
                           rank after the other)|threads (of a rank: ratio is that of the busiest
                           to the mean)|one-thread (of ratio threads)|lock|cores; "" if it does not
                           apply, or in older reports */
    /* Where only some of the call paths to the place are out of line: the call that leads to those
     * and to no other. */
    bool at_site;
    uint32_t site;
    /* The function that is part of the place and has most of it; inner_share 0: none has. Of code
     * without a graph (inner_foreign) file and line are those of the call. */
    double inner_share;
    const char *inner_function, *inner_file;
    uint32_t inner_line;
    bool inner_inlined, inner_foreign;
    /* The hardware counter that tells why its ranks take longer: events of each of them in the
     * run, on average, and of each of the others; counter_each 0: none tells. Of what does not
     * scale (counter_fewest > 0): of each rank of the largest run, of each of counter_fewest ranks
     * in the smallest, and what that promises for the largest. */
    const char *counter;
    double counter_each, counter_others_each;
    uint32_t counter_fewest;
    double counter_fewest_each, counter_expected_each;
    /* When it acts: "every 16th iteration", "from iteration 512 on (second 41.0)"; "" or NULL: not
     * known, always, or an older report. */
    const char *acts;
    /* Where in `vertex` is known only as between two calls: their vertices. */
    bool between;
    uint32_t after, before;
    uint32_t nparts; /* of that: where its ranks spend more than the others, largest first */
    struct sca_report_part *parts;
    /* Seconds of it on each rank of the largest run, where these are not the vertex' own: over all
     * call paths to its place, or between the two calls. nrank_s is 0 where they are. */
    uint32_t nrank_s;
    double *rank_s;
    uint32_t nsymptoms, npath;
    struct sca_report_symptom *symptoms;
    struct sca_report_step *path;
    /* What was found but is not confirmed: why, and the run that would decide it; "" or NULL: it is
     * confirmed. `note`: the note that says the same at length. */
    const char *doubt;
    uint32_t note;
};

/* What a cause must save: what saves less is none. Of ranks x duration of the largest run, as its
 * account has it. */
struct sca_report_least {
    bool known; /* older reports do not say */
    double share, core_s;
    double
        min_share; /* as asked for: `share` is more where ranks share cores or the run is short */
    bool shared_cores, short_run;
};

/* Messages between blocks of ranks that follow each other; collectives are in none of them. */
enum { SCA_MOST_BLOCKS = 64 };

struct sca_report_pair {
    uint32_t from, to; /* blocks */
    double messages, bytes;
};

struct sca_report_size { /* a class of message sizes, up to the next one's */
    double from_bytes, messages, collectives;
};

struct sca_report_communication {
    uint32_t nblocks, block_ranks; /* 0: an older report; ranks in a block, but for the last */
    uint32_t npairs, nsizes;
    struct sca_report_pair *pairs;             /* by `from`, then `to`; those that have messages */
    struct sca_report_size *sizes;             /* rising */
    double collective_calls, collective_bytes; /* of all members */
    double not_in_pairs; /* messages whose partner is of another world, or not known */
};

/* What a main loop of the largest run did over time; a point is an iteration, or several
 * neighbours. Seconds are of a whole point. */
enum sca_report_series_column {
    SCA_SERIES_LAST_ITERATION,
    SCA_SERIES_POINT_ITERATIONS,
    SCA_SERIES_BEGIN_S, /* since MPI_Init */
    SCA_SERIES_SPAN_S,
    SCA_SERIES_OWN_S, /* time outside MPI: least, median, most, mean over ranks */
    SCA_SERIES_MPI_S = SCA_SERIES_OWN_S + 4,
    SCA_SERIES_OFF_CPU_MEAN_S = SCA_SERIES_MPI_S + 4,
    SCA_SERIES_OFF_CPU_MAX_S,
    SCA_SERIES_MEMORY_BYTES,
    SCA_SERIES_SLOWEST_RANK,
    SCA_SERIES_CLUSTER,    /* row of clusters[] */
    SCA_SERIES_PHASE,      /* row of phases[] in which it ended; -1: none */
    SCA_SERIES_RECORDED,   /* of its iterations; older reports have neither this nor what follows */
    SCA_SERIES_EFFICIENCY, /* load balance, serialisation, transfer, parallel; NAN: not known */
    SCA_SERIES_EFFICIENCY_END = SCA_SERIES_EFFICIENCY + 4,
    SCA_REPORT_SERIES_COLUMNS = SCA_SERIES_EFFICIENCY_END
};

struct sca_report_series_context { /* in one recorded iteration of a cluster, on average */
    uint32_t vertex;
    double own_s, own_max_s; /* computation alone, not below: mean rank; the slowest */
    double wait_s, calls;    /* of an MPI call, in virtual time: mean rank */
};

struct sca_report_series_events { /* of one iteration, counted exactly; NAN: none was counted */
    const char *event;            /* name of the counter */
    double iterations;            /* that were counted */
    double mean, max;             /* over ranks */
    double least, most;           /* over iterations, by the mean rank */
};

struct sca_report_series_cluster { /* of similar iterations; means of one; NAN: not known */
    double iterations, first_iteration, span_s, own_s, own_max_s, mpi_s, off_cpu_s;
    double load_balance, communication, parallel;
    double serialisation, transfer; /* of communication; NAN: no iteration was recorded */
    double recorded;                /* iterations that these, and contexts, are taken from */
    uint32_t ncontexts;             /* those that matter */
    struct sca_report_series_context *contexts; /* what takes longest first */
    uint32_t nevents;                           /* 0: no counters, or an older report */
    struct sca_report_series_events *events;
};

struct sca_report_series_change {
    const char *change; /* step|drift|period|warm_up|rotates */
    const char *acts;   /* "from iteration 512 on (second 41.0)" */
    double first_iteration, last_iteration, period, at_s, ratio;
    uint32_t nranks; /* 0: all */
    uint32_t *ranks;
};

struct sca_report_series_loop {
    const char *source; /* marker|collective|path: what tells where an iteration ends */
    uint32_t vertex;    /* the call that ends it, or one near; UINT32_MAX: not known */
    double begin_s, end_s;
    uint32_t npoints, nclusters, nchanges;
    double *points[SCA_REPORT_SERIES_COLUMNS]; /* [npoints] each */
    struct sca_report_series_cluster *clusters;
    struct sca_report_series_change *changes;
    /* For the page, not in the file: own time of each rank of the series, seconds of so many
     * (`factor`) neighbouring points each. */
    uint32_t nrank_points, factor;
    const float *own; /* [nranks][own_stride]; NULL: an older report, or read from a file */
    uint32_t own_stride;
};

/* A phase that the program names, all its instances together, with those within it. */
struct sca_report_series_phase {
    const char *name;
    uint32_t parent; /* a row before this one; UINT32_MAX: none */
    uint32_t nranks; /* that had it, */
    uint32_t slowest_rank;
    double count, begin_s, end_s, span_s;                     /* count: of the rank that has most */
    double own_mean_s, own_max_s, mpi_mean_s, off_cpu_mean_s; /* over them */
    double load_balance, communication, parallel;             /* NAN: not known */
    double serialisation, transfer, recorded;                 /* as of a cluster */
};

struct sca_report_series { /* nloops and nphases 0: there is none, or an older report */
    uint32_t nranks, nleft_out, nloops, nphases;
    const uint32_t *ranks; /* [nranks] with `own` of the loops; NULL without */
    bool shared_cores;
    struct sca_report_series_loop *loops;
    struct sca_report_series_phase *phases;
};

/* Ranks of the largest run by behaviour. Seconds are of a rank. */
struct sca_report_class {
    const char *role; /* master|worker|corner|border|interior|idle, "" */
    uint32_t graph;   /* from 1; equal ones differ in times alone */
    uint32_t nranks;
    uint32_t *ranks;                                      /* rising */
    double own_mean_s, own_least_s, own_most_s, own_sd_s; /* computation; sd: NAN of one rank */
    double mpi_mean_s, calls;
    uint32_t slower;                  /* that are in the slower of two groups of all */
    uint32_t least_peers, most_peers; /* ranks that each exchanges messages with */
};

struct sca_report_leaver { /* a rank that left its class over time */
    uint32_t rank;
    double iteration, at_s; /* from there on */
    double before, after;   /* its computation, as part of the median of ranks with its graph */
};

struct sca_report_behaviour { /* nclasses 0: an older report, or one for its text alone */
    uint32_t nclasses, nclasses_left_out; /* by role, then by the lowest rank */
    uint32_t nleavers;
    struct sca_report_class *classes;
    struct sca_report_leaver *leavers;
};

/* What may help in addition to the causes; it never is one. */
struct sca_report_advice {
    const char *kind;     /* small-messages|late-receive|overlap|latency-bound|bandwidth-bound|
                             too-many-workers */
    const char *text;     /* what is seen, and what to try */
    const char *estimate; /* replay|model: what the gain is known from */
    uint32_t vertex;
    uint32_t nranks;
    uint32_t *ranks;
    double gain_core_s, gain_share; /* at most */
};

struct sca_report {
    const char *program, *path, *build_id;
    const char *scaling_mode; /* strong|weak|single */
    bool scaling_open;        /* neither is certain: scaling_mode is the likelier one */
    double loss_core_s, explained_share;
    struct sca_report_least least_gain;
    bool set_aside; /* ranks waited for what came once, in one run alone: the notes say so */
    uint32_t nruns, nefficiency, nvertices, nnonscalable, nabnormal, ncauses, nnotes, nwaits,
        nsources;
    struct sca_report_run *runs; /* by rising rank count */
    struct sca_report_efficiency *efficiency;
    struct sca_report_vertex *vertices;
    struct sca_report_nonscalable *nonscalable;
    struct sca_report_abnormal *abnormal;
    struct sca_report_cause *causes;   /* by gain, greatest first; behind them those in doubt: */
    uint32_t nunconfirmed;             /* causes[ncauses] ..., which have neither chain nor cost */
    struct sca_report_wait *waits;     /* longest first */
    struct sca_report_source *sources; /* those whose line table has a checksum */
    uint32_t npaths, npaths_left_out;  /* 0: an older report, which has none */
    struct sca_report_path *paths;     /* what does not scale first, then by wait */
    uint32_t nmetrics;                 /* 0: an older report, which has none */
    struct sca_report_metric *metrics;
    uint32_t nlocations; /* ranks of the largest run; 0: an older report */
    struct sca_location *locations;
    uint32_t nthreads; /* of each rank, where some have several, else 0 */
    double *thread_s;  /* [nlocations * nthreads]: CPU seconds by samples */
    struct sca_report_thread_times thread_times; /* of the largest run */
    uint32_t ntopologies;            /* of the largest run; 0: it has none, or an older report */
    uint32_t topologies_left_out;    /* further ones, of fewer ranks */
    struct sca_topology *topologies; /* those of most ranks first */
    struct sca_report_communication communication; /* of the largest run */
    struct sca_report_contention contention;       /* of the largest run */
    struct sca_report_series series;               /* of the largest run */
    struct sca_report_behaviour behaviour;         /* of the largest run */
    uint32_t nadvice;                              /* by gain, greatest first */
    struct sca_report_advice *advice;
    const char *drawing; /* its activity graph as an <svg> element; NULL: none was asked for */
    struct sca_report_timelines *timelines; /* sca_timelines.h; NULL: not asked for */
    uint32_t nwarnings; /* sentences to be read before the verdict: other input, work that falls */
    const char **warnings;
    const char **notes; /* plain sentences a reader must know: oversubscribed, incomplete, ... */
    void *memory;
};

/* Arena of a report: zeroed memory that lives as long as the report. NULL only when out of it. */
void *sca_report_alloc(struct sca_report *report, size_t bytes);
const char *sca_report_string(struct sca_report *report, const char *text);

struct sca_report *sca_report_new(void);
void sca_report_free(struct sca_report *report);
enum sca_source_state { SCA_SOURCE_UNKNOWN, SCA_SOURCE_SAME, SCA_SOURCE_CHANGED };
/* Is the file at path what was compiled as `recorded`? By checksum; without one unknown. */
enum sca_source_state sca_source_check(const struct sca_report *report, const char *recorded,
                                       const char *path);
/* Ranks of the largest run shared cores, or the machine was busy: its time in MPI by the clock is
 * mostly scheduling, and replayed waits stand for it. */
bool sca_report_is_replayed(const struct sca_report *report);
/* Of a vertex in the largest run, core-seconds: as run_s has them, but of MPI calls, where times
 * are replayed, what ranks waited there. */
double sca_report_vertex_s(const struct sca_report *report, uint32_t vertex);
/* The longest waits, of each class one per place in the source: `waits` has one per call path. At
 * most `most` are written; returns how many (none when out of memory). */
uint32_t sca_report_waits_by_place(const struct sca_report *report, struct sca_report_wait *out,
                                   uint32_t most);
/* The call paths behind such a row, longest wait first: a row tells the line in a helper, these who
 * called it. Paths that read alike (sca_phrase_calling_path) are one, slight ones are left out. At
 * most `most` are written; returns how many (none when out of memory). */
uint32_t sca_report_wait_paths(const struct sca_report *report, const struct sca_report_wait *row,
                               struct sca_report_symptom *out, uint32_t most);
/* Whether a cause that is not confirmed says what the note says. */
bool sca_report_note_is_told(const struct sca_report *report, uint32_t note);
/* Whether the user gave the work of every run. */
bool sca_report_work_told(const struct sca_report *report);
/* The runs have as many ranks, but not as many threads each: these are the scale. */
bool sca_report_by_threads(const struct sca_report *report);
/* A run's: its ranks, or the threads of each. */
uint32_t sca_report_places(const struct sca_report *report, uint32_t run);
/* "P" or "T": what the scale is called in a power law. */
const char *sca_report_scale(const struct sca_report *report);
/* Time per rank in a run if all scaled perfectly, over that in the first one: by the work that is
 * given, else by the mode. */
double sca_report_ideal(const struct sca_report *report, uint32_t run);
/* Which vertices of a report have the seconds of each rank in the file: all of them, or of a large
 * run those that the findings speak of, then the heaviest. One flag per vertex, from malloc; NULL:
 * out of memory. */
bool *sca_report_ranks_choose(const struct sca_report *report);
/* Sets a row's values to those of all ranks, as short as possible. SCA_ENOMEM. */
int sca_report_metric_row_fill(struct sca_report *report, const double *values, uint32_t nranks,
                               struct sca_report_metric_row *row);
/* Takes a row's values but for some ranks away, and tells how they are spread over the ranks
 * instead; with `sorted`, working memory for one number of each rank, by quantiles, else (NULL) by
 * the extremes. `values` are those of all ranks. SCA_ENOMEM. */
int sca_report_metric_row_shorten(struct sca_report *report, const double *values, uint32_t nranks,
                                  const uint32_t *kept, uint32_t nkept, double *sorted,
                                  struct sca_report_metric_row *row);
/* Such a row made of a complete one; `working` has room for two numbers of each rank. SCA_ENOMEM.
 */
int sca_report_metric_row_spread(struct sca_report *report, const struct sca_report_metric_row *row,
                                 uint32_t nranks, const uint32_t *kept, uint32_t nkept,
                                 double *working, struct sca_report_metric_row *out);
/* The vertices whose values of metrics are listed for each rank, of at most so many numbers: as
 * sca_report_ranks_choose() has it. */
bool *sca_report_ranks_choose_metrics(const struct sca_report *report, size_t most);
/* A rank's value; NAN: the report has none. */
double sca_report_metric_value(const struct sca_report_metric_row *row, uint32_t rank);
/* By name; NULL: the report has no such metric. */
const struct sca_report_metric *sca_report_metric_find(const struct sca_report *report,
                                                       const char *name);
/* The ranks below `nranks` that the report's causes name, rising, each once: at most `most`. */
uint32_t sca_report_metric_ranks(const struct sca_report *report, uint32_t nranks, uint32_t *out,
                                 uint32_t most);
/* What a class of waits means, in a few words; "" for one of a newer version. */
const char *sca_wait_class_meaning(const char *wait_class);
/* Where the others wait for a cause, longest first: calls of one line along several paths are one
 * place, as its first vertex. free() it; NULL with *n = 0 when out of memory. */
struct sca_report_symptom *sca_report_cause_places(const struct sca_report *report,
                                                   const struct sca_report_cause *cause,
                                                   uint32_t *n);
/* What the other ranks have of a cause, as `others` has it; worked out from ratio and seconds where
 * that is "". */
const char *sca_report_cause_others(const struct sca_report *report,
                                    const struct sca_report_cause *cause);
/* Writes JSON to path ("-" is stdout): first to a temporary next to it, then renamed, so that an
 * error leaves an earlier report untouched. Numbers carry nine significant digits; one that is not
 * finite is written as null and read back as 0. */
int sca_report_write(const struct sca_report *report, const char *path);
/* Reads path ("-" is standard input). SCA_EFORMAT not JSON, not a report, or an index, a rank or a
 * type is wrong (the message names the field); SCA_EVERSION newer schema; SCA_ENOTFOUND no such
 * file. After SCA_OK every index may be followed and every chain of parents ends at a root. */
int sca_report_read(const char *path, struct sca_report **out);

#endif
