#include "report/notes.h"

enum { TOLD = 3 /* one note each; of more, how many */ };

void sca_notes_of_leavers(struct sca_analysis *c)
{
    const struct sca_report_behaviour *b = &c->report->behaviour;
    for (uint32_t i = 0; i < b->nleavers && i < TOLD; i++) {
        const struct sca_report_leaver *l = &b->leavers[i];
        sca_notes_add(c,
                      "Rank %u left its class at iteration %.0f (second %.0f): before, it computed "
                      "%.3g times as long as ranks with the same calls, and since then %.3g times.",
                      l->rank, l->iteration, l->at_s, l->before, l->after);
    }
    if (b->nleavers > TOLD)
        sca_notes_add(c, "%u more ranks left their class; --view=classes names them.",
                      b->nleavers - TOLD);
}
