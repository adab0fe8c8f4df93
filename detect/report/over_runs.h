/*
 * Metrics of several runs: what each has of them by context, over all of its ranks.
 */
#ifndef SCA_DETECT_OVER_RUNS_H
#define SCA_DETECT_OVER_RUNS_H

#include "metrics/metric_catalogue.h"
#include "verdict/analysis.h"

struct sca_over_runs {
    const struct sca_metric_catalogue *catalogue; /* the largest run's */
    uint32_t nruns;                    /* those that models of scaling are made of, by ranks */
    const struct sca_measure *runs;    /* [nruns] */
    double ***sums;                    /* [row of the catalogue][run][vertex]; NULL: not loaded */
    const char *why[SCA_MOST_METRICS]; /* per row: why there are none; "": there are */
};

/* With all below each context. Of all metrics that several runs can have, or of one and what that
 * is a ratio of. What a replay tells of smaller runs are their waits: delay costs and the path are
 * kept of the largest alone. In `space`, which jumps when it is out of memory; the catalogue
 * outlives the result. */
void sca_over_runs_load(struct sca_workspace *space, const struct sca_analysis *c,
                        const struct sca_metric_catalogue *catalogue,
                        const struct scalana_metric *only, struct sca_over_runs *out);

/* The same of all runs but the largest, and each context's own, without what is below it. */
void sca_over_runs_load_others(struct sca_workspace *space, const struct sca_analysis *c,
                               const struct sca_metric_catalogue *catalogue,
                               struct sca_over_runs *out);

/* Of sums with all below; in a run: per rank, and of a ratio that of the two sums; NAN: a ratio to
 * nothing. */
double sca_over_runs_value(const struct sca_over_runs *o, const struct scalana_metric *metric,
                           uint32_t run, uint32_t vertex);

#endif
