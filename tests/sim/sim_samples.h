/*
 * Samples of a simulated run, as the runtime would have taken them: how many fall on a loop is
 * drawn by Poisson's law from the exact times; they know the calls around them, and how long the
 * instances that they lay in were on average.
 */
#ifndef SCA_SIM_SAMPLES_H
#define SCA_SIM_SAMPLES_H

#include "sim.h"
#include "synthetic.h"

enum { SIM_SAMPLE_PERIOD_NS = 5000000 };

/* Of a rank's call: the site of the one before, its place + 1; 0: the start of recording. */
uint32_t sim_previous_site(const struct sim_sequence *sequence, uint32_t i);

/* Adds to [site * SIM_PLACES + loop] the seconds of a rank after each site. */
void sim_sum_loops(const struct sim *s, uint32_t rank, double *out);

/* [rank * cells + site * SIM_PLACES + loop] samples of all ranks; behind them, in the place of one
 * more rank, what they say together. The caller frees it. */
double *sim_samples_draw(const struct sim *s);

/* Of all places. */
double sim_sum(const double *places);

/* Of a rank; `nodes`: per place. */
void sim_samples_add(const struct sim *s, uint32_t rank, const double *drawn, const uint32_t *nodes,
                     struct synth *to);

#endif
