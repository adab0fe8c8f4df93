/*
 * Contraction across functions (SC'20, III-A): which functions of a program are no places of their
 * own. A function in which nothing goes round and that does not communicate, itself or in what it
 * calls, is part of the vertex that calls it. A function that only drives code passed to it, as
 * std::for_each or a parallel_for over a lambda, is part of the call that starts it.
 *
 * Known once all call paths of all runs are: what an indirect call leads to only a run tells. Owned
 * by sca_contraction_free().
 */
#ifndef SCA_DETECT_CONTRACTION_H
#define SCA_DETECT_CONTRACTION_H

#include "symbols/attribution.h"

struct sca_contraction { /* per function of the program */
    bool *goes_round;    /* a loop, a recursion or MPI in it or below it, in any run */
    bool *has_mpi;       /* MPI in it or below it */
    bool *framework;     /* drives what is passed to it, and has no MPI below it */
};

/* Of the graph alone. SCA_ENOMEM. */
int sca_contraction_open(const struct sca_program *program, struct sca_contraction *out);
void sca_contraction_free(struct sca_contraction *contraction);

/* Adds what the call paths of a run show; places are by node. True if that was news: then runs that
 * were added before may have more to tell. SCA_ENOMEM is left in *status. */
bool sca_contraction_add(struct sca_contraction *contraction, const struct sca_profile *profile,
                         const struct sca_address_info *const *places, int *status);
/* When all is added: framework functions that reach MPI are none. */
void sca_contraction_ready(const struct sca_program *program, struct sca_contraction *contraction);

/* Whether the callee is part of what calls it in that function. */
bool sca_contraction_joins(const struct sca_contraction *contraction, uint32_t caller,
                           uint32_t callee);

#endif
