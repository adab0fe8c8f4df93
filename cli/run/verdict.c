#include "run/verdict.h"
#include "base/installation.h"
#include "base/process.h"
#include "results/result_folder.h"
#include "results/run_works.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_work(struct sca_words *command, const struct sca_words *runs)
{
    char *option = sca_run_works_option(runs->list, runs->count);
    if (option)
        sca_words_add(command, option);
    free(option);
}

static void add_file(struct sca_words *command, const char *option, const char *folder,
                     const char *name)
{
    char *word = sca_words_format("%s=%s/%s", option, folder, name);
    sca_words_add(command, word);
    free(word);
}

static void say_where(const char *folder)
{
    char *quoted = sca_process_quote(folder);
    fprintf(stderr, "scalana: report and page are in %s. Next: scalana view %s, scalana open %s\n",
            quoted, quoted, quoted);
    free(quoted);
}

int sca_verdict_find(const char *folder, const struct sca_words *runs, char *const *options)
{
    struct sca_words command = {0};
    int signal = 0;
    char *detect = sca_installation_command("scalana-detect");
    if (!detect) {
        fprintf(stderr, "scalana: %s\n", sca_error_message());
        return SCA_EXIT_FAILED;
    }
    sca_words_add(&command, detect);
    sca_words_add_all(&command, runs->list);
    add_file(&command, "--output", folder, SCA_RESULT_REPORT);
    add_file(&command, "--html", folder, SCA_RESULT_PAGE);
    sca_words_add(&command, "--timelines"); /* for scalana view */
    add_work(&command, runs);
    sca_words_add_all(&command, options);
    int status = sca_process_run(command.list, &signal);
    if (status == SCA_EXIT_OK || status == SCA_EXIT_ABOVE)
        say_where(folder);
    sca_words_free(&command);
    free(detect);
    return status;
}
