/* Below the curves of the pane of series: what changes, clusters, named phases. */
#ifndef SCA_SERIES_TABLES_H
#define SCA_SERIES_TABLES_H

#include "lines.h"
#include "model.h"

/* Of a cluster: A to Z, a to z, then '*'. */
char sca_series_letter(uint32_t cluster);
void sca_series_changes(struct sca_lines *lines, const struct sca_report_series_loop *loop,
                        int width);
/* Each with the contexts that take longest in one of its iterations. */
void sca_series_clusters(struct sca_lines *lines, const struct sca_model *model,
                         const struct sca_report_series_loop *loop, int width);
void sca_series_phases(struct sca_lines *lines, const struct sca_model *model, int width);

#endif
