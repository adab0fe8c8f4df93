/*
 * What a run directory notes beside the profile (sca_run_meta.h), in the report.
 */
#ifndef SCA_DETECT_RUN_NOTES_H
#define SCA_DETECT_RUN_NOTES_H

#include "verdict/analysis.h"

/* Of the run with that index. */
void sca_run_notes_fill(struct sca_analysis *c, uint32_t run);

#endif
