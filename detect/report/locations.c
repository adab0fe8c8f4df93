#include "report/locations.h"
#include "metrics/threads.h"
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

static void fill_threads(struct sca_analysis *c, const struct sca_profile *p)
{
    struct sca_report *report = c->report;
    struct sca_opened *opened = sca_workspace_opened(c->space, p);
    struct sca_threads threads;
    sca_threads_find(c->space, p, &threads);
    if (threads.n < 2)
        return;
    report->nthreads = threads.n;
    report->thread_s =
        sca_report_memory_take(c, (size_t)p->nranks * threads.n, sizeof *report->thread_s);
    for (uint32_t r = 0; r < p->nranks; r++) {
        const struct sca_rank *rank = sca_rank_open(opened, r, SCA_OPEN_SAMPLES);
        double *row = &report->thread_s[(size_t)r * threads.n];
        for (uint32_t i = 0; rank->present && i < rank->nsamples; i++)
            if (sca_part_is_sample(&rank->sample[i]))
                row[sca_threads_row(&threads, rank->sample[i].thread)] +=
                    (double)rank->sample[i].count * (double)rank->sample_period_ns * 1e-9;
    }
}

void sca_locations_fill(struct sca_analysis *c)
{
    struct sca_report *report = c->report;
    struct sca_system system;
    sca_system_make(c->space, c->ppg->runs[c->last].profile, &system);
    fill_threads(c, c->ppg->runs[c->last].profile);
    if (system.unknown == system.nranks && !report->nthreads)
        return; /* of an older runtime */
    report->nlocations = system.nranks;
    report->locations = sca_report_memory_take(c, system.nranks, sizeof *report->locations);
    for (uint32_t r = 0; r < system.nranks; r++) {
        report->locations[r] = system.locations[r];
        report->locations[r].cores =
            text_of(c, r ? &report->locations[r - 1] : NULL, system.locations[r].cores);
    }
}
