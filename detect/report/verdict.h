/*
 * The verdict: from the graph of all runs to the report. Runs every step in order; on failure
 * nothing is left behind. Not re-entrant in one workspace.
 */
#ifndef SCA_DETECT_VERDICT_H
#define SCA_DETECT_VERDICT_H

#include "load/run_loading.h"
#include "sca_report.h"
#include "base/settings.h"
#include "team/team.h"

struct sca_verdict {
    struct sca_report *report;
};

/* The runs must be sorted by ranks (sca_runs_load). SCA_ENOMEM only. */
int sca_verdict_find(const struct sca_ppg *ppg, const struct sca_settings *settings,
                     struct sca_verdict *out);
/* The same by all processes of a team; the first one's report is filled. An error of one of them is
 * one of all: that one's status. */
int sca_verdict_share(struct sca_team *team, const struct sca_ppg *ppg,
                      const struct sca_settings *settings, struct sca_verdict *out);

/* The same alone, for whoever wants more than the report: `look` sees the finished analysis, report
 * and all, before it is taken down. It may jump to the analysis' out_of_memory. An analysis that
 * failed it does not see. */
struct sca_analysis;
struct sca_verdict_look {
    void (*at)(void *context, const struct sca_analysis *analysis);
    void *context;
};
int sca_verdict_look(const struct sca_ppg *ppg, const struct sca_settings *settings,
                     const struct sca_verdict_look *look, struct sca_verdict *out);

void sca_verdict_free(struct sca_verdict *verdict);

#endif
