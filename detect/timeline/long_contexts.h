/*
 * Contexts that only long instances of an interval have. What is computed between two calls is
 * divided over contexts by the run's samples, which have no date. But each is kept with how long
 * the instance was that it lay in: what is done every 16th time has its samples in long instances
 * alone. Such contexts get what a long instance has beyond the usual ones, and nothing of those.
 */
#ifndef SCA_DETECT_LONG_CONTEXTS_H
#define SCA_DETECT_LONG_CONTEXTS_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_long_interval {
    uint32_t interval, first, n; /* its contexts in vertices[], rising */
    double usual, least;         /* of a rank's mean instance: what one without them takes; the
                                    shortest one with them */
    const float *mean;           /* [rank] seconds of an instance; 0: the rank has none */
};

struct sca_long_contexts {
    uint32_t count;
    struct sca_long_interval *of; /* by interval */
    uint32_t *vertices;
};

/* In `space`. */
void sca_long_contexts_find(struct sca_workspace *space, const struct sca_ppg_run *run,
                            struct sca_long_contexts *out);

/* NULL: the interval has none. */
const struct sca_long_interval *sca_long_interval_of(const struct sca_long_contexts *all,
                                                     uint32_t interval);
bool sca_long_interval_has(const struct sca_long_contexts *all, const struct sca_long_interval *i,
                           uint32_t vertex);
/* Seconds of an instance on a rank that belong to these contexts. */
double sca_long_interval_part(const struct sca_long_interval *i, uint32_t rank, double seconds);

#endif
