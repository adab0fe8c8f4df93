/*
 * Abnormal vertices: on some ranks more computation than on the ranks' median (SC'20, IV-A), beyond
 * what sampling noise explains, beyond what a slow core explains, and beyond what ranks that do the
 * same differ by in the intervals that hold the vertex (dispersion.h). `threshold` is the least
 * ratio that is asked for beside that; AbnormThd only marks what a report lists as abnormal.
 *
 * A slow core (shared cache, shared core) slows all computation of its rank alike: a rank's
 * computation elsewhere in the program says by how much, and a vertex must exceed that too. Results
 * live in the workspace (workspace.h).
 */
#ifndef SCA_DETECT_ABNORMAL_H
#define SCA_DETECT_ABNORMAL_H

#include "measure/core_speed.h"
#include "measure/interval_bounds.h"
#include "measure/measure.h"

/* Whatever is certain: the ratio is asked only whether it is more than equal ranks differ by. */
#define SCA_ANY_RATIO 1.0

struct sca_abnormal {
    uint32_t vertex;
    uint32_t nranks;
    uint32_t *ranks;
    double reference;  /* median of the other ranks, seconds */
    double ratio;      /* mean of the ranks over the reference; 0 if the others have none */
    double excess;     /* seconds over the reference, summed over the ranks */
    double most;       /* the same of the slowest rank: the others may all wait for that long */
    bool inconclusive; /* cores may differ as much */
    double around;  /* what exact times prove too much where the place's code runs; 0: the place's
                       own samples prove it */
    bool skewed;    /* no rank stands out (skew.h), */
    bool two_kinds; /* and they are of two kinds */
    uint32_t track; /* of the ranks, whose ratio it is (core_speed.h); 0: theirs */
    bool no_core;   /* they are far from the others, which hardly differ, and no core that ranks
                       share has just these: it is not what cores make */
};

/* What is worth looking for. */
struct sca_abnormal_limits {
    double threshold;    /* least ratio of ranks that stand out */
    double least;        /* loss by those, core-seconds: all ranks wait for the slowest */
    double least_uneven; /* core-seconds that sharing out evenly saves; infinity: not asked for */
};

/* Whether it is on ranks that share cores, and no slow core has just these, by the cores that they
 * used; false where that is not known. `seconds`: of all ranks. */
bool sca_abnormal_is_no_core(struct sca_workspace *space, const struct sca_measure *m,
                             const double *seconds, const struct sca_abnormal *a);

/* The ratio up to which ranks that do the same have differed where they shared cores. */
double sca_abnormal_shared_limit(const struct sca_measure *m);

struct sca_abnormals {
    uint32_t count;
    struct sca_abnormal *items; /* by vertex */
    uint32_t *of_vertex;        /* [nvertices] index into items, SCA_NONE */
    struct sca_abnormal_limits limits;
    double *loss; /* [nvertices] core-seconds, the most it may be; MPI calls: 0 */
};

/* Vertices by themselves, by their samples. */
void sca_abnormal_find(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const struct sca_abnormal_limits *limits,
                       struct sca_abnormals *out);

/* Judges one vertex, or several that are one loop reached along several call paths: `seconds`
 * and `variance` per rank are their sums. 0 if it is normal. */
int sca_abnormal_judge(struct sca_workspace *space, const struct sca_measure *m,
                       const uint32_t *ends, const uint32_t *vertices, uint32_t nvertices,
                       double threshold, struct sca_abnormal *out);

/* By exact times. out->vertex is SCA_NONE of the first. */

/* Judges the interval between the calls of two vertices. */
bool sca_abnormal_judge_bounds(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds,
                               const struct sca_interval_bounds_times *of, double threshold,
                               struct sca_abnormal *out);

/* Judges all that ranks compute where they run the code of a place, between whichever calls,
 * whatever samples say of the place itself: in the intervals that are on (code_intervals.h). */
bool sca_abnormal_judge_around(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_within *place, const bool *on, double threshold,
                               struct sca_abnormal *out);

/* Seconds above the ranks' median, summed over the ranks above it, of several vertices together. */
double sca_abnormal_spread(struct sca_workspace *space, const struct sca_measure *m,
                           const uint32_t *vertices, uint32_t nvertices);

#endif
