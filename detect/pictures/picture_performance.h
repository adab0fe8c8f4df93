/*
 * The whole program performance graph as a picture (Jin et al., SC'20, section III-B): of each rank
 * the vertices where it spent time, in the order of the program, and the messages between them.
 * Times are a vertex's own, without what is below it.
 */
#ifndef SCA_DETECT_PICTURE_PERFORMANCE_H
#define SCA_DETECT_PICTURE_PERFORMANCE_H

#include "activity/task_graph.h"
#include "pictures/picture.h"

enum { SCA_MOST_PICTURE_NODES = 1 << 24 };

/* SCA_EINVAL: more than SCA_MOST_PICTURE_NODES, ranks times vertices. */
int sca_picture_of_performance(struct sca_workspace *space, const struct sca_task_source *source,
                               struct sca_picture *out);

#endif
