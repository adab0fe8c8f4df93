/*
 * A long scene is cut where all ranks leave a collective of the whole run together: nobody waits
 * across such a point for what came before it, so that the segments are replayed by themselves, one
 * after the other or at the same time, and their durations add up. Small ones stay whole.
 */
#ifndef SCA_DETECT_SEGMENTS_H
#define SCA_DETECT_SEGMENTS_H

#include "scene.h"

/* `whole` may be freed afterwards but for its operations, which the segments' tracks point into.
 * Fills `out` with numbered scenes, in out->room. */
void sca_segments_cut(const struct sca_profile *profile, const struct sca_scene *whole,
                      struct sca_scenes *out);

#endif
