/*
 * libscalana: runs of one program, loaded together, with their locations.
 *
 * Runs are numbered by rising rank count, whatever order they were given in; several with the same
 * count are repetitions. The last one is the largest: what is said of "the run" is said of it.
 * Several MPI_COMM_WORLDs of one job, loaded together, are one run, with one world's ranks after
 * the other's.
 */
#ifndef SCALANA_RUN_H
#define SCALANA_RUN_H

#include "scalana/options.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs and their performance graph (graph.h). */
typedef struct scalana_runs scalana_runs;

struct scalana_run {
    const char *directory; /* as given; of several worlds the first one's */
    uint32_t ranks;        /* of MPI_COMM_WORLD, or of all worlds, >= 1 */
    uint32_t nlocations;   /* rows of scalana_run_locations() */
    uint32_t nmetrics;     /* rows of scalana_run_metrics() */
    bool complete;         /* every rank reached MPI_Finalize */
    double work;           /* problem size as in the options, any unit; 0: not given */
    double wall_s;         /* of the longest rank, MPI_Init to MPI_Finalize; seconds */
    uint32_t ngroups;      /* rows of scalana_run_groups() */
    uint32_t nactivities;  /* rows of scalana_run_activities(): live.h */
    uint32_t state;        /* enum scalana_run_state */
    double
        running_s; /* SCALANA_RUN_GOES_ON: since the first MPI_Init returned, up to now; else 0 */
    uint32_t nseries; /* rows of scalana_run_series() */
    uint32_t nphases; /* rows of scalana_run_phases() */
};

enum scalana_run_state {                          /* more may come */
                         SCALANA_RUN_IS_OVER = 0, /* every rank reached MPI_Finalize */
                         SCALANA_RUN_GOES_ON = 1, /* some rank's process is there */
                         SCALANA_RUN_BROKE_OFF =
                             2, /* it ended without MPI_Finalize, or was killed */
                         SCALANA_RUN_SNAPSHOT = 4, /* a snapshot of a run that went on */
                         SCALANA_RUN_UNKNOWN =
                             3 /* it did not end, and its processes are not of this host */
};

/* Where something ran: a rank. */
struct scalana_location {
    uint32_t rank;    /* in MPI_COMM_WORLD */
    uint32_t thread;  /* 0: all threads of the rank together */
    const char *host; /* "" if unknown */
    bool present;     /* something of it was readable; else all below is 0 */
    bool complete;    /* it reached MPI_Finalize */
    double wall_s;    /* MPI_Init to MPI_Finalize, or its last sign of life; seconds */
    double cpu_s;     /* CPU time of all its threads between the two */
    double mpi_s;     /* inside MPI functions */
    double tool_s;    /* spent by the profiler, measured */
    uint64_t mpi_calls;
    uint64_t samples;         /* taken, inside and outside MPI */
    double sample_period_s;   /* CPU time that one stands for; 0: there was no sampling */
    double sample_worth;      /* of one, in independent samples: at most 1 */
    uint64_t records_dropped; /* that the profiler had no room for */
    uint32_t node;            /* number of the host, which tells apart those of one name */
    /* As it was bound when MPI_Init came; numbers are the kernel's. */
    int32_t package, core; /* -1: several, or unknown */
    const char *cores;     /* all of them: "0:0-3,8 1:0", a package before each; "all": not bound;
                              "": unknown */
    uint32_t nwindows;     /* rows of scalana_run_windows() (windows.h) */
};

/* Loads `n` >= 1 run directories and builds their graph. Of the options it takes max-loop-depth,
 * work, since, scaling (which does not go with work) and progress; NULL: the defaults. The binary
 * that ran must still be where it was. On success *out is the caller's, to be freed with
 * scalana_runs_free(); on failure it is NULL. SCALANA_ENOTFOUND: no such directory, nothing in it,
 * or the binary is gone; SCALANA_EFORMAT, SCALANA_EVERSION: a file in it cannot be read;
 * SCALANA_EMISMATCH: runs of different programs, or the binary changed since; SCALANA_EINVAL: a run
 * given twice, or not as many numbers in `work` as runs. */
int scalana_runs_load(const char *const *directories, uint32_t n, const scalana_options *options,
                      scalana_runs **out);

/* NULL is nothing to free. Reports made of the runs stay. */
void scalana_runs_free(scalana_runs *runs);

/* How many runs there are; 0 for NULL. */
uint32_t scalana_runs_count(const scalana_runs *runs);

/* Rows of runs; see error.h for `first`, `count` and `size`. */
int scalana_runs_get(const scalana_runs *runs, uint32_t first, uint32_t count,
                     struct scalana_run *out, size_t size);

/* Rows of a run's locations; location i is rank i. */
int scalana_run_locations(const scalana_runs *runs, uint32_t run, uint32_t first, uint32_t count,
                          struct scalana_location *out, size_t size);

/* A value the profiler noted: of "program", "path", "build_id", "mpi", "version", "start",
 * "sampling", "frequency", "oversubscribed", "hosts" ... (FORMATS.md lists them). NULL, with a
 * message, if the run has none of that name. */
const char *scalana_run_metadata(const scalana_runs *runs, uint32_t run, const char *key);

#ifdef __cplusplus
}
#endif
#endif
