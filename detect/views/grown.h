/*
 * How a metric goes with the number of ranks at a context: a line through the runs in logarithms
 * (SC'20, IV-A: slopes of "execution time or hardware performance data"). Of runs that differ in
 * the threads of a rank alone, these are the scale.
 */
#ifndef SCA_DETECT_GROWN_H
#define SCA_DETECT_GROWN_H

#include "stats/fit.h"
#include "report/over_runs.h"

struct sca_grown_runs {
    const struct sca_analysis *c;
    struct sca_over_runs o;
    double *x,
        *y;      /* of the context asked for last: the scale, and the metric per rank; [o.nruns] */
    double work; /* power of the ranks that a rank's work ideally goes with: -1 of a problem that
                    stays the same, 0 of one that grows, or by the work that was told */
};

struct sca_grown {
    bool fits; /* else there is no line: less than two numbers of ranks have any of it */
    struct sca_fit fit;
    double ideal;        /* power of the ranks; 0 of what is no work */
    double fewest, most; /* per rank: means of the runs on the fewest ranks, and on the most */
    double beyond; /* of all ranks, in the largest: what is more than the fewest promise; NAN of a
                      ratio */
};

/* Loads one metric, or all; in `space`. */
void sca_grown_open(struct sca_workspace *space, const struct sca_analysis *c,
                    const struct sca_metric_catalogue *catalogue, const struct scalana_metric *only,
                    struct sca_grown_runs *out);

/* A run's ranks, or the threads of each: the scale. */
uint32_t sca_grown_places(const struct sca_grown_runs *runs, uint32_t run);

/* The power of the scale that a rank's value ideally goes with; 0 of what is no work. */
double sca_grown_ideal(const struct sca_grown_runs *runs, const struct scalana_metric *metric);

/* With all below the vertex; the metric has values. */
struct sca_grown sca_grown_at(const struct sca_grown_runs *runs,
                              const struct scalana_metric *metric, uint32_t vertex);

/* The interval of its slope lies above what is ideal. */
bool sca_grown_certainly(const struct sca_grown *grown);

/* Whether it should be shared out among the ranks as the work is: computation, and events. */
bool sca_grown_with_work(uint32_t metric);

#endif
