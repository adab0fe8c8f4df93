/*
 * Between what bounds the gain of a finding lies, with 95 % confidence. Three things make it
 * uncertain:
 *   - what is taken away (sca_transform.error): samples, and ranks that do the same differ,
 *   - which part of the run was recorded: windows are drawn from it, so what a window saves is one
 *     draw (the variance of a ratio estimate; Cochran, Sampling Techniques, 6.4),
 *   - of what rotates, how late the next rank is in each step, by scatter that need not be the
 *     program's: the upper bound is without it.
 * The first two are taken to be normal and independent. Nothing saves more than the whole run.
 */
#ifndef SCA_DETECT_GAIN_RANGE_H
#define SCA_DETECT_GAIN_RANGE_H

#include "price/price.h"
#include "findings/finding.h"
#include "price/stage.h"

struct sca_gain_ranges; /* the replays as measured, to compare with */

/* Replays with nothing equalised. From the stage's workspace. */
struct sca_gain_ranges *sca_gain_ranges_open(struct sca_stage *stage);

/* Fills low, high and shared of a gain that is known: mends the finding alone, and gives its gain
 * the same relative range. The stage is left with the finding equalised. */
void sca_gain_ranges_find(struct sca_gain_ranges *ranges, const struct sca_finding *finding,
                          struct sca_gain *gain);

#endif
