/*
 * All verbs of `scalana`, in the order in which a user needs them.
 */
#ifndef SCA_CLI_VERBS_H
#define SCA_CLI_VERBS_H

#include "sca_verbs.h"

extern const struct sca_program sca_scalana;

#endif
