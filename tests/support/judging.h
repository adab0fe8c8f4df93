/*
 * Ranks to be judged (abnormal_ranks.h), with numbers that a test gives:
 *
 *     struct judging g;
 *     judging_begin(&g, (double[JUDGED]){40, 10, 10, 10, 10, 10, 10, 10}, 1);
 *     g.chosen[0] = true;
 *     sca_abnormal_ranks_drop_chance(&g.j, 10, g.chosen);
 */
#ifndef SCA_TEST_JUDGING_H
#define SCA_TEST_JUDGING_H

#include "imbalance/abnormal_ranks.h"

enum { JUDGED = 8 };

struct judging {
    struct sca_ppg ppg;
    struct sca_measure m;
    struct sca_judging j;
    double seconds[JUDGED], variance[JUDGED], core[JUDGED], around[JUDGED];
    bool absent[JUDGED], chosen[JUDGED];
};

/* Each sample is worth so many seconds. Limit and threshold are 1, ten seconds are usual,
 * nothing tells of cores,
 * exact times neither, none is
 * chosen, and the program has ten vertices. */
void judging_begin(struct judging *g, const double *seconds, double sample);

/* The rank left nothing. */
void judging_lose(struct judging *g, uint32_t rank);

#endif
