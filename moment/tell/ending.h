/*
 * What keeps the ranks of unfinished runs from going on, or ended them: warnings for whoever reads
 * the verdict of such a run. Of runs that go on only what no healthy run does; nothing of complete
 * ones.
 */
#ifndef SCA_ENDING_H
#define SCA_ENDING_H

#include "sca_report.h"
#include "scalana/run.h"

/* "runs/4p, which broke off after 26 s: deadlock of 2 ranks since 26 s: ...", in front of the
 * report's other warnings. Each unfinished run is read once more, as it is now. A status of
 * libscalana. One thread. */
int sca_ending_warn(const scalana_runs *runs, struct sca_report *report);

#endif
