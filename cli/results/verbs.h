/*
 * The verbs that look at results: live, report, view, open, diff, badge, explain, mcp. A result is
 * a folder that `scalana run` made, a run directory, or a report; without one, the newest result
 * folder in the working directory.
 */
#ifndef SCA_CLI_RESULTS_VERBS_H
#define SCA_CLI_RESULTS_VERBS_H

#include "sca_options.h"

extern const struct sca_command sca_report_command, sca_view_command, sca_open_command,
    sca_diff_command, sca_badge_command, sca_explain_command, sca_mcp_command,
    sca_live_verb_command;

int sca_report_main(int argc, char **argv);
int sca_view_main(int argc, char **argv);
int sca_open_main(int argc, char **argv);
int sca_diff_main(int argc, char **argv);
int sca_badge_main(int argc, char **argv);
int sca_explain_main(int argc, char **argv);
int sca_mcp_main(int argc, char **argv);
int sca_live_main(int argc, char **argv);

#endif
