/*
 * Which loop a view shows: one in the source, in all its calling contexts.
 */
#ifndef SCA_DETECT_LOOP_CHOICE_H
#define SCA_DETECT_LOOP_CHOICE_H

#include "views/view_input.h"

struct sca_loop_choice {
    uint32_t *contexts, n; /* rising */
};

/* By settings->loop. In the view's workspace. SCA_EINVAL: there is none, or several; the message
 * says which there are. */
int sca_loop_choose(const struct sca_view_input *in, struct sca_loop_choice *out);

#endif
