#include "report/locations.h"
#include "report/report_memory.h"
#include "topology/system.h"

#include <string.h>

/* Neighbours are often bound alike, or not at all. */
static const char *text_of(struct sca_analysis *c, const struct sca_location *before,
                           const char *cores)
{
    if (!*cores)
        return "";
    if (before && !strcmp(before->cores, cores))
        return before->cores;
    return sca_report_string(c->report, cores);
}

void sca_locations_fill(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    struct sca_system system;
    sca_system_make(c->space, c->ppg->runs[c->last].profile, &system);
    if (system.unknown == system.nranks)
        return; /* of an older runtime */
    report->nlocations = system.nranks;
    report->locations = sca_report_memory_take(c, system.nranks, sizeof *report->locations);
    for (uint32_t r = 0; r < system.nranks; r++) {
        report->locations[r] = system.locations[r];
        report->locations[r].cores =
            text_of(c, r ? &report->locations[r - 1] : NULL, system.locations[r].cores);
    }
}
