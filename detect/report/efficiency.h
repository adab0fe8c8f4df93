/*
 * POP's efficiencies of a run, for the report. Computation scaling against the smallest run is
 * split into instructions, instructions per cycle and frequency where both runs counted
 * PAPI_TOT_INS and PAPI_TOT_CYC. Events outside MPI count, as samples found them.
 */
#ifndef SCA_DETECT_EFFICIENCY_H
#define SCA_DETECT_EFFICIENCY_H

#include "verdict/analysis.h"

/* Fills the report's row of run i. */
void sca_efficiency_fill(struct sca_analysis *c, uint32_t i);

/* The part of a run's time between MPI calls that ranks were blocked. */
double sca_efficiency_blocked(const struct sca_account *account);

#endif
