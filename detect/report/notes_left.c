#include "report/notes.h"

enum { MOST_TOLD = 3 /* one note each; of more, how many */ };

void sca_notes_of_leavers(struct sca_analysis *c)
{
    const struct sca_report_behaviour *b = &c->report->behaviour;
    for (uint32_t i = 0; i < b->nleavers && i < MOST_TOLD; i++) {
        const struct sca_report_leaver *l = &b->leavers[i];
        sca_notes_add(
            c,
            "Rank %u left its class at iteration %.0f (second %.0f). Ranks with the same "
            "calls are its measure: it computed %.3g times as long before, and %.3g times "
            "since then.",
            l->rank, l->iteration, l->at_s, l->before, l->after);
    }
    if (b->nleavers > MOST_TOLD)
        sca_notes_add(c, "%u more ranks left their class; --view=classes names them.",
                      b->nleavers - MOST_TOLD);
}
