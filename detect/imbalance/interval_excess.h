/*
 * By how much the ranks of a finding compute longer at its place than the others do, interval by
 * interval. What an interval takes too long is exact; samples only say whose it is: all of it is
 * the place's where that has most of the interval or half of what is too much.
 */
#ifndef SCA_DETECT_INTERVAL_EXCESS_H
#define SCA_DETECT_INTERVAL_EXCESS_H

#include "findings/finding.h"

struct sca_interval_excess {
    double *seconds; /* by finding->ranks: the sum over all intervals, less what the rank does less
                        of in some of them; may be negative */
    double *error; /* likewise: one standard deviation, by samples and by what equal ranks differ */
    struct sca_cut *cuts; /* where it has more, all positive; by rank, then interval */
    uint32_t *first_cut;  /* of the i-th rank; one more at the end */
};

/* Vertices and ranks of the finding are known. From the workspace. */
struct sca_interval_excess sca_interval_excess_find(struct sca_workspace *space,
                                                    const struct sca_measure *m,
                                                    const uint32_t *ends,
                                                    const struct sca_finding *finding);

/* Scales the cuts from range[0] to before range[1], a rank's, so that they add up to that many
 * seconds, at least 0. */
void sca_interval_excess_scale(struct sca_cut *cuts, const uint32_t range[2], double seconds);

#endif
