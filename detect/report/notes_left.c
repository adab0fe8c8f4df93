#include "report/notes.h"

#include <stdio.h>

enum { MOST_TOLD = 3 /* one note each; of more, how many */ };

const char *sca_notes_leaver(char buffer[SCA_PHRASE], const struct sca_report_leaver *l)
{
    snprintf(buffer, SCA_PHRASE,
             "Rank %u left its class at iteration %.0f (second %.1f). Ranks with the same "
             "calls are its measure: it computed %.3g times as long before, and %.3g times "
             "since then.",
             l->rank, l->iteration, l->at_s, l->before, l->after);
    return buffer;
}

void sca_notes_of_leavers(struct sca_analysis *c)
{
    const struct sca_report_behaviour *b = &c->report->behaviour;
    char text[SCA_PHRASE];
    for (uint32_t i = 0; i < b->nleavers && i < MOST_TOLD; i++)
        sca_notes_add(c, "%s", sca_notes_leaver(text, &b->leavers[i]));
    if (b->nleavers > MOST_TOLD)
        sca_notes_add(c, "%u more ranks left their class; --view=classes names them.",
                      b->nleavers - MOST_TOLD);
}
