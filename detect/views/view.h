/*
 * scalana-detect --view: other questions that a run answers, each as one table. See table.h for
 * how they are printed, doc/FORMATS.md for the JSON.
 */
#ifndef SCA_DETECT_VIEW_H
#define SCA_DETECT_VIEW_H

#include "base/settings.h"
#include "views/view_input.h"

/* Makes the view `settings->view` of the runs and publishes it: text to `out`, or JSON to
 * settings->output. "diff" takes two runs or reports of before and after, the others one program's
 * runs. SCA_OK or SCA_E... with a message; SCA_EINVAL: an option names what the runs do not have.
 */
int sca_view_show(char *const *operands, uint32_t n, const struct sca_settings *settings, FILE *out,
                  bool colour);

/* The tables, for sca_view_show() and tests; runs sorted by ranks, the last one counts. They jump
 * when the workspace is out of memory. `top`: rows shown, 0 for all. */

void sca_view_hotpath(const struct sca_view_input *in, struct sca_table *out);
void sca_view_flat(const struct sca_view_input *in, struct sca_table *out);
void sca_view_locks(const struct sca_view_input *in, struct sca_table *out);
void sca_view_regions(const struct sca_view_input *in, struct sca_table *out);
void sca_view_callgraph(const struct sca_view_input *in, struct sca_table *out);
void sca_view_communication(const struct sca_view_input *in, struct sca_table *out);
/* SCA_EINVAL in out->status: settings->loop names no loop
 * of the run, SCA_ENOTFOUND: none of its iterations was recorded. */
void sca_view_path(const struct sca_view_input *in, struct sca_table *out);
/* SCA_ENOTFOUND in out->status: no iteration was recorded by all ranks. */
void sca_view_timeline(const struct sca_view_input *in, struct sca_table *out);
void sca_view_messages(const struct sca_view_input *in, struct sca_table *out);
void sca_view_imbalance(const struct sca_view_input *in, struct sca_table *out);
void sca_view_efficiency(const struct sca_view_input *in, struct sca_table *out);
/* SCA_EINVAL in out->status: no two runs are on the same number of ranks. */
void sca_view_variability(const struct sca_view_input *in, struct sca_table *out);
/* With settings->pairwise it analyses the runs, and out->status says whether it could. So do the
 * hot path and the imbalance of a metric. */
void sca_view_correlation(const struct sca_view_input *in, struct sca_table *out);
/* Analyses the runs as for a report; out->status says whether it could. */
void sca_view_findings(const struct sca_view_input *in, struct sca_table *out);
/* Likewise. */
void sca_view_metrics(const struct sca_view_input *in, struct sca_table *out);
void sca_view_system(const struct sca_view_input *in, struct sca_table *out);
void sca_view_topology(const struct sca_view_input *in, struct sca_table *out);
void sca_view_scaling(const struct sca_view_input *in, struct sca_table *out);
/* SCA_EINVAL, SCA_ENOTFOUND in out->status: settings->rank is none of the run's, or left nothing.
 */
void sca_view_tag(const struct sca_view_input *in, struct sca_table *out);
void sca_view_classes(const struct sca_view_input *in, struct sca_table *out);
void sca_view_ptag(const struct sca_view_input *in, struct sca_table *out);
/* Of the runs as they come; reads nothing but their series. */
void sca_view_series(const struct sca_view_input *in, struct sca_table *out);
/* Likewise. */
void sca_view_advice(const struct sca_view_input *in, struct sca_table *out);
void sca_view_paths(const struct sca_view_input *in, struct sca_table *out);
void sca_view_critical(const struct sca_view_input *in, struct sca_table *out);

#endif
