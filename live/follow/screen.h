/*
 * The terminal: the only file here that knows ncurses. Takes it over, looks again and again until
 * the user quits, and gives it back. SCA_EINVAL if this terminal cannot be used (message set).
 */
#ifndef SCA_LIVE_SCREEN_H
#define SCA_LIVE_SCREEN_H

#include "follow/session.h"

int sca_screen_follow(struct sca_session *session, double interval_s);

#endif
