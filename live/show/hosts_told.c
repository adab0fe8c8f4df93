#include "show/hosts_told.h"
#include "tell/tell.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double silent_s = 5; /* without an answer */

static const char *state_of(const struct sca_host *h, uint64_t asked)
{
    return h->lost                                                             ? "ended"
           : h->answered < asked && sca_channel_clock() > h->said_s + silent_s ? "silent"
           : h->over                                                           ? "over"
                                                                               : "answers";
}

/* "ranks 0-3, 8"; cut where it is long. */
static void ranks_of(const struct sca_host *h, char text[80])
{
    size_t used = (size_t)snprintf(text, 80, h->ranks.n == 1 ? "rank" : "ranks");
    for (uint32_t i = 0; i < h->ranks.n && used < 60; i++) {
        uint32_t first = h->ranks.copy[i].rank, last = first;
        while (i + 1 < h->ranks.n && h->ranks.copy[i + 1].rank == last + 1)
            last = h->ranks.copy[++i].rank;
        used += (size_t)snprintf(text + used, 80 - used, first == last ? "%s%u" : "%s%u-%u",
                                 text[used - 1] == 'k' || text[used - 1] == 's' ? " " : ", ", first,
                                 last);
    }
    if (!h->ranks.n)
        snprintf(text, 80, "no ranks");
}

char *sca_hosts_sentence(const struct sca_gather *gather, uint32_t at)
{
    char ranks[80], since[32];
    uint32_t n;
    const struct sca_host *hosts = sca_gather_hosts(gather, &n), *h = &hosts[at];
    const char *state = state_of(h, sca_gather_asked(gather));
    bool calm = !strcmp(state, "answers") || !strcmp(state, "over");
    if (h->replaced || (calm && !*h->note))
        return NULL;
    ranks_of(h, ranks);
    sca_tell_duration(sca_channel_clock() - h->said_s, since, sizeof since);
    if (calm)
        return sca_words_format("host %s: %s", h->name, h->note);
    return sca_words_format(
        "host %s (%s) has not answered for %s%s%s: what its ranks do since is not "
        "known",
        h->name, ranks, since, *h->note ? ": " : "", h->note);
}

char *sca_hosts_trouble(const struct sca_gather *gather)
{
    uint32_t n;
    char *text = NULL;
    sca_gather_hosts(gather, &n);
    for (uint32_t i = 0; !text && i < n; i++)
        text = sca_hosts_sentence(gather, i);
    return text ? text : sca_gather_missing(gather);
}

struct sca_hosts_sum sca_hosts_sum(const struct sca_gather *gather)
{
    uint32_t n;
    const struct sca_host *hosts = sca_gather_hosts(gather, &n);
    double first = 0, ranks = 0, later = 0, looks = 0, series = 0;
    struct sca_hosts_sum sum = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = hosts[i].ranks.n + hosts[i].ended.n;
        sum.n += !hosts[i].replaced;
        sum.answer += !hosts[i].lost && hosts[i].answered == sca_gather_asked(gather);
        first += own ? (double)hosts[i].first_bytes : 0;
        ranks += own;
        later += (double)hosts[i].later_bytes;
        series += own ? (double)hosts[i].series_bytes : 0;
        looks += (double)hosts[i].later * own;
    }
    sum.first_bytes = ranks > 0 ? first / ranks : 0;
    sum.later_bytes = looks > 0 ? later / looks : 0;
    sum.series_bytes = ranks > 0 ? series / ranks : 0;
    return sum;
}

static void add_number(cJSON *row, const char *name, double value)
{
    sca_must(cJSON_AddNumberToObject(row, name, value));
}

void sca_hosts_json(const struct sca_gather *gather, cJSON *object)
{
    uint32_t n;
    const struct sca_host *hosts = sca_gather_hosts(gather, &n);
    cJSON *list = sca_must(cJSON_AddArrayToObject(object, "hosts"));
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_host *h = &hosts[i];
        if (h->replaced)
            continue;
        cJSON *row = sca_must(cJSON_CreateObject());
        cJSON_AddItemToArray(list, row);
        sca_must(cJSON_AddStringToObject(row, "host", h->name));
        sca_must(cJSON_AddStringToObject(row, "address", h->address));
        sca_must(cJSON_AddStringToObject(row, "state", state_of(h, sca_gather_asked(gather))));
        sca_must(cJSON_AddStringToObject(row, "note", h->note));
        add_number(row, "above", h->parent);
        add_number(row, "first_bytes", (double)h->first_bytes);
        add_number(row, "later_bytes", (double)h->later_bytes);
        add_number(row, "later_looks", h->later);
        cJSON *ranks = sca_must(cJSON_AddArrayToObject(row, "ranks"));
        for (uint32_t k = 0; k < h->ranks.n; k++)
            cJSON_AddItemToArray(ranks, sca_must(cJSON_CreateNumber(h->ranks.copy[k].rank)));
    }
    char *missing = sca_gather_missing(gather);
    sca_must(cJSON_AddStringToObject(object, "missing", missing ? missing : ""));
    free(missing);
    sca_must(cJSON_AddStringToObject(object, "refused", sca_gather_refused(gather)));
}
