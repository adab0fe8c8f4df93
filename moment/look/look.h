/*
 * One look at a run: what each rank does, how far the run is, and where its time goes. It is read
 * through libscalana, and the run does not notice.
 *
 * A look owns all that it shows until sca_look_free(). One thread.
 */
#ifndef SCA_LOOK_H
#define SCA_LOOK_H

#include "look/seen.h"

/* 0, or a status of libscalana with its message. */
int sca_look_take(const char *directory, bool verdict, struct sca_look *out);
void sca_look_free(struct sca_look *look);

/* True while its ranks are there, or may be. */
bool sca_look_goes_on(const struct sca_look *look);

#endif
