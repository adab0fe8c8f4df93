/*
 * How often ranks went round the loops of a program, by the MPI calls in these: a call that neither
 * an inner loop repeats nor a branch passes over is made once in each round.
 */
#ifndef SCA_ROUNDS_H
#define SCA_ROUNDS_H

#include "look/seen.h"

/* Of each loop, to out[context]; of ranks that make calls in it, the one that is behind. `calls`
 * has [context * look->nranks + rank]. SCALANA_ENOMEM. */
int sca_rounds_find(const struct sca_look *look, const double *calls, struct sca_rounds *out);

#endif
