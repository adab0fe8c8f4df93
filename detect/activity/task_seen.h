/*
 * Durations seen one by one: of computation in recorded windows, of calls with SCALANA_RECORD=full
 * and of those that a kept message belongs to. A window stands for all windows of its class.
 */
#ifndef SCA_DETECT_TASK_SEEN_H
#define SCA_DETECT_TASK_SEEN_H

#include "activity/task_graph.h"

/* Into a graph that has the rank's totals; not of what has all durations of this rank. */
void sca_task_seen_add(struct sca_task_graph *graph, const struct sca_rank *rank, uint32_t number);
/* How many windows each of this one's class stands for. */
double sca_task_seen_weight(const struct sca_rank *rank, const struct sca_window *window);

#endif
