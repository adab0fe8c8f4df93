/*
 * Views of a finished analysis: it is made as for a report, and looked at before it is taken down.
 */
#ifndef SCA_DETECT_LOOKING_H
#define SCA_DETECT_LOOKING_H

#include "verdict/analysis.h"
#include "views/view_input.h"

/* Fills the table; out of memory, it jumps. */
typedef void sca_looking_fill(const struct sca_view_input *in, const struct sca_analysis *c,
                              struct sca_table *out);

/* Analyses the runs and fills the table; out->status says whether it could. The analysis' report
 * has no metrics and no paths (settings.text_only): they are made for those who read them there. */
void sca_looking_at(const struct sca_view_input *in, sca_looking_fill *fill, struct sca_table *out);
/* Replayed waits per run and vertex, NULL of a run whose ranks had cores of their own; NULL if all
 * had. out->status says whether the runs could be analysed. */
const double *const *sca_looking_for_waits(const struct sca_view_input *in, struct sca_table *out);
/* With all that a report has. */
void sca_looking_at_report(const struct sca_view_input *in, sca_looking_fill *fill,
                           struct sca_table *out);

#endif
