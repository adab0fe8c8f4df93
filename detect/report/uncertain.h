/*
 * Call paths that the runtime could not tell for certain: code without unwind tables whose caller
 * is a guess (SCA_NODE_GUESSED), and paths that end before the start of their thread.
 */
#ifndef SCA_DETECT_UNCERTAIN_H
#define SCA_DETECT_UNCERTAIN_H

#include "verdict/analysis.h"

enum sca_uncertain { SCA_PATH_CERTAIN, SCA_PATH_GUESSED, SCA_PATH_CUT, SCA_PATH_BOTH };

/* One for each vertex, as flags: that some path to it in the run is so. All 0 where no
 * path is. The workspace's memory. */
const uint8_t *sca_uncertain_vertices(const struct sca_analysis *c, const struct sca_ppg_run *run);

/* Whether a place of the cause, in the largest run, is reached by such a path. */
bool sca_uncertain_cause(const struct sca_finding *cause, const uint8_t *vertices,
                         enum sca_uncertain how);

/* Fills the causes' uncertain_path. */
void sca_uncertain_fill(struct sca_analysis *c);

#endif
