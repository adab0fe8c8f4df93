/*
 * A call of `scalana run` as a line of a shell script.
 */
#ifndef SCA_CLI_COMMAND_LINE_H
#define SCA_CLI_COMMAND_LINE_H

#include "plan/settings.h"

/* All that was asked for but the printing itself. `scalana` is how the command is called there,
 * `output` the result folder, NULL: as it was given. In memory of the caller's. */
char *sca_command_line(const struct sca_run_settings *settings, const char *scalana,
                       const char *output);

#endif
