/*
 * The terminal: the only file that knows ncurses. Takes it over, runs the view until it quits, and
 * gives it back. SCA_EINVAL if this terminal cannot be used (message set, terminal untouched).
 */
#ifndef SCA_SCREEN_H
#define SCA_SCREEN_H

#include "view.h"

int sca_screen_run(struct sca_view *view);

#endif
