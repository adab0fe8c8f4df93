/*
 * A topology of any number of dimensions as a map of rows and columns: some dimensions are folded
 * into the rows and some into the columns, one inside the other, and of the others one slice is
 * shown. No two ranks of a topology share a place, so each place of the map has one rank at most.
 */
#ifndef SCA_DETECT_FOLD_H
#define SCA_DETECT_FOLD_H

#include "base/workspace.h"
#include "topology/folded.h"

/* fold: "x,z/y,t", dimensions of the rows and of the columns by name or number, NULL: as near to a
 * square as it goes, dimensions of one place left out. slice: "t=0,z=3", NULL: none. What is folded
 * must be all that is not sliced. In the workspace. SCA_EINVAL: a wish that does not fit, or a map
 * of more than 2^24 places; the message says what there is. */
int sca_fold_make(struct sca_workspace *space, const struct sca_topology *topology,
                  const char *fold, const char *slice, struct sca_fold *out);

#endif
