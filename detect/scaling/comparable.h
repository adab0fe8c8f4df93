/*
 * Runs made comparable, for models of scaling. What is known to be an imbalance is smoothed: it
 * is a cause of its own and must not make the loop around it look as if that grew. And where the
 * runs stop by time, they make different numbers of steps: their computation is then compared per
 * step, by the collectives of the structure around it. Where the user tells each run's work, all of
 * it is compared per work, in seconds of the largest run. The room's memory.
 *
 * The scale is the number of ranks. Where that is the same in all runs, but not the number of
 * threads that compute in a rank, it is that of all threads: a rank's second then counts as often
 * as the rank has threads, in seconds of the last run.
 */
#ifndef SCA_DETECT_COMPARABLE_H
#define SCA_DETECT_COMPARABLE_H

#include "findings/ledger.h"

struct sca_skew { /* ranks that have more of a vertex than the others, in one run */
    uint32_t vertex, nranks, *ranks;
};

struct sca_skews {
    uint32_t count;
    struct sca_skew *items;
};

struct sca_comparable {
    struct sca_workspace *space;
    const struct sca_measure *runs;
    uint32_t nruns;
    const uint32_t *ends;
    bool by_threads;  /* the scale is that of threads */
    bool told;        /* the user says how much work each run is: they are compared per work */
    bool same_work;   /* the user says that all do the same */
    bool timed;       /* the runs do not do the same: they are compared per step */
    double *steps;    /* per run: collectives of a rank, on the mean */
    float **per_step; /* per run, per vertex: what its seconds count; NULL if not timed */
    struct sca_skews *unevens;            /* per run */
    struct sca_finding_list inconclusive; /* as the findings, but not smoothed */
    bool *odd;                            /* per rank: working memory */
    double *others;                       /* likewise */
};

/* Runs by rising rank count; findings are those of the last one, of which the inconclusive ones may
 * be no imbalance, and may be what grows. `same_work`: the user says that the runs do the same. */
void sca_comparable_open(struct sca_workspace *space, const struct sca_measure *runs,
                         uint32_t nruns, const uint32_t *ends,
                         const struct sca_finding_list *findings,
                         const struct sca_finding_list *inconclusive, double threshold,
                         bool same_work, struct sca_comparable *out);

/* Ranks of a run, or threads of them all: the scale. */
double sca_comparable_places(const struct sca_comparable *c, uint32_t run);
/* What a rank's second counts for its threads, beside those of the last run. */
double sca_comparable_beside(const struct sca_comparable *c, uint32_t run);

/* A vertex' seconds on the ranks of a run, with all below or its own: smoothed and per step. */
void sca_comparable_row(const struct sca_comparable *c, uint32_t run, uint32_t vertex,
                        bool inclusive, double *row);

/* What a second of the vertex counts in that run. */
double sca_comparable_scale(const struct sca_comparable *c, uint32_t run, uint32_t vertex);

/* All computation of a run, per step. */
double sca_comparable_total(const struct sca_comparable *c, uint32_t run);

#endif
