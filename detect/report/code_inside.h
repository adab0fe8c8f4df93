/*
 * What a reader wants to know of a cause beside its place: which function that is part of the place
 * most of it is spent in, and by which call the ill call paths to the place are told from others.
 */
#ifndef SCA_DETECT_CODE_INSIDE_H
#define SCA_DETECT_CODE_INSIDE_H

#include "verdict/analysis.h"

/* The deepest function that has most samples of the cause's ranks at its vertices, an index into
 * ppg->inners; 0: the place itself has them. *share: of the samples. */
uint32_t sca_code_inside_most(const struct sca_analysis *c, const struct sca_finding *cause,
                              double *share);

/* The innermost call through which all of the cause's call paths lead and no other path to the same
 * place in the source; SCA_NONE where there are no others, or no such call. */
uint32_t sca_code_inside_site(const struct sca_analysis *c, const struct sca_finding *cause);

#endif
