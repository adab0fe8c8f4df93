/*
 * libscalana: the report, from an analysis (verdict.h) or from a file that one wrote.
 *
 * It stands for itself: the runs need not be there. Seconds are doubles; core-seconds are summed
 * over ranks; shares are fractions of ranks x wall time of the largest run. Vertices are those of
 * the report, which leaves out what took no time: their numbers are not the graph's contexts.
 * Strings, arrays and objects are as error.h says. Members have the names of the JSON's fields
 * (FORMATS.md, "scalana-report/1").
 */
#ifndef SCALANA_REPORT_H
#define SCALANA_REPORT_H

#include "scalana/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scalana_report scalana_report;

/* Reads a report.json ("-": standard input). On success *out is the caller's, to be freed with
 * scalana_report_free(); on failure it is NULL. SCALANA_ENOTFOUND; SCALANA_EFORMAT: not JSON, not a
 * report, or an index or type in it is wrong; SCALANA_EVERSION: of a newer schema. */
int scalana_report_read(const char *path, scalana_report **out);

/* Writes it as JSON ("-": standard output), byte for byte as scalana-detect does: to a temporary
 * file next to `path` first, so that an error leaves an earlier report as it was. SCALANA_EIO,
 * SCALANA_ENOMEM. */
int scalana_report_write(const scalana_report *report, const char *path);

/* NULL is nothing to free. */
void scalana_report_free(scalana_report *report);

/* What there is one of, and how many rows the lists have. */
struct scalana_summary {
    const char *program, *path, *build_id;
    const char *scaling_mode; /* strong|weak|single */
    bool scaling_open;        /* neither is certain: scaling_mode is the likelier one */
    bool set_aside;           /* ranks waited for what came once, in one run alone: see the notes */
    double loss_core_s;       /* lost against ideal scaling of the smallest run */
    double explained_share;   /* of the replayed waits that are charged to somebody: 0 to 1 */
    /* What a cause must save to be one, known unless the report is old. */
    bool least_known, least_shared_cores, least_short_run;
    double least_share, least_core_s, least_min_share;
    uint32_t nruns, nefficiencies, nvertices, nnonscalable, nabnormal, nwaits, ncauses, nsources,
        nnotes, nmetrics;
    uint32_t ntopologies, nplaces; /* rows of scalana_report_topologies() and _places() */
    uint32_t npaths;               /* rows of scalana_report_paths() (verdict.h) */
    uint32_t npaths_left_out;      /* calls and places from which there was no room for one */
    uint32_t nunconfirmed;         /* rows of scalana_report_unconfirmed() (verdict.h) */
    uint32_t nwarnings;            /* of scalana_report_warning() */
    uint32_t nclasses, nleavers;   /* rows of scalana_report_classes() and _leavers() */
    uint32_t nclasses_left_out;    /* classes beyond the first */
    uint32_t nadvice;              /* rows of scalana_report_advice() */
};
int scalana_report_get(const scalana_report *report, struct scalana_summary *out, size_t size);

/* A run, and where its ranks x duration went: its eight parts add up to
 * base_core_s. */
struct scalana_report_run {
    const char *dir;
    uint32_t ranks;
    uint32_t nhosts;      /* rows of scalana_report_hosts(); 0: unknown */
    bool complete;        /* every rank reached MPI_Finalize */
    bool oversubscribed;  /* ranks shared cores */
    bool noisy;           /* differs from what the other runs make expect */
    bool account_virtual; /* the account is of the replay, as if each rank had had a core */
    double work;          /* problem size as given; 0: not given */
    double wall_s;        /* longest rank */
    double useful_s, mpi_s, wait_s, tool_s; /* core-seconds */
    double noise;                           /* relative error of a vertex' time, without sampling */
    double duration_s, base_core_s;         /* ranks x duration */
    double useful_core_s;                   /* computation, */
    double extra_core_s;                    /* and that beyond ideal scaling */
    double explained_core_s, unexplained_core_s; /* waits charged to somebody, and others */
    double disturbed_core_s;     /* waits for what sharing cores adds to single intervals */
    double communication_core_s; /* inside MPI for communication that grows */
    double rest_core_s;          /* transfer, scheduling, error of measurement: signed */
    double tool_core_s;          /* the profiler's */
    double other_world_core_s;   /* waits for ranks of another MPI_COMM_WORLD, measured */
    double awaited_core_s;       /* waits for other ranks outside MPI that are not replayed */
    double blocked_core_s; /* outside MPI: asleep, in I/O, waiting for something else than MPI */
    double queued_core_s;  /* waits for a core while cores were idle that the ranks might not use */
};
int scalana_report_runs(const scalana_report *report, uint32_t first, uint32_t count,
                        struct scalana_report_run *out, size_t size);

struct scalana_host {
    const char *name, *address; /* "" if unknown; names need not differ */
    uint32_t nranks;
    const uint32_t *ranks;
};
int scalana_report_hosts(const scalana_report *report, uint32_t run, uint32_t first, uint32_t count,
                         struct scalana_host *out, size_t size);

/* The topology that most ranks of a run made, and where each of them stands in it. */
struct scalana_topology {
    const char *kind;      /* cart|graph|dist_graph; "" if there is none */
    uint32_t ndims;        /* of cart */
    const uint32_t *dims;  /* [ndims] */
    const bool *periodic;  /* [ndims] */
    uint32_t nranks;       /* 0 if there is none */
    uint32_t width;        /* numbers of a place: coordinates, or how many neighbours */
    const int32_t *places; /* [nranks * width]; -1: this rank is not in it */
};
int scalana_report_topology(const scalana_report *report, uint32_t run,
                            struct scalana_topology *out, size_t size);

/* Where the ranks of the largest run stand: in the program's Cartesian and graph communicators,
 * those of most ranks first, in the hardware ("system"), and rank x thread ("threads"). */
struct scalana_report_topology {
    const char *name;     /* as the program called the communicator, or what made it */
    const char *kind;     /* cartesian|graph|system|threads; more may come */
    uint32_t ndims;       /* at least 1 */
    const uint32_t *dims; /* [ndims] */
    const bool *periodic; /* [ndims] */
    const char *const *dimension_names; /* [ndims]; "" each where nobody gave them */
    uint32_t nlocations;                /* ranks; of "threads" rank * dims[1] + thread */
    const int32_t *coordinates; /* [nlocations * ndims]; one that is not in it begins with -1 */
};
int scalana_report_topologies(const scalana_report *report, uint32_t first, uint32_t count,
                              struct scalana_report_topology *out, size_t size);

/* Where a rank of the largest run was bound when MPI_Init came, and its threads; row i is rank i.
 */
struct scalana_report_place {
    uint32_t host;          /* row of scalana_report_hosts(); SCALANA_NONE: it left nothing */
    int32_t package, core;  /* the kernel's numbers; -1: several, or unknown */
    const char *cores;      /* all of them, as in scalana_location */
    uint32_t nthreads;      /* 0: no rank has several */
    const double *thread_s; /* [nthreads]: CPU seconds by samples, the first thread first */
};
int scalana_report_places(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_report_place *out, size_t size);

/* The efficiencies of the POP project (pop-coe.eu), fractions of 1, one row for each run: global
 * = parallel x computation, parallel = load_balance x communication, communication = serialisation
 * x transfer, computation = instructions x ipc x frequency. NAN: not measured, as transfer on
 * shared cores, and what needs the counters PAPI_TOT_INS and PAPI_TOT_CYC without them. */
struct scalana_efficiency {
    uint32_t ranks;
    double parallel, load_balance, communication, serialisation, transfer;
    double computation; /* that of the fewest ranks over this run's */
    double global, instructions, ipc, frequency;
    /* Of ranks with OpenMP: hybrid = parallel x openmp, and openmp is the product of the rest; NAN
     * where no rank has parallel regions. */
    double hybrid, openmp, openmp_serialisation, openmp_load_balance, openmp_scheduling;
    /* Their product is load_balance: of the ranks of the node with most computation on the mean,
     * and of the nodes' means. NAN on one node. */
    double load_balance_within, load_balance_between;
};
int scalana_report_efficiencies(const scalana_report *report, uint32_t first, uint32_t count,
                                struct scalana_efficiency *out, size_t size);

struct scalana_vertex {
    const char *kind;            /* loop|branch|call|comp|mpi|root */
    const char *name;            /* the callee of calls, else "loop at file:line" */
    const char *function, *file; /* "" if unknown */
    uint32_t line, end_line;     /* 0: unknown */
    uint32_t parent;             /* of a root: itself */
    uint32_t nranks;             /* of the largest run */
    uint32_t nruns;
    const double *rank_s; /* [nranks]: computation with that below it, or time inside MPI */
    const double *run_s;  /* [nruns]: the same in each run, core-seconds */
};
int scalana_report_vertices(const scalana_report *report, uint32_t first, uint32_t count,
                            struct scalana_vertex *out, size_t size);

/* What grows with the ranks: time ~ ranks^slope, fitted to the runs in logarithms (SC'20, section
 * IV-A). */
struct scalana_nonscalable {
    uint32_t vertex;
    uint32_t nprojections;     /* rows of scalana_report_projections() */
    double slope, slope_ci[2]; /* with its 95 % confidence interval */
    double r2, share, loss_core_s;
    double expected_slope; /* what the rest of the program does, or ideal */
};
int scalana_report_nonscalable(const scalana_report *report, uint32_t first, uint32_t count,
                               struct scalana_nonscalable *out, size_t size);

struct scalana_projection { /* on more ranks than were run */
    uint32_t ranks;
    double share, share_ci[2]; /* of all computation and communication then; 95 % */
};
int scalana_report_projections(const scalana_report *report, uint32_t nonscalable, uint32_t first,
                               uint32_t count, struct scalana_projection *out, size_t size);

/* Ranks of the largest run by behaviour: those with the same task activity graph and similar
 * times, by role, then by the lowest rank. None: an older report. Seconds are of a rank. */
struct scalana_class {
    const char *role; /* master|worker|corner|border|interior|idle, ""; more may come */
    uint32_t graph;   /* from 1; classes with equal ones differ in times alone */
    uint32_t nranks;
    const uint32_t *ranks;                                                        /* rising */
    double computation_s, min_computation_s, max_computation_s, sd_computation_s; /* NAN of one */
    double mpi_s, mpi_calls;
    uint32_t slower;               /* ranks in the slower of two groups of all, by computation */
    uint32_t min_peers, max_peers; /* ranks that each exchanges messages with */
};
int scalana_report_classes(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_class *out, size_t size);

/* Ranks that left their class over time: their computation as part of the median of ranks with the
 * same graph, before and after. */
struct scalana_leaver {
    uint32_t rank;
    double from_iteration, at_s; /* at_s: seconds since MPI_Init */
    double before, after;
};
int scalana_report_leavers(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_leaver *out, size_t size);

/* What may help in addition to the causes, by gain, greatest first; it never is a cause. Gains are
 * at most.
 */
struct scalana_advice {
    const char *kind;     /* small-messages|late-receive|overlap|latency-bound|bandwidth-bound|
                             too-many-workers; more may come */
    const char *text;     /* a sentence */
    const char *estimate; /* replay|model: what the gain is known from */
    uint32_t vertex;
    uint32_t nranks;
    const uint32_t *ranks;
    double gain_core_s, gain_share;
};
int scalana_report_advice(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_advice *out, size_t size);

/* Where ranks differ from the median of all (SC'20, section IV-A). */
struct scalana_abnormal {
    uint32_t vertex, ranks_of_run;
    uint32_t nranks;
    const uint32_t *ranks;
    double ratio, excess_core_s;
};
int scalana_report_abnormal(const scalana_report *report, uint32_t first, uint32_t count,
                            struct scalana_abnormal *out, size_t size);

/* Replayed waiting of the largest run at one MPI call, longest first. Direct and indirect: delay
 * costs (Boehme et al., "Identifying the root causes of wait states in large-scale parallel
 * applications", ICPP 2010). */
struct scalana_wait {
    uint32_t vertex;
    const char *wait_class; /* late-sender|late-receiver|wrong-order|early-reduce|late-broadcast|
                               wait-at-nxn|wait-at-barrier|wait-at-scan|
                               other-world|late-post|late-complete|lock-contention */
    double count;           /* calls that waited, estimated */
    double wait_core_s, direct_core_s, indirect_core_s;
};
int scalana_report_waits(const scalana_report *report, uint32_t first, uint32_t count,
                         struct scalana_wait *out, size_t size);

struct scalana_source { /* as it was compiled; only those whose line table has a checksum */
    const char *file;   /* as vertices name it */
    const char *md5;    /* 32 hexadecimal digits */
};
int scalana_report_sources(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_source *out, size_t size);

/* A metric of the largest run (graph.h says what they are). Values can be added up over vertices
 * and ranks; a ratio is that of two such sums. */
struct scalana_report_metric {
    const char *name, *title, *unit, *meaning;
    const char *absent; /* why there are no values; "": there are */
    uint32_t parent;    /* the row of the metric that it is a part of; SCALANA_NONE: of none */
    uint32_t of, per;   /* a ratio: of these two rows, times `scale`; else SCALANA_NONE */
    double scale;
    uint32_t nrows; /* rows of scalana_report_metric_rows(); 0 for a ratio */
};
/* Reports of releases before 1.1 of this interface have none. */
int scalana_report_metrics(const scalana_report *report, uint32_t first, uint32_t count,
                           struct scalana_report_metric *out, size_t size);

/* A vertex' values of a metric, without those of the vertices below it. Vertices without a row have
 * 0. Where all ranks' values are known (`complete`), those that are not listed have 0; else some
 * ranks that causes name are listed, and the distribution of the values is listed. */
struct scalana_metric_row {
    uint32_t vertex;
    bool complete;
    bool same;  /* every rank has values[0], the only one */
    double sum; /* over all ranks */
    uint32_t nvalues;
    const uint32_t *ranks; /* [nvalues], rising; NULL: values[] is that of rank 0, 1, 2 ... */
    const double *values;  /* [nvalues] */
    uint32_t least_rank, most_rank;
    uint32_t nquantiles; /* 0: complete; 2: the least and the most; 7: what 0, 5, 25, 50, 75, 95 */
    double quantiles[7]; /* and 100 % of the ranks have at most */
};
int scalana_report_metric_rows(const scalana_report *report, uint32_t metric, uint32_t first,
                               uint32_t count, struct scalana_metric_row *out, size_t size);

/* A sentence that a reader must know: ranks shared cores, a run is incomplete ... NULL, with a
 * message, if there is no such note. */
const char *scalana_report_note(const scalana_report *report, uint32_t note);
/* A sentence to be read before the verdict: runs had other arguments, work falls as ranks rise ...
 * NULL, with a message, if there is no such warning. Since version 1.3. */
const char *scalana_report_warning(const scalana_report *report, uint32_t warning);

#ifdef __cplusplus
}
#endif
#endif
