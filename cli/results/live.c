/* live: scalana-live, which has options of its own. */
#include "base/installation.h"
#include "base/process.h"
#include "results/verbs.h"
#include "sca_error.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct sca_option none[] = {{0}};

const struct sca_command sca_live_verb_command = {
    .name = "scalana live",
    .usage = "scalana live [OPTION]... [RUN | RESULT | PROGRAM]",
    .summary = "Shows what a running job does, who waits for whom, and the verdict so far, by "
               "scalana-live.",
    .options = none,
    .operand = "directory"};

int sca_live_main(int argc, char **argv)
{
    struct sca_words command = {0};
    int operands = 0;
    char *version[] = {argv[0], (char *)"--version", NULL};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--version"))
            return sca_options_parse(&sca_live_verb_command, NULL, 2, version, &operands) ==
                           SCA_PARSE_DONE
                       ? SCA_EXIT_OK
                       : SCA_EXIT_FAILED;
    char *path = sca_installation_command("scalana-live");
    if (!path) {
        fprintf(stderr, "scalana: %s\n", sca_error_message());
        return SCA_EXIT_FAILED;
    }
    sca_words_add(&command, path);
    free(path);
    for (int i = 1; i < argc; i++)
        sca_words_add(&command, argv[i]);
    int status = sca_process_become(command.list);
    sca_words_free(&command);
    return status;
}
