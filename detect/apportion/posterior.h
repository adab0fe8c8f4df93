/*
 * Divides what a rank computed in an interval over vertices, by its samples there. Samples are few,
 * the rank's seconds are exact, and so is what others take for the same: so several explanations
 * are weighed by how well they foretell the samples, and averaged (Bayesian model averaging;
 * Hoeting and others 1999):
 *   - the rank does what all do, all of it as much slower or faster;
 *   - it does what all do, but for one vertex with all below, whose time is the difference;
 *   - it does what those do that are unusually slow (or fast) there like itself;
 *   - it does something of its own.
 */
#ifndef SCA_DETECT_POSTERIOR_H
#define SCA_DETECT_POSTERIOR_H

#include "apportion/segment.h"
#include "graph/ppg.h"

struct sca_divider;

/* The pool and the graph's vertices must outlive it. NULL: out of memory. */
struct sca_divider *sca_posterior_open(const struct sca_pool *pool, const struct sca_ppg *ppg);
void sca_posterior_close(struct sca_divider *d);

/* The parts of the interval's seconds, which add up to 1, in the order of the pool's weights of
 * that interval. There must be one. Valid until the next call. */
const double *sca_posterior_divide(struct sca_divider *d, const struct sca_segment *s);

#endif
