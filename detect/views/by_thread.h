/*
 * A metric of threads: --view=metrics --by=thread.
 */
#ifndef SCA_DETECT_BY_THREAD_H
#define SCA_DETECT_BY_THREAD_H

#include "views/selection.h"

/* A sampled metric's contexts, with its values over the threads of the selected ranks: how many
 * have any, quantiles, and the threads that have most. A note if samples do not tell the metric by
 * thread. */
void sca_by_thread_metric(const struct sca_view_input *in, const struct sca_selection *selection,
                          const struct scalana_metric *metric, struct sca_table *out);

#endif
