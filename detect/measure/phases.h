/*
 * Phases of a run: intervals between calls in which ranks run the same code (same_code.h), taken
 * together. What a rank takes in a phase is exact, and comparable with what others take there.
 */
#ifndef SCA_DETECT_PHASES_H
#define SCA_DETECT_PHASES_H

#include "base/workspace.h"
#include "graph/ppg.h"

struct sca_phases {
    uint32_t n;
    const uint32_t *of_interval; /* per interval of the run; SCA_NONE: of none */
    const double *seconds;       /* [phase * nranks + rank] computation */
};

/* Those of SCA_NEGLIGIBLE of the run's computation or more. From the workspace. */
void sca_phases_find(struct sca_workspace *space, const struct sca_ppg *ppg,
                     const struct sca_ppg_run *run, struct sca_phases *out);

/* What each rank takes in a phase. */
const double *sca_phases_row(const struct sca_phases *p, const struct sca_ppg_run *run,
                             uint32_t phase);

#endif
