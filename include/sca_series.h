/*
 * What each iteration of a run's main loop took, over all ranks: struct sca_profile's `series`.
 *
 * A point is an iteration, or as many neighbours as the bound of the table made one (`iterations`).
 * Sections are loops that follow each other. Ranks that iterate differently often, and those
 * without a series, are not in it (`nleft_out`). Numbers are right to 0.4 %; times are
 * seconds, from MPI_Init on. Own time is time outside MPI: computation, and `off`, off the core by
 * the program's own will (sleep, I/O, page faults).
 *
 * Phases that the program names are in it too, and are there where it has no main loop.
 *
 * Owned by the profile. Format: doc/FORMATS.md, chunk "SERI".
 */
#ifndef SCA_SERIES_H
#define SCA_SERIES_H

#include "sca_part.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_series_spread { /* over ranks, of a whole point */
    double min, median, max, mean;
};

struct sca_series_events { /* of a whole point, counted exactly; over ranks */
    double mean, max;      /* NAN: not known of all of them */
};

struct sca_series_point {
    uint64_t number;     /* of its last iteration, from 1 on */
    uint32_t iterations; /* at least 1 */
    uint32_t kind;       /* of the calls that the first rank made; equal ones are alike */
    double end;          /* when, on the first rank */
    double span;         /* how long it took: mean over ranks */
    struct sca_series_spread own, mpi;
    double deviation; /* mean absolute deviation of own time from its mean over ranks */
    double off_mean, off_max;
    uint32_t slowest;   /* the rank with most own time */
    uint32_t memory_kb; /* resident memory's high-water mark, of the rank that has most */
    uint32_t phase;     /* named by the program, in which it ended on the first rank; SCA_NONE */
    struct sca_series_events events[SCA_MAX_METRICS]; /* [nmetrics] of the series */
};

/* A phase that the program names (scalana/region.h), with those within it. Begin and end: of the
 * first rank that had it, from its first begin to its last end. */
struct sca_series_phase {
    const char *name;
    uint32_t parent; /* a phase before this one; SCA_NONE: it lies in none */
    uint32_t nranks; /* that had it; figures are over them */
    uint64_t count;  /* how often it began, on the rank that has most */
    double begin, end;
    double span; /* how long it took, all times together: mean over ranks */
    struct sca_series_spread own, mpi;
    double off_mean;
    uint32_t slowest; /* the rank with most own time */
};

/* How iterations were distinguished: enum sca_series_source (sca_part.h). */
struct sca_series_section {
    uint32_t source;
    uint32_t site;   /* of the profile: the call that ends an iteration; a marker's: one near */
    uint64_t before; /* iterations of the loop before the first point */
    double begin;    /* seconds */
    uint32_t first, npoints;
    uint32_t rank_first, nrank_points; /* in a rank's coarser series, */
    uint32_t factor;                   /* of so many points each, but for the last */
};

struct sca_series {
    uint32_t nsections, npoints, nrank_points;
    struct sca_series_section *sections;
    struct sca_series_point *points;
    uint32_t nmetrics; /* of the profile's that were counted along it: of the thread that called
                          MPI_Init */
    uint32_t nranks, nleft_out;
    uint32_t *ranks; /* [nranks], rising */
    float *own;      /* [nranks][nrank_points]: own time of each rank, seconds */
    uint32_t nphases;
    struct sca_series_phase *phases; /* each behind the one that holds it */
};

#endif
