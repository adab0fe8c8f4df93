/*
 * One table per command: it parses, it prints --help, and as JSON (`--help=json`) it is what manual
 * pages and shell completions are made of. Long options with `--name VALUE` or `--name=VALUE`,
 * optional one-letter forms. `--help` and `--version` come with every table.
 * No allocation; values point into argv. Not thread-safe by need: called once, from main.
 */
#ifndef SCA_OPTIONS_H
#define SCA_OPTIONS_H

#include <stddef.h>

struct sca_option {
    const char *name;     /* without dashes; NULL ends the table */
    char letter;          /* 0: none */
    const char *argument; /* its name in --help, NULL: a flag */
    const char *help;
    int (*set)(void *context, const char *value); /* SCA_OK or SCA_EINVAL with message */
    /* Words that the value may be, blanks between; one that ends in ':' goes on. NULL: any value.
     * `set` sees no other. */
    const char *choices;
    const char *detail; /* what the manual adds to help: lines of sentences; may be NULL */
};

struct sca_command {
    const char *name, *usage, *summary; /* usage: its lines as they are; summary: sentences */
    const struct sca_option *options;
    int stop_at_operand; /* 1: the first operand ends the options (wrappers of other commands) */
    const char
        *operand; /* for completions: "command", "directory", "none" or a file's suffix, ".json" */
};

enum sca_parse { SCA_PARSE_RUN = 0, SCA_PARSE_DONE = 1 }; /* DONE: help or version was printed */

/* Parses argv; operands are moved to the front of argv[1..] and *operands counts them.
 * SCA_PARSE_RUN, SCA_PARSE_DONE, or SCA_EINVAL with a message. */
int sca_options_parse(const struct sca_command *command, void *context, int argc, char **argv,
                      int *operands);
void sca_options_help(const struct sca_command *command);
/* {"name", "usage", "summary", "operand", "options": [{"name", "letter", "argument", "help",
 * "choices", "detail"}]}, all texts; to standard output. */
void sca_options_json(const struct sca_command *command);
/* A text of the tables as a JSON string; NULL is the empty one. */
void sca_options_json_text(const char *text);

/* Checked conversions for `set` functions: SCA_EINVAL names the option's value when it is wrong. */
int sca_options_parse_uint(const char *value, unsigned long least, unsigned long most,
                           unsigned long *out);
int sca_options_parse_double(const char *value, double least, double most, double *out);

#endif
