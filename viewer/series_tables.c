#include "series_tables.h"

#include <math.h>
#include <stdio.h>

enum { LETTERS = 26, CONTEXTS = 3 /* of a cluster */, INDENT = 2, DEEPEST = 8 };

char sca_series_letter(uint32_t cluster)
{
    if (cluster >= 2 * LETTERS)
        return '*';
    return (char)(cluster < LETTERS ? 'A' + (int)cluster : 'a' + (int)cluster - LETTERS);
}

void sca_series_changes(struct sca_lines *lines, const struct sca_report_series_loop *loop,
                        int width)
{
    if (loop->nchanges)
        sca_lines_say(lines, SCA_HEADER, "What changes");
    for (uint32_t i = 0; i < loop->nchanges; i++) {
        const struct sca_report_series_change *c = &loop->changes[i];
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(lines, c->nranks == 0   ? "  all ranks: "
                             : c->nranks == 1 ? "  rank "
                                              : "  ranks ");
        if (c->nranks) {
            sca_model_ranks(lines, c->ranks, c->nranks, width / 3);
            sca_lines_add(lines, ": ");
        }
        sca_lines_add(lines, "%.2g%s ", c->ratio, sca_text_glyphs()->times);
        sca_lines_text(lines, c->acts, width - sca_lines_width(lines), SCA_CUT_END);
    }
}

static void put_part(struct sca_lines *lines, double part)
{
    if (isnan(part))
        sca_lines_add(lines, " %6s", "n/a");
    else
        sca_lines_add(lines, " %6.2f", part);
}

static void put_context(struct sca_lines *lines, const struct sca_model *model,
                        const struct sca_report_series_context *c, int width)
{
    const struct sca_report_vertex *v = &model->report->vertices[c->vertex];
    char seconds[16];
    sca_lines_begin(lines, SCA_DIM, c->vertex);
    sca_lines_add(lines, "      %9s %s ", sca_label_seconds(c->own_s + c->wait_s, seconds),
                  c->wait_s > c->own_s ? "waits in" : "computes in");
    sca_model_label(lines, v, 24);
    sca_lines_add(lines, " ");
    sca_model_place(lines, v, width - sca_lines_width(lines));
}

/* Of a whole iteration. */
static void put_events(struct sca_lines *lines, const struct sca_report_series_events *e, int width)
{
    char mean[24], max[24];
    sca_lines_begin(lines, SCA_DIM, SCA_NO_VERTEX);
    if (isnan(e->mean))
        sca_lines_add(lines, "      %9s", "n/a");
    else
        sca_lines_add(lines, "      %9s, max rank %s", sca_label_metric(e->mean, "", mean),
                      sca_label_metric(e->max, "", max));
    sca_lines_add(lines, ", ");
    sca_lines_text(lines, e->event, width - sca_lines_width(lines), SCA_CUT_END);
}

static void put_cluster(struct sca_lines *lines, const struct sca_report_series_cluster *c,
                        uint32_t number)
{
    char span[16], own[16], most[16];
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "  %c %8.0f %8.0f %8s %8s %8s", sca_series_letter(number), c->iterations,
                  c->first_iteration, sca_label_seconds(c->span_s, span),
                  sca_label_seconds(c->own_s, own), sca_label_seconds(c->own_max_s, most));
    put_part(lines, c->parallel);
    put_part(lines, c->load_balance);
    put_part(lines, c->serialisation);
    put_part(lines, c->transfer);
}

void sca_series_clusters(struct sca_lines *lines, const struct sca_model *model,
                         const struct sca_report_series_loop *loop, int width)
{
    sca_lines_say(lines, SCA_HEADER, "    %8s %8s %8s %8s %8s %6s %6s %6s %6s", "iterat.", "from",
                  "takes", "own", "slowest", "parall", "balanc", "serial", "transf");
    for (uint32_t i = 0; i < loop->nclusters; i++) {
        const struct sca_report_series_cluster *c = &loop->clusters[i];
        put_cluster(lines, c, i);
        for (uint32_t k = 0; k < c->ncontexts && k < CONTEXTS; k++)
            put_context(lines, model, &c->contexts[k], width);
        for (uint32_t k = 0; k < c->nevents; k++)
            put_events(lines, &c->events[k], width);
    }
}

static uint32_t depth_of(const struct sca_report_series *s, uint32_t phase)
{
    uint32_t depth = 0;
    for (; s->phases[phase].parent != UINT32_MAX && depth < DEEPEST; depth++)
        phase = s->phases[phase].parent;
    return depth;
}

void sca_series_phases(struct sca_lines *lines, const struct sca_model *model, int width)
{
    const struct sca_report_series *s = &model->report->series;
    char span[16], own[16];
    if (s->nphases)
        sca_lines_say(lines, SCA_HEADER, "    %8s %8s %8s %6s %6s %6s %6s  phase", "times", "takes",
                      "own", "parall", "balanc", "serial", "transf");
    for (uint32_t i = 0; i < s->nphases; i++) {
        const struct sca_report_series_phase *p = &s->phases[i];
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(lines, " %2u %8.0f %8s %8s", i + 1, p->count,
                      sca_label_seconds(p->span_s, span), sca_label_seconds(p->own_mean_s, own));
        put_part(lines, p->parallel);
        put_part(lines, p->load_balance);
        put_part(lines, p->serialisation);
        put_part(lines, p->transfer);
        sca_lines_add(lines, "  %*s", INDENT * (int)depth_of(s, i), "");
        sca_lines_text(lines, p->name, width - sca_lines_width(lines), SCA_CUT_END);
    }
}
