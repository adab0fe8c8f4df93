/* Who sends to whom: the matrix of bytes between blocks of ranks, as signs. */
#include "lines.h"
#include "model.h"
#include "panes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIGNS = 6, NAME = 9 };

static const char signs[] = ".'+*#@";

static double most_of(const struct sca_report_communication *c)
{
    double most = 0;
    for (uint32_t i = 0; i < c->npairs; i++)
        most = fmax(most, c->pairs[i].bytes);
    return most;
}

static char sign_of(double bytes, double most)
{
    int sign = most > 0 ? (int)(SIGNS * bytes / most) : 0;
    return signs[sign < SIGNS ? sign : SIGNS - 1];
}

static void put_name(struct sca_lines *lines, const struct sca_model *model, uint32_t block)
{
    const struct sca_report_communication *c = &model->report->communication;
    const struct sca_report_run *run = sca_model_largest(model);
    uint32_t first = block * c->block_ranks, last = first + c->block_ranks - 1;
    char name[32];
    last = run && last >= run->ranks ? run->ranks - 1 : last;
    snprintf(name, sizeof name, first == last ? "%u" : "%u-%u", first, last);
    sca_lines_add(lines, "%*s ", NAME, name);
}

/* A row for each sender; pairs come by sender, then receiver. */
static void put_rows(struct sca_lines *lines, const struct sca_model *model, int width)
{
    const struct sca_report_communication *c = &model->report->communication;
    double most = most_of(c);
    uint32_t at = 0, columns = (uint32_t)(width > NAME + 2 ? width - NAME - 2 : 1);
    columns = columns < c->nblocks ? columns : c->nblocks;
    for (uint32_t from = 0; from < c->nblocks; from++) {
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
        put_name(lines, model, from);
        for (uint32_t to = 0; to < columns; to++) {
            while (at < c->npairs && (c->pairs[at].from < from ||
                                      (c->pairs[at].from == from && c->pairs[at].to < to)))
                at++;
            bool has = at < c->npairs && c->pairs[at].from == from && c->pairs[at].to == to;
            sca_lines_add(lines, "%c", has ? sign_of(c->pairs[at].bytes, most) : ' ');
        }
        sca_lines_add(lines, "|");
    }
}

static void put_sizes(struct sca_lines *lines, const struct sca_report_communication *c)
{
    char from[24], messages[24], calls[24];
    sca_lines_say(lines, SCA_HEADER, "Message sizes");
    for (uint32_t i = 0; i < c->nsizes; i++)
        sca_lines_say(lines, SCA_PLAIN, "  from %-10s %10s messages %10s collective calls",
                      sca_label_metric(c->sizes[i].from_bytes, "bytes", from),
                      sca_label_metric(c->sizes[i].messages, "", messages),
                      sca_label_metric(c->sizes[i].collectives, "", calls));
}

void sca_communication_pane(struct sca_pane *pane, const struct sca_model *model, int width)
{
    const struct sca_report_communication *c = &model->report->communication;
    char most[24], calls[24];
    if (!c->nblocks) {
        sca_lines_say(&pane->lines, SCA_WARNING,
                      "The report does not say who sends to whom: an older release wrote it.");
        return;
    }
    if (c->npairs) {
        sca_lines_say(&pane->lines, SCA_HEADER,
                      "Bytes, sender down, receiver across; %s at most: .'+*#@ by sixths",
                      sca_label_metric(most_of(c), "bytes", most));
        pane->fixed = pane->lines.count;
        put_rows(&pane->lines, model, width);
    } else {
        sca_lines_say(&pane->lines, SCA_HEADER, "No rank sent a message to another one.");
    }
    if (c->collective_calls > 0)
        sca_lines_say(&pane->lines, SCA_DIM, "Collectives are not in it: %s calls.",
                      sca_label_metric(c->collective_calls, "", calls));
    put_sizes(&pane->lines, c);
}
