/* Recorded iterations as ranks by virtual time. Script draws them, from the data beside it
 * (timeline.js).
 *
 * The data: `kinds` of spans; `places` by vertex, in words; `lines`, a window each: `name`,
 * `stands`, `shown` (seconds), `iterations` (0: not known), `begin` (second of the run; -1),
 * `ranks` of the rows, `measured` and `mended`: `end` (seconds), `balance`
 * and `serialisation` (POP's; -1: not known), and lists of numbers, times in
 * millionths of `shown`: `spans` [row, begin, length, vertex, kind, by (-1), critical], `messages`
 * [row from, row to, sent, received], `meetings` [lowest row, highest, first, last, vertex]. */
#include "html/html_explorer.h"
#include "html/html_parts.h"
#include "sca_phrase.h"
#include "sca_timelines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 2 }; /* named around a context */

static const double ticks = 1e6;

struct putting_line {
    const struct sca_html *h;
    const struct sca_report_timeline *line;
    bool *named; /* per vertex: it is in a span or meeting */
};

static long long tick(const struct putting_line *p, double seconds)
{
    return llround(ticks * seconds / fmax(p->line->shown, 1e-12));
}

static void put_spans(const struct putting_line *p, const struct sca_report_play *play)
{
    for (uint32_t i = 0; i < play->nspans; i++) {
        const struct sca_report_span *s = &play->spans[i];
        long long begin = tick(p, s->begin), length = tick(p, s->end) - begin;
        fprintf(p->h->out, "%s%u,%lld,%lld,%u,%u,%d,%d", i ? "," : "", s->row, begin, length,
                s->vertex, s->kind, s->by == UINT32_MAX ? -1 : (int)s->by, s->critical);
        p->named[s->vertex] = true;
    }
}

static void put_messages(const struct putting_line *p, const struct sca_report_play *play)
{
    for (uint32_t i = 0; i < play->nmessages; i++) {
        const struct sca_report_message *m = &play->messages[i];
        fprintf(p->h->out, "%s%u,%u,%lld,%lld", i ? "," : "", m->from, m->to, tick(p, m->sent),
                tick(p, m->received));
    }
}

static void put_meetings(const struct putting_line *p, const struct sca_report_play *play)
{
    for (uint32_t i = 0; i < play->nmeetings; i++) {
        const struct sca_report_meeting *m = &play->meetings[i];
        fprintf(p->h->out, "%s%u,%u,%lld,%lld,%u", i ? "," : "", m->low, m->high, tick(p, m->first),
                tick(p, m->last), m->vertex);
        p->named[m->vertex] = true;
    }
}

static void put_play(const struct putting_line *p, const char *name,
                     const struct sca_report_play *play)
{
    bool known = !isnan(play->load_balance);
    fprintf(p->h->out,
            ",\n\"%s\":{\"end\":%.9g,\"balance\":%.4g,\"serialisation\":%.4g,\"spans\":[", name,
            play->end, known ? play->load_balance : -1, known ? play->serialisation : -1);
    put_spans(p, play);
    fputs("],\"messages\":[", p->h->out);
    put_messages(p, play);
    fputs("],\"meetings\":[", p->h->out);
    put_meetings(p, play);
    fputs("]}", p->h->out);
}

static void put_line(const struct putting_line *p)
{
    const struct sca_report_timeline *l = p->line;
    fprintf(p->h->out,
            "{\"name\":\"%s\",\"stands\":%.9g,\"shown\":%.9g,\"iterations\":%u,\"begin\":%.9g,"
            "\"ranks\":",
            l->name, l->stands_for, l->shown, l->iterations, l->begin_s);
    sca_html_json_ranks(p->h, l->ranks, l->nrows);
    put_play(p, "measured", &l->measured);
    if (l->mended.end > 0)
        put_play(p, "mended", &l->mended);
    putc('}', p->h->out);
}

/* The call around a context; the root itself: there is none. */
static uint32_t call_around(const struct sca_report *r, uint32_t v)
{
    uint32_t at = r->vertices[v].parent;
    while (r->vertices[at].parent != at && strcmp(r->vertices[at].kind, "call") != 0)
        at = r->vertices[at].parent;
    return at;
}

/* Whether another one that is named reads the same. */
static bool is_ambiguous(const struct sca_html *h, const bool *named, uint32_t v, const char *text)
{
    char other[SCA_PHRASE];
    bool same = false;
    for (uint32_t u = 0; u < h->r->nvertices && !same; u++)
        same = u != v && named[u] && !strcmp(sca_html_thing(other, &h->r->vertices[u]), text);
    return same;
}

/* Contexts of one place have the lines of the calls around them. */
static void put_place(const struct sca_html *h, const bool *named, uint32_t v)
{
    char text[SCA_PHRASE];
    sca_html_thing(text, &h->r->vertices[v]);
    size_t used = strlen(text);
    bool ambiguous = is_ambiguous(h, named, v, text);
    for (uint32_t at = call_around(h->r, v), n = 0; ambiguous && n < MOST_CALLS; n++) {
        const struct sca_report_vertex *call = &h->r->vertices[at];
        if (call->parent == at || used >= sizeof text)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %u",
                                 n ? ", from line" : ", called at line", call->line);
        at = call_around(h->r, at);
    }
    sca_html_json_text(h, text);
}

static void put_places(const struct sca_html *h, const bool *named)
{
    bool first = true;
    fputs("],\n\"places\":{", h->out);
    for (uint32_t v = 0; v < h->r->nvertices; v++)
        if (named[v]) {
            fprintf(h->out, "%s\"%u\":", first ? "" : ",", v);
            put_place(h, named, v);
            first = false;
        }
    fputs("},\n\"kinds\":[", h->out);
    for (uint32_t i = 0; i < h->r->timelines->nkinds; i++)
        fprintf(h->out, "%s\"%s\"", i ? "," : "", h->r->timelines->kinds[i]);
    fputs("]}", h->out);
}

static void put_data(const struct sca_html *h)
{
    bool *named = calloc(h->r->nvertices + 1ul, 1);
    fputs("<script type=\"application/json\" id=\"timeline-data\">{\"lines\":[", h->out);
    for (uint32_t i = 0; named && i < h->r->timelines->count; i++) {
        const struct putting_line p = {h, &h->r->timelines->of[i], named};
        fputs(i ? ",\n" : "\n", h->out);
        put_line(&p);
    }
    if (named)
        put_places(h, named);
    else
        fputs("],\"places\":{},\"kinds\":[]}", h->out);
    fputs("</script>\n", h->out);
    free(named);
}

void sca_html_timeline(const struct sca_html *h)
{
    const struct sca_report_timelines *t = h->r->timelines;
    if (!t || !t->count)
        return;
    fputs(
        "<section id=\"timeline\" aria-labelledby=\"h-timeline\"><h2 "
        "id=\"h-timeline\">Timeline</h2>\n<noscript><p>The timeline needs JavaScript, which is "
        "disabled here.</p></noscript>\n<figure><figcaption>Recorded iterations, ranks by virtual "
        "time: a replay with a core for each rank. Bars are computation, narrow bars waits, "
        "vertical bars collectives, thin lines messages. The line through bars is the critical "
        "path.",
        h->out);
    if (t->of[0].nrows < h->nranks)
        sca_html_say(
            h, " Rows are %u of %u ranks. The critical path is drawn where it lies on one of them.",
            t->of[0].nrows, h->nranks);
    fputs(
        "</figcaption>\n<p id=\"timeline-help\" class=\"meaning\">Drag to pan, wheel with Ctrl to "
        "zoom. With the picture in focus: W and S zoom, A and D pan, arrows select, Home shows "
        "all.</p>\n<div id=\"timeline-panes\" hidden></div></figure>\n",
        h->out);
    put_data(h);
    fputs("</section>\n", h->out);
}
