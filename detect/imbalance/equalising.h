/*
 * How much of a finding's work is left when its ranks are given what the others need.
 */
#ifndef SCA_DETECT_EQUALISING_H
#define SCA_DETECT_EQUALISING_H

#include "findings/finding.h"

/* Sets the finding's factors; its vertices and ranks are known. `reference` is what the other
 * ranks need for the vertices, seconds. */
void sca_equalising_level_to(struct sca_workspace *space, const struct sca_measure *m,
                             const uint32_t *ends, struct sca_finding *finding, double reference);

/* The same finding, mended in the other way. What is taken from its ranks is shared out among all
 * that many instead: each of its own keeps an equal part. Or, where the ranks are of two kinds, and
 * all would get the mean, its ranks take as long as the others. NULL of anything else. From the
 * workspace. */
const struct sca_finding *sca_equalising_otherwise(struct sca_workspace *space,
                                                   const struct sca_finding *finding,
                                                   uint32_t nranks);

#endif
