/*
 * --watch: looks until the job ends, and says what changes, a line each. For job scripts.
 */
#ifndef SCA_LIVE_WATCH_H
#define SCA_LIVE_WATCH_H

#include "follow/session.h"

/* The exit status (sca_error.h): SCA_EXIT_ABOVE as soon as two looks, one after the other, find
 * that the job hangs, or a cause that costs more than fail_above percent; < 0: they are only told.
 */
int sca_watch(struct sca_session *session, double interval_s, double fail_above);

#endif
