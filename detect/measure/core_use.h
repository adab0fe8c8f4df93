/*
 * Whether cores that are not equally fast explain what ranks take for work: by the cores that each
 * rank used (metadata core.use). What a rank takes is then the sum, over its cores, of its part on
 * each times what that core takes for the work: one unknown per core, fitted to all ranks.
 *
 * A core whose hardware is shared with another, by threads of the processor or of other machines,
 * takes at most SCA_SHARED_HARDWARE times as long as one that is not. Least squares by simultaneous
 * iterative reconstruction (SIRT: Gilbert 1972), which holds bounds: each unknown is kept within
 * that of the least.
 */
#ifndef SCA_DETECT_CORE_USE_H
#define SCA_DETECT_CORE_USE_H

#include "base/workspace.h"
#include "sca_profile.h"

#include <stdbool.h>
#include <stdint.h>

struct sca_core_use {
    uint32_t nranks, ncores; /* ncores 0: not known of all ranks */
    uint32_t *first;         /* [nranks + 1] a rank's cores in: */
    uint32_t *core;
    double *part; /* of the rank's CPU time; those of a rank add up to 1 */
};

/* Of ranks that are all on one host. Owned by the workspace. */
void sca_core_use_fill(struct sca_workspace *space, const struct sca_profile *profile,
                       struct sca_core_use *out);

/* Whether it leaves at most half of what the `n` ranks, ascending, take longer than the others.
 * False if it is not known. `seconds`: of all ranks. */
bool sca_core_use_explains(struct sca_workspace *space, const struct sca_core_use *use,
                           const double *seconds, const uint32_t *ranks, uint32_t n);

/* Whether the ranks with an excess, as much as they have, moved between cores: instances of equal
 * work then differ as the cores do. False if it is not known. */
bool sca_core_use_moves(const struct sca_core_use *use, const double *excess);

#endif
