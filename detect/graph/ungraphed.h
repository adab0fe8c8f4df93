/*
 * How much of a run was computed in the user's code that has no program structure graph: libraries
 * and objects that were not compiled with scalana-static. There are functions and lines of them,
 * but no loops, and whoever reads a verdict there must know.
 */
#ifndef SCA_DETECT_UNGRAPHED_H
#define SCA_DETECT_UNGRAPHED_H

#include "symbols/attribution.h"

/* Notes it, if it is worth a sentence. `module`: as in struct sca_tree_input. SCA_ENOMEM. */
int sca_ungraphed_note(struct sca_attribution *a, const struct sca_profile *profile,
                       const uint32_t *module);

#endif
