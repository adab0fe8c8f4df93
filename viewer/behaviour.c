/* Ranks by behaviour: classes, the ranks that left theirs, and advice in addition to the causes. */
#include "lines.h"
#include "model.h"
#include "panes.h"
#include "sca_phrase.h"

#include <stdio.h>

static void put_class(struct sca_lines *lines, const struct sca_model *model,
                      const struct sca_report_class *k, int width)
{
    static const struct sca_report_run none;
    const struct sca_report_run *run = sca_model_largest(model);
    char text[SCA_PHRASE];
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "%-9s %6u %6u ", *k->role ? k->role : "-", k->nranks, k->most_peers);
    sca_lines_add(lines, "%9.3g %9.3g  ", k->own_mean_s, k->mpi_mean_s);
    sca_phrase_ranks(text, run ? run : &none, k->ranks, k->nranks);
    sca_lines_text(lines, text, width - sca_lines_width(lines) - 1, SCA_CUT_END);
}

static void put_leavers(struct sca_lines *lines, const struct sca_report_behaviour *b, int width)
{
    char text[SCA_PHRASE];
    for (uint32_t i = 0; i < b->nleavers; i++) {
        const struct sca_report_leaver *l = &b->leavers[i];
        snprintf(
            text, sizeof text,
            "Rank %u left its class: from iteration %.0f on (second %.1f) it computes %.2fx as "
            "long as most ranks with its graph, before %.2fx.",
            l->rank, l->iteration, l->at_s, l->after, l->before);
        sca_lines_wrap(lines, SCA_WARNING, text, 0, width);
    }
}

static void put_advice(struct sca_lines *lines, const struct sca_report *r, int width)
{
    char text[2 * SCA_PHRASE];
    if (r->nadvice)
        sca_lines_say(lines, SCA_HEADER, "Advice, in addition to the causes");
    for (uint32_t i = 0; i < r->nadvice; i++) {
        const struct sca_report_advice *a = &r->advice[i];
        snprintf(text, sizeof text, "%s Up to %.1f %%, by %s.", a->text, 100 * a->gain_share,
                 a->estimate);
        sca_lines_wrap(lines, SCA_PLAIN, text, 2, width);
    }
}

void sca_behaviour_pane(struct sca_pane *pane, const struct sca_model *model, int width)
{
    const struct sca_report_behaviour *b = &model->report->behaviour;
    if (!b->nclasses) {
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "The report has no classes of ranks: an older release wrote it.");
        return;
    }
    sca_lines_say(&pane->lines, SCA_HEADER, "%-9s %6s %6s %9s %9s  ranks (seconds of a rank)",
                  "role", "ranks", "peers", "computes", "in MPI");
    pane->fixed = pane->lines.count;
    for (uint32_t i = 0; i < b->nclasses; i++)
        put_class(&pane->lines, model, &b->classes[i], width);
    if (b->nclasses_left_out)
        sca_lines_say(&pane->lines, SCA_DIM, "%u more classes", b->nclasses_left_out);
    put_leavers(&pane->lines, b, width);
    put_advice(&pane->lines, model->report, width);
}
