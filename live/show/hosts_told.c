#include "show/hosts_told.h"
#include "show/tell.h"
#include "sca_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double silent_s = 5; /* without an answer */

static const char *state_of(const struct sca_host *h, uint64_t newest)
{
    return h->lost                                                              ? "ended"
           : h->answered < newest && sca_channel_clock() > h->said_s + silent_s ? "silent"
           : h->over                                                            ? "over"
                                                                                : "answers";
}

static uint64_t newest(const struct sca_host *hosts, uint32_t n)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = hosts[i].answered > most ? hosts[i].answered : most;
    return most;
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

/* NULL where there is nothing to say. */
static char *sentence(const struct sca_host *h, uint64_t newest_look)
{
    char ranks[80], since[32];
    const char *state = state_of(h, newest_look);
    bool calm = !strcmp(state, "answers") || !strcmp(state, "over");
    if (h->replaced || (calm && !*h->note))
        return NULL;
    ranks_of(h, ranks);
    sca_tell_duration(sca_channel_clock() - h->said_s, since, sizeof since);
    if (calm)
        return sca_words_format("host %s: %s", h->name, h->note);
    return sca_words_format(
        "host %s (%s) has not answered for %s%s%s: nothing is known of its ranks "
        "since then",
        h->name, ranks, since, *h->note ? ": " : "", h->note);
}

char *sca_hosts_trouble(const struct sca_gather *gather)
{
    uint32_t n;
    const struct sca_host *hosts = sca_gather_hosts(gather, &n);
    char *text = NULL;
    for (uint32_t i = 0; !text && i < n; i++)
        text = sentence(&hosts[i], newest(hosts, n));
    return text;
}

/* Bytes for each rank: at first, and at each look after it. */
static void bytes_of(const struct sca_host *hosts, uint32_t n, double *first, double *later)
{
    double first_bytes = 0, ranks = 0, later_bytes = 0, looks = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t own = hosts[i].ranks.n + hosts[i].ended.n;
        first_bytes += own ? (double)hosts[i].first_bytes : 0;
        ranks += own;
        later_bytes += (double)hosts[i].later_bytes;
        looks += (double)hosts[i].later * own;
    }
    *first = ranks > 0 ? first_bytes / ranks : 0;
    *later = looks > 0 ? later_bytes / looks : 0;
}

void sca_hosts_page(const struct sca_gather *gather, struct sca_page *page)
{
    uint32_t n, answer = 0, all = 0;
    const struct sca_host *hosts = sca_gather_hosts(gather, &n);
    uint64_t look = newest(hosts, n);
    double first, later;
    for (uint32_t i = 0; i < n; i++) {
        all += !hosts[i].replaced;
        answer += !hosts[i].lost && hosts[i].answered == look;
    }
    bytes_of(hosts, n, &first, &later);
    sca_page_say(
        page, SCA_PAGE_PLAIN,
        "hosts: %u of %u answer; they sent %.0f bytes per rank at first, then %.0f per rank "
        "and look",
        answer, all, first, later);
    for (uint32_t i = 0; i < n; i++) {
        char *text = sentence(&hosts[i], look);
        if (text)
            sca_page_say(page, hosts[i].lost ? SCA_PAGE_ALARM : SCA_PAGE_NOTE, "%s", text);
        free(text);
    }
    if (*sca_gather_refused(gather))
        sca_page_say(page, SCA_PAGE_NOTE, "%s", sca_gather_refused(gather));
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
        sca_must(cJSON_AddStringToObject(row, "state", state_of(h, newest(hosts, n))));
        sca_must(cJSON_AddStringToObject(row, "note", h->note));
        add_number(row, "above", h->parent);
        add_number(row, "first_bytes", (double)h->first_bytes);
        add_number(row, "later_bytes", (double)h->later_bytes);
        add_number(row, "later_looks", h->later);
        cJSON *ranks = sca_must(cJSON_AddArrayToObject(row, "ranks"));
        for (uint32_t k = 0; k < h->ranks.n; k++)
            cJSON_AddItemToArray(ranks, sca_must(cJSON_CreateNumber(h->ranks.copy[k].rank)));
    }
    sca_must(cJSON_AddStringToObject(object, "refused", sca_gather_refused(gather)));
}
