/*
 * Scripts that do what this call of `scalana run` would do: on a cluster, or for each change of the
 * sources.
 */
#ifndef SCA_CLI_JOB_H
#define SCA_CLI_JOB_H

#include "plan/settings.h"

/* Prints it. SCA_OK, or SCA_EIO with a message. */
int sca_job_print(const struct sca_run_settings *settings);

#endif
