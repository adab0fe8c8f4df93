/*
 * Whether a few counts by place may be drawn from what many counts show, or rather from parts of
 * their own: the logarithm of the Bayes factor of two Dirichlet-multinomial distributions, both
 * with Jeffreys' prior (Gelman and others, Bayesian Data Analysis, 3.4 and 7.4). No memory of its
 * own; any thread.
 */
#ifndef SCA_DETECT_SAME_DRAW_H
#define SCA_DETECT_SAME_DRAW_H

#include <stdint.h>

/* Zero at first. */
struct sca_same_draw {
    double few, many; /* sums of the counts */
    double drawn, own;
    uint32_t places;
};

/* One place's counts, not below 0; places without any say nothing. */
void sca_same_draw_add(struct sca_same_draw *d, double few, double many);
/* Above 0: likelier drawn from the many. 0 if there are none of the few. */
double sca_same_draw_evidence(const struct sca_same_draw *d);

#endif
