/*
 * Completion edges: from the call that begins a request to the one that completes it. Which
 * requests those are is known of messages and collectives in recorded windows and of kept messages.
 * Their number is exact where nothing else is possible: a rank that begins receives, or completes
 * them, in one context alone.
 */
#ifndef SCA_DETECT_TASK_REQUESTS_H
#define SCA_DETECT_TASK_REQUESTS_H

#include "activity/task_graph.h"

/* Into a graph that has the rank's totals. */
void sca_task_requests_add(struct sca_task_graph *graph, const struct sca_rank *rank);

#endif
