/*
 * Runs of a program that was built again: a run directory keeps its name, the next one on as many
 * ranks gets .2, .3 and so on behind it, which is easily overlooked.
 */
#ifndef SCA_DETECT_LATER_BUILD_H
#define SCA_DETECT_LATER_BUILD_H

#include "sca_profile.h"

enum { SCA_LATER_BUILD = 1024 };

/* "DIR.2 is a run of a later build: ...", with the command that compares both; "" where the newest
 * of the directories of that name is this one, or is of the same build. */
const char *sca_later_build(const struct sca_profile *profile, char text[SCA_LATER_BUILD]);

#endif
