/*
 * A scene from a run's totals: see scene.h. Long runs are shortened by a common factor, which
 * becomes the scene's weight; totals of time stay exact.
 */
#ifndef SCA_DETECT_WALK_H
#define SCA_DETECT_WALK_H

#include "scene.h"

/* Returns the computation that it does not reach. The scene is not numbered. */
double sca_walk_run(struct sca_room *room, const struct sca_ppg_run *run, struct sca_scene *scene);

/* Computation of an interval in own time (CPU time and what the program itself blocked for). */
double sca_interval_seconds(const struct sca_part_interval *interval);

#endif
