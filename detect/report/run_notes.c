#include "report/run_notes.h"
#include "report/report_memory.h"
#include "sca_run_meta.h"
#include "stats/median.h"

/* Of the ranks that measured it. */
static double median_step(struct sca_analysis *c, const struct sca_profile *profile)
{
    double *steps = sca_workspace_alloc(c->space, profile->nranks, sizeof *steps);
    uint32_t n = 0;
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].core_step_ps)
            steps[n++] = (double)profile->ranks[r].core_step_ps / 1000;
    return n ? sca_median(steps, n) : 0;
}

void sca_run_notes_fill(struct sca_analysis *c, uint32_t i)
{
    struct sca_report_run *run = &c->report->runs[i];
    struct sca_run_meta meta;
    sca_run_meta_read(&meta, c->ppg->runs[i].profile->directory);
    run->meta = sca_report_memory_take(c, meta.count, sizeof *run->meta);
    for (; run->nmeta < meta.count; run->nmeta++)
        run->meta[run->nmeta] =
            (struct sca_report_meta){sca_report_string(c->report, meta.notes[run->nmeta].key),
                                     sca_report_string(c->report, meta.notes[run->nmeta].value)};
    sca_run_meta_free(&meta);
    const struct sca_profile *profile = c->ppg->runs[i].profile;
    run->arguments = sca_report_string(c->report, sca_profile_meta(profile, "arguments", ""));
    run->directory = sca_report_string(c->report, sca_profile_meta(profile, "directory", ""));
    run->core_step_ns = median_step(c, profile);
}
