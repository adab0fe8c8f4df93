/*
 * All steps of an analysis in their order: measures, traces, replays, findings, causes with
 * their prices, chains.
 */
#ifndef SCA_DETECT_ANALYSIS_RUN_H
#define SCA_DETECT_ANALYSIS_RUN_H

#include "verdict/analysis.h"

/* Team, graph, settings, memory and an empty report are set: fills the rest but the report. Jumps
 * out of the analysis' memory where there is none left. */
void sca_analysis_run(struct sca_analysis *c);

#endif
