/*
 * Work that is shared out unevenly although no rank stands out: a slope along the ranks, a half
 * that has more than the other. AbnormThd compares with the ranks' median and does not see it; all
 * ranks wait for the one that has most all the same. Exact times of the interval between two calls
 * show it. What cores do to their ranks looks alike, so where ranks share cores it must come again
 * in another run, on the ranks that correspond (replicate.h), or the ranks be of two kinds that
 * hardly differ among themselves; and it must not be like the rest of the work.
 */
#ifndef SCA_DETECT_SKEW_H
#define SCA_DETECT_SKEW_H

#include "findings/finding.h"
#include "imbalance/abnormal.h"

/* Of what ranks take on a way between two calls, or where some code runs, by rank. Named are the
 * ranks over the mean by at least half of what all those over it are on average. `least`:
 * core-seconds that sharing it out evenly must save. False if it is shared evenly enough. */
bool sca_skew_judge(struct sca_workspace *space, const struct sca_measure *m, const double *seconds,
                    double least, struct sca_abnormal *out);

/* Shared out evenly, ranks have what is the mean now, or what that is of their kind: sets the
 * finding's factors, on all ranks that have more of the interval. Its evidence is known. */
void sca_skew_level(struct sca_workspace *space, const struct sca_measure *m, const uint32_t *ends,
                    const struct sca_interval_bounds *bounds, struct sca_finding *c);

/* The same where the code of its place runs; its vertices and ranks are known. */
void sca_skew_level_place(struct sca_workspace *space, const struct sca_measure *m,
                          const uint32_t *ends, struct sca_finding *c);

/* Ranks that are bound to cores of unlike speed differ in each run alike. Not believed: they take
 * longer elsewhere as well, or do too little elsewhere to tell. Doubted: memory-bound code may
 * differ so much on shared cores; or no other run says the same. */
enum sca_belief { SCA_NOT_BELIEVED, SCA_INCONCLUSIVE, SCA_BELIEVED };
enum sca_belief sca_skew_belief(struct sca_workspace *space, const struct sca_measure *m,
                                const uint32_t *ends, double threshold,
                                const struct sca_finding *c);

#endif
