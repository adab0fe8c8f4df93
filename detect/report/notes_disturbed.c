#include "base/degrees.h"
#include "report/notes.h"
#include "sca_phrase.h"

/* The structure around the calls that most of it lies between; SCA_NONE: none is known. */
static uint32_t find_place(const struct sca_analysis *c)
{
    const struct sca_ppg_run *run = &c->ppg->runs[c->last];
    const struct sca_intervals *intervals = &run->intervals;
    if (c->scattered == SCA_NONE || intervals->next[c->scattered] == SCA_NONE)
        return SCA_NONE;
    uint32_t from = run->site_vertex[sca_intervals_site(intervals, c->scattered)],
             to = run->site_vertex[intervals->next[c->scattered]];
    return to == SCA_NONE ? SCA_NONE : sca_ppg_vertex_between(c->ppg, from, to);
}

void sca_notes_of_disturbance(struct sca_analysis *c)
{
    const struct sca_report_account *a = &c->report->runs[c->last].account;
    uint32_t place = SCA_NONE;
    char text[SCA_PHRASE];
    if (a->disturbed_core_s >= SCA_TRIFLE * a->base_core_s)
        place = find_place(c);
    if (place != SCA_NONE)
        sca_notes_add(c,
                      "%.3g core-s (%.0f %%) of waiting are attributed to shared cores. Any rank "
                      "occasionally takes longer in %s, all about as often. A run with one core "
                      "per rank shows whether the program causes it. So does, often, a run that "
                      "records every iteration: SCALANA_RECORD=full.",
                      a->disturbed_core_s, 100 * a->disturbed_core_s / a->base_core_s,
                      sca_phrase_vertex(text, &c->report->vertices[place]));
}
