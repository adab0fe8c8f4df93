/*
 * Recorded iterations of the largest run as an OTF2 archive
 * (https://www.vi-hps.org/projects/score-p), for Vampir, Scalasca and otf2-print: a location for
 * each rank, with its computations and MPI calls as regions, its messages and its blocking
 * collectives.
 */
#ifndef SCA_DETECT_OTF2_H
#define SCA_DETECT_OTF2_H

#include "graph/ppg.h"

/* A folder that is not there yet. SCA_ENOTFOUND: the run recorded no iterations; SCA_EIO,
 * SCA_ENOMEM; SCA_EINVAL where ScalAna was built without libotf2. */
int sca_otf2_write(const struct sca_ppg *ppg, const char *path);

#endif
