/*
 * libscalana: series: what each iteration of a run's main loop took, over the whole run, and the
 * phases that the program names (scalana/region.h).
 *
 * A point is an iteration, or as many neighbours as the profiler's bounded table made one. Loops
 * that follow each other are numbered as they come. Ranks that iterate differently often are left
 * out of a loop. Own time is time outside MPI. Numbers are right to 0.4 %; times are seconds, from
 * MPI_Init on, and of a whole point. What changes over time, and clusters of similar iterations
 * (Szebenyi, Wolf, Wylie, "Space-efficient time-series call-path profiling of parallel
 * applications", SC'09), are found here. A run without a main loop, one recorded with
 * SCALANA_SERIES=off, and several worlds as one run have no loops. Threads and rows: error.h.
 */
#ifndef SCALANA_SERIES_H
#define SCALANA_SERIES_H

#include "scalana/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What tells where an iteration ends. */
enum scalana_series_source {
    SCALANA_SERIES_MARKER = 0,     /* the compiler's mark in the loop */
    SCALANA_SERIES_COLLECTIVE = 1, /* the same collective of MPI_COMM_WORLD again */
    SCALANA_SERIES_PATH = 2        /* the same call path again */
};

struct scalana_series_loop {
    uint32_t source;  /* enum scalana_series_source */
    uint32_t context; /* the MPI call that ends an iteration, or one near; SCALANA_NONE */
    uint64_t before;  /* iterations of it before its first point */
    double begin_s, end_s;
    uint32_t npoints;      /* rows of scalana_series_points() */
    uint32_t nrank_points; /* rows of scalana_series_ranks(): of all ranks together */
    uint32_t nclusters;    /* rows of scalana_series_clusters(), at most 64 */
    uint32_t npatterns;    /* rows of scalana_series_patterns() */
    uint32_t nranks, nleft_out;
    bool shared_cores; /* time in MPI is mostly scheduling: no efficiency that needs it is known */
};
/* scalana_run says how many there are (`nseries`). SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_run_series(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_series_loop *out, size_t size);

/* Own time and time in MPI: over ranks. POP's efficiencies (pop-coe.eu): load balance = mean / max
 * of own time, communication = max / span, parallel is the product; NaN: not known. Communication
 * is serialisation x transfer. Serialisation is that of recorded iterations, replayed with a core
 * for each rank: of the point's own, else of its cluster's. Where ranks shared cores, transfer is
 * not known, and parallel is load balance x serialisation. */
struct scalana_series_point {
    uint64_t first_iteration, last_iteration; /* from 1 on */
    uint32_t kind;                            /* of the calls made; equal ones are alike */
    uint32_t cluster;                         /* row of scalana_series_clusters() */
    uint32_t phase; /* row of scalana_run_phases() in which it ended; SCALANA_NONE */
    uint32_t slowest_rank;
    double begin_s, span_s;
    double own_min_s, own_median_s, own_max_s, own_mean_s, own_deviation_s; /* mean absolute one */
    double mpi_min_s, mpi_median_s, mpi_max_s, mpi_mean_s;
    double off_cpu_mean_s, off_cpu_max_s; /* of own time: sleep, I/O, page faults */
    double memory_bytes;                  /* resident, the most so far of any rank */
    double load_balance, communication_efficiency, parallel_efficiency;
    double serialisation, transfer_efficiency;
    double recorded; /* of its iterations; no whole number where windows are cut elsewhere */
};
/* Points of a loop, rising by time. SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_series_points(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                          uint32_t count, struct scalana_series_point *out, size_t size);

struct scalana_series_rank { /* own time of one rank in some iterations */
    uint32_t rank;
    uint64_t first_iteration, last_iteration;
    double own_s;
};
/* By rank, then by time; where there are many ranks these have fewer points than the loop.
 * SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_series_ranks(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                         uint32_t count, struct scalana_series_rank *out, size_t size);

struct scalana_series_cluster { /* means of one iteration */
    uint64_t iterations, first_iteration;
    double span_s, own_s, own_max_s, mpi_s, off_cpu_s;
    double load_balance, communication_efficiency, parallel_efficiency;
    double serialisation, transfer_efficiency;
    double recorded;    /* iterations that these two, and contexts, are taken from */
    uint32_t ncontexts; /* rows of scalana_series_contexts() */
    uint32_t nevents;   /* rows of scalana_series_events() */
};
/* The one with most own time in all first. SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_series_clusters(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                            uint32_t count, struct scalana_series_cluster *out, size_t size);

/* What one recorded iteration of a cluster takes in a context, alone, not below it, on average.
 * What lies between two calls is divided as in the whole run, but for what only long instances
 * have. */
struct scalana_series_context {
    uint32_t context;
    double own_s, own_max_s; /* outside MPI: mean rank; the slowest */
    double wait_s;           /* of an MPI call: mean rank, replayed with a core for each */
    double calls;            /* of it, by the mean rank */
};
/* By context. SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_series_contexts(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t cluster,
                            uint32_t first, uint32_t count, struct scalana_series_context *out,
                            size_t size);

/* Events of a counter (SCALANA_EVENTS) in one iteration of a cluster, in all places, of the thread
 * that called MPI_Init: by those iterations that were counted exactly. NaN: none was. */
struct scalana_series_event {
    const char *event;
    double iterations;  /* that were counted */
    double mean, max;   /* over ranks */
    double least, most; /* over iterations, by the mean rank */
};
/* In the order of the run's counters, and as many. SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_series_events(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t cluster,
                          uint32_t first, uint32_t count, struct scalana_series_event *out,
                          size_t size);

enum scalana_series_change {                     /* more may come */
                             SCALANA_STEP = 0,   /* from first_iteration on: `ratio` times before */
                             SCALANA_DRIFT = 1,  /* grows or shrinks evenly to `ratio` times */
                             SCALANA_PERIOD = 2, /* every period-th one: `ratio` times the others */
                             SCALANA_WARM_UP =
                                 3, /* up to last_iteration: `ratio` times later ones */
                             SCALANA_ROTATES = 4 /* the slowest rank changes: to the median one */
};

struct scalana_series_pattern {
    uint32_t change; /* enum scalana_series_change */
    uint32_t nranks; /* 0: all */
    const uint32_t *ranks;
    uint64_t first_iteration, last_iteration;
    uint64_t within; /* first_iteration is known to so many; 1: exactly */
    uint32_t period;
    double at_s, ratio;
    double begin_s, end_s; /* of a drift: seconds of an iteration */
    const char *acts;      /* "from iteration 512 on (second 41.0)" */
};
/* What changes over time, without what may be noise, or come of sharing cores. SCALANA_EINVAL,
 * SCALANA_ENOMEM. */
int scalana_series_patterns(const scalana_runs *runs, uint32_t run, uint32_t loop, uint32_t first,
                            uint32_t count, struct scalana_series_pattern *out, size_t size);

struct scalana_phase { /* of all its instances together, with the phases within it */
    const char *name;
    uint32_t parent; /* row of the phase that holds it; SCALANA_NONE */
    uint32_t nranks; /* that had it; figures are over them */
    uint64_t count;  /* of instances, on the rank that has most */
    double begin_s, end_s;
    double span_s; /* mean over ranks */
    double own_min_s, own_median_s, own_max_s, own_mean_s;
    double mpi_min_s, mpi_median_s, mpi_max_s, mpi_mean_s;
    double off_cpu_mean_s;
    uint32_t slowest_rank;
    double load_balance, communication_efficiency, parallel_efficiency;
    double serialisation, transfer_efficiency, recorded; /* as of a point; by whole iterations */
};
/* Each behind the one that holds it; scalana_run says how many there are (`nphases`).
 * SCALANA_EINVAL, SCALANA_ENOMEM. */
int scalana_run_phases(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                       struct scalana_phase *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
