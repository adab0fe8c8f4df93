#include "topology/ran_on.h"

#include <stdlib.h>
#include <string.h>

static const double second = 1e-9, thousand = 1000, hundred = 100;

static const char *text_of(const char *text)
{
    return text ? text : "";
}

/* A number and the space behind it. */
static bool take_number(const char **at, unsigned long long *number)
{
    char *end;
    *number = strtoull(*at, &end, 10);
    if (end == *at || *end != ' ')
        return false;
    *at = end + 1;
    return true;
}

bool sca_ran_on_next(const struct sca_rank *rank, const char **next, struct sca_ran_on *out)
{
    unsigned long long thread, ms, periods;
    if (!take_number(next, &thread) || !thread || thread > UINT32_MAX || !take_number(next, &ms) ||
        !take_number(next, &periods))
        return false;
    *out = (struct sca_ran_on){.thread = (uint32_t)thread,
                               .cpu = (double)periods * (double)rank->sample_period_ns * second,
                               .waited = (double)ms / thousand,
                               .cores = *next,
                               .length = strcspn(*next, ";")};
    *next += out->length + (out->cores[out->length] == ';');
    return true;
}

struct sca_ran_on sca_ran_on_first(const struct sca_rank *rank, const char **next)
{
    const char *cores = text_of(rank->core_use), *at = text_of(rank->core_threads);
    double cpu = (double)rank->cpu_ns * second;
    struct sca_ran_on other;
    *next = at;
    while (sca_ran_on_next(rank, &at, &other))
        cpu -= other.cpu;
    return (struct sca_ran_on){.cpu = cpu > 0 ? cpu : 0,
                               .waited = (double)rank->core_waited_ns * second,
                               .cores = cores,
                               .length = strlen(cores)};
}

struct sca_ran_on sca_ran_on_of(const struct sca_rank *rank, uint32_t thread)
{
    const char *next;
    struct sca_ran_on of = sca_ran_on_first(rank, &next);
    while (of.thread != thread)
        if (!sca_ran_on_next(rank, &next, &of))
            return (struct sca_ran_on){.thread = thread, .cores = ""};
    return of;
}

bool sca_ran_on_part(const struct sca_ran_on *of, size_t *at, uint32_t *core, double *part)
{
    char *end;
    if (*at >= of->length)
        return false;
    const char *from = of->cores + *at;
    *core = (uint32_t)strtoul(from, &end, 10);
    if (end == from || *end != ':')
        return false;
    *part = (double)strtoul(end + 1, &end, 10) / thousand;
    *at = (size_t)(end - of->cores);
    *at += of->cores[*at] == ' ';
    return true;
}

double sca_ran_on_free_cores(const struct sca_rank *rank)
{
    double cores = 0;
    for (const char *at = text_of(rank->core_free); *at; at += strspn(at, " ")) {
        char *end;
        unsigned long first = strtoul(at, &end, 10), last = first;
        if (end != at && *end == '-')
            last = strtoul(end + 1, &end, 10);
        if (end == at || *end != ':' || last < first)
            break;
        cores += (double)(last - first + 1) * (double)strtoul(end + 1, &end, 10) / hundred;
        at = end;
    }
    return cores;
}
