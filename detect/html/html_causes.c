/* Each cause at length: price, calling path, chain of waits, ranks, source. */
#include "html/html_explorer.h"
#include "html/html_parts.h"
#include "sca_calling_path.h"
#include "sca_function_name.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 40, MOST_SYMPTOMS = 6 };

void sca_html_calling_path(const struct sca_html *h, uint32_t vertex, uint32_t most)
{
    struct sca_calling_frame frames[SCA_MOST_FRAMES];
    char text[SCA_PHRASE];
    bool whole;
    uint32_t n = sca_calling_path_frames(h->r, vertex, most, frames, &whole);
    if (n && !whole)
        sca_html_text(h, "\xe2\x80\xa6 \xe2\x80\xba ");
    for (bool first = true; n-- > 0; first = false) {
        const struct sca_report_vertex *f = &h->r->vertices[frames[n].vertex];
        bool root = f->parent == frames[n].vertex && f->function[0];
        bool region = !root && sca_function_name_is_region(f->name);
        sca_html_say(h, "%s%s", first ? "" : " \xe2\x80\xba ",
                     root     ? f->function
                     : region ? "OpenMP region"
                              : f->name);
        if (frames[n].site != UINT32_MAX)
            sca_html_say(h, " (%s)", sca_html_place(text, &h->r->vertices[frames[n].site]));
    }
}

static const char *how(const struct sca_report_cause *c, uint32_t i)
{
    const char *via = c->path[i].via;
    if (i == 0)
        return "the symptom";
    if (!strcmp(via, "p2p"))
        return "waits for a message from";
    if (!strcmp(via, "collective"))
        return "waits for the last to arrive";
    if (i + 1 == c->npath)
        return "late because of";
    return strcmp(via, "data") ? "inside" : "late from";
}

static void put_chain(const struct sca_html *h, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE];
    if (c->npath < 2)
        return;
    sca_html_table(h, sca_phrase_chain(h->r, c), "#Step|How|#Rank|What|Where", false);
    for (uint32_t i = 0; i < c->npath && i < MOST_STEPS; i++) {
        const struct sca_report_vertex *v = &h->r->vertices[c->path[i].vertex];
        fprintf(h->out, "<tr><td class=\"n\">%u</td>", i + 1);
        sca_html_cell(h, how(c, i));
        sca_html_rank(h, c->path[i].rank);
        sca_html_cell(h, sca_html_what(text, v));
        sca_html_cell(h, sca_html_place(text, v));
        fputs("</tr>\n", h->out);
    }
    sca_html_table_end(h);
    if (c->npath > MOST_STEPS)
        fprintf(h->out, "<p>%u more step%s.</p>\n", c->npath - MOST_STEPS,
                c->npath - MOST_STEPS == 1 ? "" : "s");
}

static void put_symptoms(const struct sca_html *h, const struct sca_report_cause *c)
{
    char text[32], other[32], thing[SCA_PHRASE];
    uint32_t n;
    struct sca_report_symptom *places = sca_report_cause_places(h->r, c, &n);
    if (!n) {
        free(places);
        return;
    }
    fputs("<p><b>Where other ranks wait for it</b></p><ul>", h->out);
    for (uint32_t i = 0; i < n && i < MOST_SYMPTOMS; i++) {
        const struct sca_report_symptom *s = &places[i];
        sca_lines_seconds(text, s->wait_core_s);
        fprintf(h->out, "<li>%s core-seconds in ", text);
        sca_html_text(h, sca_html_thing(thing, &h->r->vertices[s->vertex]));
        fputs("</li>\n", h->out);
    }
    if (n > MOST_SYMPTOMS)
        fprintf(h->out, "<li>%u more place%s</li>", n - MOST_SYMPTOMS,
                n - MOST_SYMPTOMS == 1 ? "" : "s");
    fputs("</ul>\n", h->out);
    free(places);
    if (c->indirect_core_s > 0.005 * c->cost_core_s)
        fprintf(h->out,
                "<p>Direct waits: %s core-seconds. Waits for ranks that had waited: %s.</p>\n",
                sca_lines_seconds(text, c->direct_core_s),
                sca_lines_seconds(other, c->indirect_core_s));
}

static void put_parts(const struct sca_html *h, const struct sca_report_cause *c)
{
    char thing[SCA_PHRASE];
    fputs("<p><b>Consists of</b> ", h->out);
    for (uint32_t i = 0; i < c->nparts; i++)
        sca_html_say(h, "%s%.0f %% %s", i ? ", " : "", 100 * c->parts[i].share,
                     sca_html_thing(thing, &h->r->vertices[c->parts[i].vertex]));
    fputs("</p>\n", h->out);
}

void sca_html_inside(const struct sca_html *h, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE];
    if (c->nparts)
        put_parts(h, c);
    if (*sca_phrase_inner(text, c)) {
        fputs("<p><b>Mostly in</b> ", h->out);
        sca_html_say(h, "%s, %.0f %% of it", text, 100 * c->inner_share);
        fputs("</p>\n", h->out);
    }
    if (c->acts && *c->acts) {
        fputs("<p><b>Acts</b> ", h->out);
        sca_html_text(h, c->acts);
        fputs("</p>\n", h->out);
    }
    if (*sca_phrase_counter(text, c)) {
        fputs("<p><b>Counted</b> ", h->out);
        sca_html_text(h, text);
        fputs("</p>\n", h->out);
    }
}

static void put_card(const struct sca_html *h, uint32_t i)
{
    const struct sca_report_cause *c = &h->r->causes[i];
    char thing[SCA_PHRASE], between[SCA_PHRASE];
    sca_phrase_between(between, h->r, c);
    fprintf(h->out,
            "<article class=\"cause\" id=\"cause-%u\" aria-labelledby=\"h-cause-%u\">"
            "<h3 id=\"h-cause-%u\">%u. ",
            i + 1, i + 1, i + 1, i + 1);
    sca_html_say(h, "%s: %s%s%s", c->category, sca_html_thing(thing, &h->r->vertices[c->vertex]),
                 *between ? ", " : "", between);
    fputs("</h3>\n<p>", h->out);
    sca_html_sentence(h, c);
    fputs("</p>\n", h->out);
    sca_html_snippet(h, &h->r->vertices[c->vertex]);
    sca_html_inside(h, c);
    fputs("<p><b>Called through</b> ", h->out);
    sca_html_calling_path(h, c->vertex, UINT32_MAX);
    fputs("</p>\n", h->out);
    put_symptoms(h, c);
    put_chain(h, c);
    sca_html_bars(h, c, i + 1);
    fputs("<p>", h->out);
    sca_html_explorer_link(h, c);
    fputs("Show it in the explorer</a></p>\n</article>\n", h->out);
}

void sca_html_causes(const struct sca_html *h)
{
    uint32_t n = h->r->ncauses < SCA_HTML_CARDS ? h->r->ncauses : SCA_HTML_CARDS;
    if (!n)
        return;
    fputs("<section id=\"causes\" aria-labelledby=\"h-causes\"><h2 id=\"h-causes\">Causes</h2>\n",
          h->out);
    for (uint32_t i = 0; i < n; i++)
        put_card(h, i);
    if (n < h->r->ncauses)
        fprintf(h->out, "<p>The <a href=\"#t-causes\">table</a> has the other %u.</p>\n",
                h->r->ncauses - n);
    fputs("</section>\n", h->out);
}
