#include "report/run_notes.h"
#include "report/report_memory.h"
#include "sca_run_meta.h"

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
}
