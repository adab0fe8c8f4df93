/*
 * The chain from a symptom back to its cause (SC'20, Algorithm 1): from an MPI call that waits,
 * over the communication edge to the rank it waited for; there over data edges to the call that
 * made that rank late, and so on, until the rank that does the excess work; then over control
 * edges into the loop. Only edges along which the replay saw a wait are taken: the pruning the
 * paper asks for. Owned by the workspace.
 */
#ifndef SCA_DETECT_BACKTRACK_H
#define SCA_DETECT_BACKTRACK_H

#include "explain/chain_walk.h"
#include "findings/finding.h"

/* Replays must have run as measured. symptom[v] > 0 marks the MPI vertices where the cause makes
 * others wait, and how long: the chain starts at the greatest from which it can be followed.
 * Without any, the chain is the cause alone. */
void sca_backtrack(struct sca_workspace *space, const struct sca_stage *stage,
                   const struct sca_finding *cause, const double *symptom, struct sca_chain *out);

#endif
