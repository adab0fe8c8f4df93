/*
 * Loops of a task activity graph: from the computation between calls follows which loops a rank
 * entered, left and went round. Of a loop whose calls all lie in one loop inside it, nothing tells
 * its rounds from those of the inner one.
 */
#ifndef SCA_DETECT_TASK_CONTROLS_H
#define SCA_DETECT_TASK_CONTROLS_H

#include "activity/task_graph.h"

/* Nodes and ways of all loops around calls of a graph that is not in order yet. */
void sca_task_controls_add(struct sca_task_graph *graph);

#endif
