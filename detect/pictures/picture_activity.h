/*
 * Task activity graphs as pictures: of one rank with those it exchanges messages with, and of all,
 * where ranks with the same graph are one class (A. Sikora et al., 2016, figures 1, 5 and 20).
 */
#ifndef SCA_DETECT_PICTURE_ACTIVITY_H
#define SCA_DETECT_PICTURE_ACTIVITY_H

#include "activity/task_graph.h"
#include "pictures/picture.h"

/* The rank must be one that left something. */
void sca_picture_of_rank(struct sca_workspace *space, const struct sca_task_source *source,
                         uint32_t rank, struct sca_picture *out);
/* Marks the rank's calls that take longer than `ratio` times the median of the ranks that make
 * them, and that by one part in a hundred of its time. */
void sca_picture_mark_rank(struct sca_picture *p, const struct sca_task_source *source,
                           uint32_t rank, double ratio);
void sca_picture_of_classes(struct sca_workspace *space, const struct sca_task_source *source,
                            struct sca_picture *out);

#endif
