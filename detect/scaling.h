/*
 * Strong or weak scaling: does the problem stay the same on more ranks, or does it grow with them?
 * Told by the work itself: most of the smallest run's is divided, or its sum stays the same.
 */
#ifndef SCA_DETECT_SCALING_H
#define SCA_DETECT_SCALING_H

#include "growth.h"

#define SCA_STRONG_SLOPE (-0.5) /* of log time per rank over log ranks: work that is divided */

/* slope and weight (seconds of the smallest run; 0: no slope) are by vertex, of own computation.
 * Sets out->divided and out->told. */
enum sca_scaling sca_scaling_recognise(const struct sca_comparable *comparable,
                                       const struct sca_settings *settings, const double *slope,
                                       const double *weight, struct sca_growths *out);

#endif
