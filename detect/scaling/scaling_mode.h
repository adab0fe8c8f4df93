/*
 * Strong or weak scaling: does the problem stay the same on more ranks, or does it grow with them?
 * Told by the work itself, in two ways: how much of the smallest run's is divided, place by place,
 * and with which power of the ranks the sum of all goes, by the median rank so that a few slow
 * ranks change nothing. Where these fit neither reading, or deny each other, it is left open.
 */
#ifndef SCA_DETECT_SCALING_MODE_H
#define SCA_DETECT_SCALING_MODE_H

#include "scaling/growths.h"

/* slope and weight (seconds of the smallest run; 0: no slope) are by vertex, of own computation.
 * Sets out->divided, told, sum_exponent and open; returns the likelier of the two where it is open,
 * and strong where the user told each run's work: per work, the problem stays the same. */
enum sca_scaling sca_scaling_mode_recognise(const struct sca_comparable *comparable,
                                            const struct sca_settings *settings,
                                            const double *slope, const double *weight,
                                            struct sca_growths *out);

#endif
