/* The chain of waits: from those who wait back to who keeps them waiting. */
#include "panes.h"
#include "sca_phrase.h"
#include "lines.h"
#include "model.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 16, PLACE = 18 };

static const struct sca_report_vertex *at(const struct sca_model *model, uint32_t vertex)
{
    return &model->report->vertices[vertex];
}

static void describe(struct sca_lines *lines, const struct sca_report_vertex *v, int width)
{
    int column = sca_lines_width(lines);
    sca_model_label(lines, v, LABEL);
    sca_lines_pad(lines, column + LABEL + 1);
    sca_model_place(lines, v, PLACE);
    sca_lines_pad(lines, column + LABEL + PLACE + 2);
    sca_model_function(lines, v, width - sca_lines_width(lines));
}

static const char *because(const char *via)
{
    if (!strcmp(via, "p2p"))
        return "message from";
    if (!strcmp(via, "collective"))
        return "last to arrive";
    if (!strcmp(via, "data"))
        return "before that,";
    return !strcmp(via, "control") ? "inside it," : "because of";
}

/* Samples do not tell where in the vertex it is, but between which two calls. */
static void end_of_segment(struct sca_lines *lines, const struct sca_report_vertex *v,
                           uint32_t vertex, const char *side, int width)
{
    sca_lines_begin(lines, SCA_MARKED, vertex);
    sca_lines_add(lines, "      %-6s ", side);
    sca_lines_pad(lines, 30);
    describe(lines, v, width);
}

/* "rank 4", with its place in the topology. */
static const char *rank_of(char *buffer, const struct sca_model *model,
                           const struct sca_report_step *step)
{
    return sca_phrase_ranks(buffer, sca_model_largest(model), &step->rank, 1);
}

static int widest_rank(const struct sca_model *model, const struct sca_report_cause *c)
{
    char rank[SCA_PHRASE];
    int widest = 9;
    for (uint32_t i = 0; i < c->npath; i++) {
        int width = (int)strlen(rank_of(rank, model, &c->path[i]));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void hop(struct sca_lines *lines, const struct sca_model *model,
                const struct sca_report_cause *c, uint32_t i, int width)
{
    const struct sca_report_step *step = &c->path[i];
    bool last = step->vertex == c->vertex && i + 1 == c->npath;
    char rank[SCA_PHRASE];
    sca_lines_begin(lines, last ? SCA_MARKED : SCA_PLAIN, step->vertex);
    sca_lines_add(lines, "%2u %s ", i + 1, i ? sca_text_glyphs()->back : " ");
    sca_lines_pad(lines, 6);
    sca_lines_add(lines, "%-12s %-*s ", i ? because(step->via) : "waits:", widest_rank(model, c),
                  rank_of(rank, model, step));
    describe(lines, at(model, step->vertex), width);
    if (!last)
        return;
    sca_lines_say(lines, SCA_MARKED, "      This is the cause");
    if (!strcmp(sca_report_cause_others(model->report, c), "less"))
        sca_lines_add(lines, ": %.2f%s the time of the other ranks", c->ratio,
                      sca_text_glyphs()->times);
    else if (*sca_phrase_others(rank, model->report, c))
        sca_lines_add(lines, ": %s", rank);
    if (c->between) {
        end_of_segment(lines, at(model, c->after), c->after, "after", width);
        end_of_segment(lines, at(model, c->before), c->before, "before", width);
    }
}

static void waits(struct sca_lines *lines, const struct sca_model *model,
                  const struct sca_report_cause *c, int width)
{
    char text[16], other[16];
    uint32_t n;
    struct sca_report_symptom *places = sca_report_cause_places(model->report, c, &n);
    sca_lines_say(lines, SCA_HEADER, "Where other ranks wait for it, core-seconds:");
    for (uint32_t i = 0; i < n; i++) {
        sca_lines_begin(lines, SCA_PLAIN, places[i].vertex);
        sca_lines_add(lines, "   %9s  ", sca_label_seconds(places[i].wait_core_s, text));
        describe(lines, at(model, places[i].vertex), width);
    }
    free(places);
    if (!n)
        sca_lines_say(lines, SCA_PLAIN, "   No rank waits for it. It costs its own time.");
    if (c->indirect_core_s > 0.005 * c->cost_core_s)
        sca_lines_say(lines, SCA_PLAIN, "   %9s  directly, %s for ranks that had waited for it",
                      sca_label_seconds(c->direct_core_s, text),
                      sca_label_seconds(c->indirect_core_s, other));
}

/* What a call waits for, by class. */
static void wait_states(struct sca_lines *lines, const struct sca_report *r, uint32_t vertex)
{
    char text[16];
    bool first = true;
    for (uint32_t i = 0; i < r->nwaits; i++) {
        const struct sca_report_wait *w = &r->waits[i];
        if (w->vertex != vertex)
            continue;
        if (first)
            sca_lines_say(lines, SCA_HEADER, "Its waits, core-seconds by wait state:");
        first = false;
        sca_lines_say(lines, SCA_PLAIN, "   %9s  ", sca_label_seconds(w->wait_core_s, text));
        sca_lines_text(lines, w->wait_class, 16, SCA_CUT_END);
        sca_lines_pad(lines, 31);
        sca_lines_add(lines, "%s", sca_wait_class_meaning(w->wait_class));
    }
}

static void gain(struct sca_lines *lines, const struct sca_model *model,
                 const struct sca_report_cause *c)
{
    char seconds[16], text[SCA_PHRASE];
    if (*sca_phrase_saved_if(text, model->report, c))
        sca_lines_say(lines, SCA_PLAIN, "Fixing it saves %s of core time. This assumes that %s.",
                      sca_label_seconds(c->gain_core_s, seconds), text);
}

static void chain_of(struct sca_lines *lines, const struct sca_model *model,
                     const struct sca_report_cause *c, int width)
{
    char text[SCA_PHRASE];
    if (c->npath > 1) {
        sca_lines_say(lines, SCA_HEADER, "From a wait back to its cause (Enter follows a step):");
        for (uint32_t i = 0; i < c->npath; i++)
            hop(lines, model, c, i, width);
    } else {
        sca_lines_say(lines, SCA_PLAIN, "No chain of waits. It costs its own time.");
    }
    if (c->doubt && *c->doubt) {
        snprintf(text, sizeof text, "Not confirmed: %s.", c->doubt);
        sca_lines_wrap(lines, SCA_WARNING, text, 0, width);
    }
    waits(lines, model, c, width);
    gain(lines, model, c);
}

static bool touches(const struct sca_report_cause *c, uint32_t vertex)
{
    for (uint32_t i = 0; i < c->npath; i++)
        if (c->path[i].vertex == vertex)
            return true;
    for (uint32_t i = 0; i < c->nsymptoms; i++)
        if (c->symptoms[i].vertex == vertex)
            return true;
    return false;
}

static void causes_of(struct sca_lines *lines, const struct sca_model *model, uint32_t vertex,
                      int width)
{
    const struct sca_report *r = model->report;
    sca_lines_say(lines, SCA_HEADER, "Not a root cause. Causes whose waits pass through it:");
    size_t before = lines->count;
    for (uint32_t i = 0; i < r->ncauses; i++) {
        if (!touches(&r->causes[i], vertex))
            continue;
        sca_lines_begin(lines, SCA_PLAIN, r->causes[i].vertex);
        sca_lines_add(lines, "%4u  ", i + 1);
        sca_lines_text(lines, r->causes[i].category, 14, SCA_CUT_END);
        sca_lines_pad(lines, 21);
        describe(lines, at(model, r->causes[i].vertex), width);
    }
    if (lines->count == before)
        sca_lines_say(lines, SCA_PLAIN, "   none");
    wait_states(lines, r, vertex);
}

void sca_chain_pane(struct sca_pane *pane, const struct sca_model *model, uint32_t cause,
                    uint32_t vertex, int width)
{
    if (cause != SCA_NO_VERTEX)
        chain_of(&pane->lines, model, &model->report->causes[cause], width);
    else
        causes_of(&pane->lines, model, vertex, width);
}
