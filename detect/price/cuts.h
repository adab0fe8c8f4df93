/*
 * What findings take away from a rank, interval by interval (findings/finding.h, sca_cut), when
 * several are equalised at once.
 */
#ifndef SCA_DETECT_CUTS_H
#define SCA_DETECT_CUTS_H

#include "findings/finding.h"

/* Adds the seconds that `n` findings take from a rank: `out` is by interval. Of two findings, the
 * place of one inside that of the other, the one that takes more counts in an interval: the same
 * seconds are not taken twice. Those that level by factors add nothing. */
void sca_cuts_add(struct sca_workspace *space, const uint32_t *ends,
                  const struct sca_finding *const *equalised, uint32_t n, uint32_t rank,
                  double *out);

static inline bool sca_finding_cuts(const struct sca_finding *finding)
{
    return finding->transform.cuts;
}

#endif
