#include "report/counters.h"
#include "sca_phrase.h"

#include <stdio.h>
#include <string.h>

/* "A,B" -> "A, B" */
static void spaced(char *to, size_t space, const char *list)
{
    size_t used = 0;
    for (; *list && used + 3 < space; list++) {
        to[used++] = *list;
        if (*list == ',')
            to[used++] = ' ';
    }
    to[used] = '\0';
}

const char *sca_counters_absent(char *buffer, const struct sca_profile *p)
{
    const char *absent = sca_profile_meta(p, "metrics.absent", "");
    const char *sampling = sca_profile_meta(p, "sampling", "none");
    const char *others = strstr(sampling, "; ");
    char names[SCA_PHRASE / 2];
    buffer[0] = '\0';
    if (!*absent)
        return buffer;
    spaced(names, sizeof names, absent);
    snprintf(
        buffer, SCA_PHRASE,
        "Events not counted in %.200s, though requested: %s. Samples came from %.*s%s%.160s%s. The "
        "commands papi_avail and papi_native_avail list the events of a machine.",
        p->directory, names, others ? (int)(others - sampling) : (int)strlen(sampling), sampling,
        others ? " (" : "", others ? others + 2 : "", others ? ")" : "");
    return buffer;
}

const char *sca_counters_estimated(char *buffer, const struct sca_profile *p)
{
    char names[SCA_PHRASE / 2];
    buffer[0] = '\0';
    if (strcmp(sca_profile_meta(p, "metrics.multiplexed", "0"), "1"))
        return buffer;
    spaced(names, sizeof names, sca_profile_meta(p, "metrics", ""));
    snprintf(buffer, SCA_PHRASE,
             "%.200s requested more events than there are hardware counters. The counters were "
             "multiplexed, and the counts of %s are estimates.",
             p->directory, names);
    return buffer;
}

const char *sca_counters_timer(char *buffer, const struct sca_profile *p)
{
    const char *sampling = sca_profile_meta(p, "sampling", "");
    const char *others = strstr(sampling, "; ");
    buffer[0] = '\0';
    if (strncmp(sampling, "timer", strlen("timer")))
        return buffer;
    snprintf(buffer, SCA_PHRASE,
             "Samples in %.200s came from a timer%s%.160s%s. On shared cores a timer misses some "
             "loops, and lines inside a cause are not certain. Allow perf for complete samples: "
             "sysctl kernel.perf_event_paranoid=2.",
             p->directory, others ? " (" : "", others ? others + 2 : "", others ? ")" : "");
    return buffer;
}
