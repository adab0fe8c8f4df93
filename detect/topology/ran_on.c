#include "topology/ran_on.h"

#include <stdlib.h>
#include <string.h>

static const double second = 1e-9, thousand = 1000, hundred = 100;

static const char *text_of(const char *text)
{
    return text ? text : "";
}

struct sca_ran_on sca_ran_on_first(const struct sca_rank *rank, const char **next)
{
    const char *cores = text_of(rank->core_use);
    *next = text_of(rank->core_threads);
    return (struct sca_ran_on){0, (double)rank->core_waited_ns * second, cores, strlen(cores)};
}

bool sca_ran_on_next(const char **next, struct sca_ran_on *out)
{
    char *end;
    unsigned long thread = strtoul(*next, &end, 10);
    if (end == *next || *end != ' ' || !thread || thread > UINT32_MAX)
        return false;
    const char *number = end + 1;
    unsigned long long ms = strtoull(number, &end, 10);
    if (end == number || *end != ' ')
        return false;
    const char *cores = end + 1;
    size_t length = strcspn(cores, ";");
    *out = (struct sca_ran_on){(uint32_t)thread, (double)ms / thousand, cores, length};
    *next = cores + length + (cores[length] == ';');
    return true;
}

struct sca_ran_on sca_ran_on_of(const struct sca_rank *rank, uint32_t thread)
{
    const char *next;
    struct sca_ran_on of = sca_ran_on_first(rank, &next);
    while (of.thread != thread)
        if (!sca_ran_on_next(&next, &of))
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
