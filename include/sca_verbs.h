/*
 * A command with verbs: `scalana run ...`. One table of verbs, each with its options table, parses,
 * prints --help, and as JSON is what the manual page and the shells' completions are made of.
 * No allocation; texts are the table's. Called once, from main.
 */
#ifndef SCA_VERBS_H
#define SCA_VERBS_H

#include "sca_options.h"

struct sca_verb {
    const char *name; /* NULL ends the table */
    const char *help; /* one line of the list of verbs */
    const struct sca_command *command;
    /* The verb with all that follows it: argv[0] is its name. The exit status. */
    int (*run)(int argc, char **argv);
    /* The command whose options it takes as well, by name; NULL: none but its own. */
    const char *passes_to;
};

struct sca_program {
    const char *name, *summary;
    const struct sca_verb *verbs;
};

/* Runs the verb that argv[1] names; `help [VERB]`, --help, --help=json and --version come with
 * every table. The exit status; SCA_EXIT_USAGE with a line on standard error if there is no such
 * verb. */
int sca_verbs_main(const struct sca_program *program, int argc, char **argv);

#endif
