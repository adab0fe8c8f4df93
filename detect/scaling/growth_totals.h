/*
 * One search for what does not scale (growth.h), and what the runs have of a vertex: their totals,
 * how far samples mislead in these, and the line through them. `inclusive`: with all below it, or
 * its own computation alone. Results live in the workspace.
 */
#ifndef SCA_DETECT_GROWTH_TOTALS_H
#define SCA_DETECT_GROWTH_TOTALS_H

#include "base/settings.h"
#include "scaling/comparable.h"
#include "stats/fit.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_growth_search {
    struct sca_workspace *space;
    const struct sca_ppg *ppg;
    const struct sca_measure *runs;
    uint32_t nruns;
    const uint32_t *ends;
    const struct sca_settings *settings;
    const struct sca_comparable *comparable;
    enum sca_scaling mode;
    bool open; /* the mode is one of two readings */
    double *x, *y, *row;
    double *slope, *weight; /* of the vertices' own computation; weight 0: no slope */
    const double *off_cpu; /* per vertex, in the largest run; NULL where its ranks shared nothing */
};

/* Comparable core-seconds: their mean over the runs with as many ranks as `like`. */
double sca_growth_totals_mean(const struct sca_growth_search *search,
                              const struct sca_measure *like, bool inclusive, uint32_t v);
/* Variance of the sum over a run's ranks, by samples; seconds squared. */
double sca_growth_totals_squared_noise(const struct sca_measure *m, uint32_t v);
/* As many ranks have none of it in each run, and fewer than half of the most: they are there for
 * something else, as a master, and say nothing about how the others divide it. How many; else 0. */
uint32_t sca_growth_totals_idle(const struct sca_growth_search *search, uint32_t v, bool inclusive);
/* Work of a few ranks alone says nothing about how a program divides its work, and what is left of
 * it when it is smoothed even less. */
bool sca_growth_totals_are_everybodys(const struct sca_growth_search *search, uint32_t v,
                                      bool inclusive);
/* Log time over log ranks, by one number a run. 0: there is none. */
int sca_growth_totals_fit(const struct sca_growth_search *search, uint32_t v, bool inclusive,
                          enum sca_merge merge, struct sca_fit *fit);

#endif
