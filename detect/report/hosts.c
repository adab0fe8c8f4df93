#include "sca_phrase.h"
#include "report/hosts.h"
#include "report/report_memory.h"
#include "topology/system.h"

#include <stdio.h>
#include <string.h>

enum { MOST_HOSTS = 8 };

static void fill_host(struct sca_analysis *c, struct sca_report_host *host,
                      const struct sca_rank *rank, uint32_t nranks)
{
    host->name = sca_report_string(c->report, rank->host);
    host->address = sca_report_string(c->report, rank->address);
    host->ranks = sca_report_memory_take(c, nranks, sizeof *host->ranks);
}

void sca_hosts_fill(struct sca_analysis *c, uint32_t i)
{
    const struct sca_profile *p = c->ppg->runs[i].profile;
    struct sca_report_run *run = &c->report->runs[i];
    struct sca_system system;
    sca_system_make(c->space, p, &system);
    uint32_t *size = sca_workspace_alloc(c->space, p->nranks, sizeof *size);
    for (uint32_t r = 0; r < p->nranks; r++)
        if (system.locations[r].host != SCA_NONE)
            size[system.locations[r].host]++;
    run->nhosts = system.nhosts;
    run->hosts = sca_report_memory_take(c, run->nhosts, sizeof *run->hosts);
    for (uint32_t h = 0; h < run->nhosts; h++)
        fill_host(c, &run->hosts[h], &p->ranks[system.lowest[h]], size[h]);
    for (uint32_t r = 0; r < p->nranks; r++)
        if (system.locations[r].host != SCA_NONE) {
            struct sca_report_host *host = &run->hosts[system.locations[r].host];
            host->ranks[host->nranks++] = r;
        }
}

/* The address belongs to it where the name alone does not tell hosts apart. */
static int write_name(char *to, size_t space, const struct sca_report_host *h, bool address)
{
    address = h->address[0] && (address || !h->name[0]);
    return snprintf(to, space, "%s%s%s%s", h->name, address && h->name[0] ? " (" : "",
                    address ? h->address : "", address && h->name[0] ? ")" : "");
}

const char *sca_hosts_phrase(char *buffer, const struct sca_report_run *run)
{
    char name[320], ranks[SCA_PHRASE];
    size_t used = 0;
    buffer[0] = '\0';
    for (uint32_t i = 0; run->nhosts > 1 && i < run->nhosts && used < SCA_PHRASE; i++) {
        const struct sca_report_host *h = &run->hosts[i];
        if (!i)
            used += (size_t)snprintf(buffer, SCA_PHRASE, "%u ranks on %u hosts:", run->ranks,
                                     run->nhosts);
        if (i == MOST_HOSTS) {
            snprintf(buffer + used, SCA_PHRASE - used, "; ...");
            break;
        }
        write_name(name, sizeof name, h, true);
        used += (size_t)snprintf(buffer + used, SCA_PHRASE - used, "%s %s %s", i ? ";" : "", name,
                                 sca_phrase_numbers(ranks, h->ranks, h->nranks));
    }
    return buffer;
}

static bool has_rank(const struct sca_report_host *h, uint32_t rank)
{
    for (uint32_t i = 0; i < h->nranks; i++)
        if (h->ranks[i] == rank)
            return true;
    return false;
}

static bool is_only_name(const struct sca_report_run *run, const struct sca_report_host *h)
{
    for (uint32_t i = 0; i < run->nhosts; i++)
        if (&run->hosts[i] != h && !strcmp(run->hosts[i].name, h->name))
            return false;
    return true;
}

const char *sca_hosts_phrase_of_rank(char *buffer, const struct sca_report_run *run,
                                     const uint32_t *ranks, uint32_t n)
{
    char name[320];
    buffer[0] = '\0';
    for (uint32_t i = 0; run->nhosts > 1 && n && i < run->nhosts; i++) {
        const struct sca_report_host *h = &run->hosts[i];
        uint32_t here = 0;
        while (here < n && has_rank(h, ranks[here]))
            here++;
        if (here < n)
            continue;
        write_name(name, sizeof name, h, !is_only_name(run, h));
        snprintf(buffer, SCA_PHRASE, " (%s %s)", n == h->nranks && n > 1 ? "all of" : "on", name);
    }
    return buffer;
}
