/*
 * A scene from a run's totals: see scene.h. Long runs are shortened by a common factor, which
 * becomes the scene's weight; totals of time stay exact.
 */
#ifndef SCA_DETECT_WALK_H
#define SCA_DETECT_WALK_H

#include "scene.h"

/* The tracks' ops come from a room of their own. */
void sca_walk_run(struct sca_room *room, struct sca_room *ops, const struct sca_ppg_run *run,
                  struct sca_scene *scene);

/* Computation of an interval in own time (CPU time and what the program itself blocked for). */
double sca_interval_seconds(const struct sca_part_interval *interval);

#endif
