/* Colours for shares of time, from blue to red, as in A. Sikora et al., 2016, figures 1 and 2. */
#ifndef SCA_DETECT_SHARE_COLOUR_H
#define SCA_DETECT_SHARE_COLOUR_H

#include <stdbool.h>

/* "#rrggbb" and NUL. Of less than nothing, of more than all and of NAN the nearest, NAN as 0. */
const char *sca_share_colour(char out[8], double share);
/* What takes less has no colour: it would only be blue. */
#define SCA_SHARE_COLOURED 0.001
/* Whether dark text is read more easily on it than light one. */
bool sca_share_colour_is_light(double share);

#endif
