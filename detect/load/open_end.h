/*
 * A run that broke off while ranks computed, as a job that hangs and is killed: what was not over
 * then has no call behind it that would book it. It is known from what each rank did last (struct
 * sca_moment) and from its samples. Where it is far longer than that computation usually was, it
 * belongs to the rank's time between these calls; the replay makes others wait for it. A rank that
 * was inside a call waited there until then.
 *
 * Those that were as long as ever are left as they are: they are a part of an iteration.
 */
#ifndef SCA_DETECT_OPEN_END_H
#define SCA_DETECT_OPEN_END_H

#include "sca_profile.h"
#include <stdbool.h>

/* Whether the run may have such: then ranks' tables and times may change. */
bool sca_open_end_may_be(const struct sca_profile *profile);

/* SCA_OK or SCA_ENOMEM. `opened` is of that profile. */
int sca_open_end_add(struct sca_profile *profile, struct sca_opened *opened);

#endif
