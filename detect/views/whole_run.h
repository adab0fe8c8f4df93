/*
 * A run once more, with what packed profiles leave out: the shortest and longest computations and
 * calls.
 */
#ifndef SCA_DETECT_WHOLE_RUN_H
#define SCA_DETECT_WHOLE_RUN_H

#include "views/view_input.h"

enum { SCA_WHOLE_RUN_RANKS = 4096 }; /* of more it takes too much memory */

/* The caller's, by sca_profile_free(). NULL: of so many ranks, of several worlds, since a snapshot,
 * or because the run has changed. */
struct sca_profile *sca_whole_run_load(const struct sca_view_input *in,
                                       const struct sca_ppg_run *run);

#endif
