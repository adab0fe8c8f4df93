/*
 * What the user wishes of a map: --fold=x,z/y,t and --slice=t=0,z=3.
 */
#ifndef SCA_DETECT_FOLD_WISH_H
#define SCA_DETECT_FOLD_WISH_H

#include "topology/folded.h"

/* Sets `fixed` of the dimensions named. SCA_EINVAL, with the dimensions there are. */
int sca_fold_wish_slice(const char *wish, struct sca_fold *fold);
/* Sets the dimensions along rows and columns, and `wrapped`. SCA_EINVAL likewise, and where one is
 * named twice, is sliced, or is missing. */
int sca_fold_wish_axes(const char *wish, struct sca_fold *fold);

#endif
