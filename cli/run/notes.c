#include "run/notes.h"
#include "base/process.h"
#include "sca_error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void put(struct sca_run_meta *meta, const char *key, const char *value)
{
    if (sca_run_meta_put(meta, key, value) != SCA_OK)
        sca_must(NULL);
}

static char *joined(char *const *words)
{
    char *all = sca_words_format("%s", "");
    for (; *words; words++) {
        char *word = sca_process_quote(*words);
        char *longer = sca_words_format("%s%s%s", all, *all ? " " : "", word);
        free(word);
        free(all);
        all = longer;
    }
    return all;
}

static void put_words(struct sca_run_meta *meta, const char *key, char *const *words)
{
    char *text = joined(words);
    put(meta, key, text);
    free(text);
}

/* The revision of the working directory, "-dirty" behind it if files differ; where there is no
 * repository, what a CI service says. */
static void put_revision(struct sca_run_meta *meta)
{
    static const char *const services[] = {"GITHUB_SHA", "CI_COMMIT_SHA"};
    char *command[] = {"git",         "describe",    "--always", "--dirty",
                       "--abbrev=12", "--exclude=*", NULL};
    int status;
    char *text = sca_process_output(command, 0, &status);
    const char *revision = status ? NULL : text;
    text[strcspn(text, "\n")] = '\0';
    for (size_t i = 0; !revision && i < sizeof services / sizeof *services; i++)
        revision = getenv(services[i]);
    if (revision && *revision)
        put(meta, "git", revision);
    free(text);
}

static void put_date(struct sca_run_meta *meta)
{
    char text[64];
    time_t now = time(NULL);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    put(meta, "date", text);
}

void sca_notes_collect(const struct sca_run_settings *settings, const struct sca_target *target,
                       const struct sca_launcher *launcher, struct sca_run_meta *meta)
{
    char host[256] = "";
    put_words(meta, "command", settings->command);
    put_words(meta, "launcher", launcher->words.list);
    gethostname(host, sizeof host - 1);
    put(meta, "host", host);
    put_date(meta);
    put_revision(meta);
    if (*target->compilers)
        put(meta, "compilers", target->compilers);
    for (size_t i = 0; i < settings->meta.count; i++) {
        const char *word = settings->meta.list[i], *sign = strchr(word, '=');
        char *key = sca_words_format("%.*s", (int)(sign - word), word);
        put(meta, key, sign + 1);
        free(key);
    }
}
