#include "library/option_values.h"
#include "sca_error.h"
#include "sca_options.h"
#include "sca_part.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int sca_option_values_abnorm_thd(void *context, const char *value)
{
    return sca_options_parse_double(value, 1, 1e6, &((struct sca_settings *)context)->abnorm_thd);
}

int sca_option_values_min_share(void *context, const char *value)
{
    return sca_options_parse_double(value, 0, 1, &((struct sca_settings *)context)->min_share);
}

int sca_option_values_number(const char *value, unsigned long most, uint32_t *out)
{
    unsigned long n;
    int status = sca_options_parse_uint(value, 0, most, &n);
    if (status == SCA_OK)
        *out = (uint32_t)n;
    return status;
}

int sca_option_values_cache(void *context, const char *value)
{
    uint32_t cache;
    int status = sca_option_values_number(value, 1, &cache);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->no_cache = !cache;
    return status;
}

int sca_option_values_max_loop_depth(void *context, const char *value)
{
    return sca_option_values_number(value, 1000, &((struct sca_settings *)context)->max_loop_depth);
}

/* The place of value among names, which end with NULL. */
static int choose(const char *value, const char *const *names, int *place)
{
    for (*place = 0; names[*place]; ++*place)
        if (!strcmp(names[*place], value))
            return SCA_OK;
    return sca_fail(SCA_EINVAL, "'%s' is not one of its values", value);
}

int sca_option_values_merge(void *context, const char *value)
{
    static const char *const names[] = {[SCA_MERGE_MEDIAN] = "median",
                                        [SCA_MERGE_MEAN] = "mean",
                                        [SCA_MERGE_MAX] = "max",
                                        [SCA_MERGE_RANK] = "rank:",
                                        [SCA_MERGE_VARIANCE] = "variance",
                                        [SCA_MERGE_CLUSTER] = "cluster",
                                        NULL};
    static const char rank[] = "rank:";
    struct sca_settings *settings = context;
    bool numbered = !strncmp(value, rank, strlen(rank));
    int place, status = choose(numbered ? rank : value, names, &place);
    if (status == SCA_OK && place == SCA_MERGE_RANK)
        status = sca_option_values_number(value + strlen(rank), UINT32_MAX, &settings->merge_rank);
    if (status == SCA_OK)
        settings->merge = (enum sca_merge)place;
    return status;
}

int sca_option_values_scaling(void *context, const char *value)
{
    static const char *const names[] = {[SCA_SCALING_AUTO] = "auto",
                                        [SCA_SCALING_STRONG] = "strong",
                                        [SCA_SCALING_WEAK] = "weak",
                                        NULL};
    int place, status = choose(value, names, &place);
    if (status == SCA_OK)
        ((struct sca_settings *)context)->scaling = (enum sca_scaling)place;
    return status;
}

/* "12:" of "12:600"; 0 where there is none. */
static uint32_t take_ranks(const char **text)
{
    size_t digits = strspn(*text, "0123456789");
    unsigned long ranks = strtoul(*text, NULL, 10);
    if (!digits || (*text)[digits] != ':' || ranks > UINT32_MAX)
        return 0;
    *text += digits + 1;
    return (uint32_t)ranks;
}

static int check_ranks(const struct sca_settings *settings, uint32_t ranks)
{
    for (uint32_t i = 0; i < settings->nwork; i++) {
        if (!settings->work_ranks[i] != !ranks)
            return sca_fail(SCA_EINVAL, "give the ranks of all numbers (RANKS:WORK), or of none");
        if (ranks && settings->work_ranks[i] == ranks)
            return sca_fail(SCA_EINVAL, "%u ranks are there twice", ranks);
    }
    return SCA_OK;
}

/* One number and what ends it, a comma or the end of the list. */
static int add_work(struct sca_settings *settings, const char **list)
{
    const char *text = *list;
    char *end = NULL;
    uint32_t ranks = take_ranks(&text);
    double work = strtod(text, &end);
    if (end == text || (*end && *end != ',') || !isfinite(work) || work <= 0)
        return sca_fail(SCA_EINVAL, "'%.*s' is not a positive number", (int)strcspn(text, ","),
                        text);
    if (settings->nwork == SCA_MAX_WORK)
        return sca_fail(SCA_EINVAL, "more than %d numbers", SCA_MAX_WORK);
    if (check_ranks(settings, ranks) != SCA_OK)
        return SCA_EINVAL;
    settings->work_ranks[settings->nwork] = ranks;
    settings->work[settings->nwork++] = work;
    *list = *end ? end + 1 : NULL;
    return SCA_OK;
}

int sca_option_values_work(void *context, const char *value)
{
    struct sca_settings *settings = context;
    int status = SCA_OK;
    settings->nwork = 0;
    while (value && status == SCA_OK)
        status = add_work(settings, &value);
    return status;
}

struct sca_settings sca_option_values_defaults(void)
{
    return (struct sca_settings){.abnorm_thd = 1.3,
                                 .min_share = 0.01,
                                 .fail_above = -1,
                                 .contract = -1,
                                 .top = SCA_TOP_USUAL,
                                 .max_loop_depth = SCA_NONE};
}
