/*
 * Iterations that are alike share a cluster: the same calls, and similar own time, time of the
 * slowest rank and time in MPI (Szebenyi, Wolf, Wylie: Space-Efficient Time-Series Call-Path
 * Profiling of Parallel Applications, SC'09, section 4). At most 64: where there are more, times
 * may differ by more.
 */
#ifndef SCA_DETECT_CLUSTERS_H
#define SCA_DETECT_CLUSTERS_H

#include "base/workspace.h"
#include "sca_series.h"

enum { SCA_MOST_CLUSTERS = 64 };

/* Events of one iteration, by those that were counted exactly; NAN: none was. */
struct sca_cluster_events {
    uint64_t iterations; /* that were counted */
    double mean, max;    /* mean rank; the one that has most in each point */
    double least, most;  /* points that have least and most, by the mean rank */
};

struct sca_series_cluster { /* means of one iteration */
    uint64_t iterations;
    uint32_t npoints, first; /* first: point */
    double span, own, own_max, mpi, off;
    struct sca_cluster_events events[SCA_MAX_METRICS]; /* of the profile's metrics */
};

struct sca_series_clusters {
    uint32_t n;
    struct sca_series_cluster cluster[SCA_MOST_CLUSTERS]; /* by total time, the greatest first */
    uint8_t *of;                                          /* [point]: its cluster */
    double error; /* mean relative distance of a point's own time from its cluster's */
};

/* Of points [first, first + n). */
void sca_series_clusters_find(struct sca_workspace *space, const struct sca_series_point *points,
                              uint32_t n, struct sca_series_clusters *out);

#endif
