/*
 * Where instances of an interval (intervals.h) that take longer than others do what they take
 * longer for. Samples do not know their instance, but how long it was (sca_part.h). Of a place that
 * takes as long in all instances, samples see those of average length, more or less; of one that
 * takes longer in some, mostly these. So the samples of a vertex are compared with all others of
 * the interval: the split into two groups whose means differ most (the variance between them, as
 * regression trees have it: Breiman et al. 1984). Fewer than four samples are no group. Each rank's
 * lengths are taken against its own mean. What lengthens all places alike, as a slow core does, or
 * the sample itself, is in both groups.
 *
 * Lengths count up to ten times the mean (winsorized). Standard errors are from leaving out a rank
 * at a time (the jackknife, Tukey 1958).
 */
#ifndef SCA_DETECT_INSTANCE_LENGTH_H
#define SCA_DETECT_INSTANCE_LENGTH_H

#include "measure/measure.h"

/* `excess_by_length`: what a longer instance says of how late its rank is (excess_by_length.h). Of
 * the vertices that `may` have it, the deepest whose instances are later than those of the rest by
 * two standard errors, and most so; or, if it has less than that part of what it and the next
 * one among the rest are longer by, what encloses both. 0: samples do not tell. */
uint32_t sca_instance_length_vertex(struct sca_workspace *space, const struct sca_measure *m,
                                    const uint32_t *ends, struct sca_call_pair interval,
                                    double excess_by_length, const bool *may, double least);

#endif
