/*
 * Signals that end the front: what it has made for itself is taken away first.
 */
#ifndef SCA_LIVE_STOP_H
#define SCA_LIVE_STOP_H

#include <stdbool.h>

/* From now on SIGINT, SIGTERM and SIGHUP only ask to stop. */
void sca_stop_mind(void);
bool sca_stop_asked(void);
/* Ends as the signal would have, if one came. */
void sca_stop_follow(void);

#endif
