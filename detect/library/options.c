#include "scalana/options.h"
#include "library/arguments.h"
#include "library/handles.h"
#include "library/option_values.h"
#include "library/plain_numbers.h"
#include "sca_error.h"
#include "sca_progress.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int set_progress(struct scalana_options *options, const char *value)
{
    uint32_t n;
    int status = sca_option_values_number(value, 1, &n);
    if (status == SCA_OK)
        options->progress = n;
    return status;
}

static int set_symfs(struct scalana_options *options, const char *value)
{
    struct stat info;
    if (*value && (stat(value, &info) || !S_ISDIR(info.st_mode)))
        return sca_fail(SCA_EINVAL, "symfs: '%s' is no folder", value);
    char *copy = *value ? strdup(value) : NULL;
    if (*value && !copy)
        return sca_fail(SCA_ENOMEM, "out of memory");
    free(options->symfs);
    options->settings.symfs = options->symfs = copy;
    return SCA_OK;
}

static int set_since(struct scalana_options *options, const char *value)
{
    struct stat info;
    if (*value && stat(value, &info))
        return sca_fail(SCA_EINVAL, "since: '%s' is no snapshot", value);
    char *copy = *value ? strdup(value) : NULL;
    if (*value && !copy)
        return sca_fail(SCA_ENOMEM, "out of memory");
    free(options->since);
    options->settings.since = options->since = copy;
    return SCA_OK;
}

static const struct option { /* its name, and what reads its value into the settings */
    const char *name;
    int (*set)(void *context, const char *value);
} list[] = {
    {"abnorm-thd", sca_option_values_abnorm_thd},
    {"min-share", sca_option_values_min_share},
    {"max-loop-depth", sca_option_values_max_loop_depth},
    {"merge", sca_option_values_merge},
    {"scaling", sca_option_values_scaling},
    {"work", sca_option_values_work},
    {"cache", sca_option_values_cache},
    {"symfs", NULL},    /* its text is to be kept */
    {"since", NULL},    /* likewise */
    {"progress", NULL}, /* not of the settings */
};

enum { OPTIONS = sizeof list / sizeof *list };

scalana_options *scalana_options_new(void)
{
    struct scalana_options *options = calloc(1, sizeof *options);
    if (!options)
        sca_fail(SCA_ENOMEM, "out of memory");
    else
        options->settings = sca_option_values_defaults();
    return options;
}

void scalana_options_free(scalana_options *options)
{
    if (options)
        free(options->symfs);
    if (options)
        free(options->since);
    free(options);
}

static const struct option *find(const char *name)
{
    for (uint32_t i = 0; i < OPTIONS; i++)
        if (!strcmp(list[i].name, name))
            return &list[i];
    return NULL;
}

/* A value that is wrong changes nothing. */
static int apply(struct scalana_options *options, const struct option *option, const char *value)
{
    struct scalana_options changed = *options;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    int status;
    if (option->set)
        status = option->set(&changed.settings, value);
    else if (!strcmp(option->name, "symfs"))
        status = set_symfs(&changed, value);
    else if (!strcmp(option->name, "since"))
        status = set_since(&changed, value);
    else
        status = set_progress(&changed, value);
    sca_plain_numbers_end(&numbers);
    if (status == SCA_OK)
        *options = changed;
    return status;
}

int scalana_options_set(scalana_options *options, const char *name, const char *value)
{
    char reason[256];
    int status = sca_arguments_there(options, "options");
    if (status == SCA_OK)
        status = sca_arguments_there(name, "name");
    if (status == SCA_OK)
        status = sca_arguments_there(value, "value");
    if (status != SCA_OK)
        return status;
    const struct option *option = find(name);
    if (!option)
        return sca_fail(SCA_EINVAL, "%s: no such option", name);
    status = apply(options, option, value);
    if (status == SCA_OK)
        return status;
    snprintf(reason, sizeof reason, "%s", sca_error_message());
    return sca_fail(status, "%s: %s", name, reason);
}

const char *scalana_options_name(uint32_t index)
{
    return index < OPTIONS ? list[index].name : NULL;
}

struct sca_settings *sca_library_settings(scalana_options *options)
{
    return &options->settings;
}

void sca_library_join(scalana_options *options, struct sca_team *team)
{
    options->team = team;
}

void sca_library_speak(const scalana_options *options)
{
    sca_progress_silence(!options || !options->progress);
}

void sca_library_fall_silent(const scalana_options *options)
{
    if (options && options->progress)
        sca_progress_end();
}
