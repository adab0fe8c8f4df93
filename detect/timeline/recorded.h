/*
 * Iterations of a series that windows hold, in virtual time: what ranks computed in them, and how
 * long they take in the replay of their windows, in which each rank has a core and messages take no
 * time. So serialisation is known of them: what the slowest rank computes / how long they take.
 *
 * Where no loop of the graph is around the series' iterations a window is taken as a whole. Of more
 * than SCA_RECORDED_RANKS ranks nothing is told: slices of all of them take too much memory.
 */
#ifndef SCA_DETECT_RECORDED_H
#define SCA_DETECT_RECORDED_H

#include "base/workspace.h"
#include "graph/ppg.h"
#include "sca_series.h"
#include "timeline/recorded_contexts.h"

enum { SCA_RECORDED_RANKS = 4096 };

struct sca_recorded_point { /* sums over iterations */
    double iterations;      /* 0: none was recorded */
    double own, own_max;    /* seconds of computation: mean rank; slowest, as in the series */
    double span;            /* virtual: from the end of the one before, mean over ranks */
    uint32_t ncontexts;
    struct sca_recorded_context *contexts; /* by vertex */
};

struct sca_recorded {
    const struct sca_series *series;
    struct sca_recorded_point *points; /* [series->npoints] */
};

/* Of the run's series, which must be there. `ends` as of sca_ppg_ends(). In `space`. */
void sca_recorded_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                       const struct sca_ppg_run *run, const uint32_t *ends,
                       struct sca_recorded *out);

/* The points' sums: of points [i] where chosen[i - first] == value; all of them where it is NULL.
 * Contexts too; in `space`. */
struct sca_recorded_point sca_recorded_sum(struct sca_workspace *space,
                                           const struct sca_recorded *of, uint32_t first,
                                           uint32_t n, const uint8_t *chosen, uint8_t value);

#endif
