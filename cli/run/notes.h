/*
 * What is kept of a run beside its profile: which program, from which source, on which machine.
 */
#ifndef SCA_CLI_NOTES_H
#define SCA_CLI_NOTES_H

#include "machine/launcher.h"
#include "plan/settings.h"
#include "sca_run_meta.h"

/* The notes that all runs of one call share; the user's come last and win. */
void sca_notes_collect(const struct sca_run_settings *settings, const struct sca_target *target,
                       const struct sca_launcher *launcher, struct sca_run_meta *meta);

#endif
