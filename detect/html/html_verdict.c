/* The verdict in plain words. */
#include "html/html_parts.h"
#include "report/hosts.h"
#include "sca_phrase.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SENTENCES = 5 };

static void put_ranks(const struct sca_html *h, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE], host[SCA_PHRASE] = "";
    sca_phrase_ranks(text, h->run, c->ranks, c->nranks);
    text[0] = (char)toupper((unsigned char)text[0]);
    sca_html_text(h, text);
    sca_html_text(h, sca_hosts_phrase_of_rank(host, h->run, c->ranks, c->nranks));
}

/* What makes "other" mean the ranks that are not the cause's. */
static const char *others(const struct sca_html *h, const struct sca_report_cause *c)
{
    return h->nranks - c->nranks == 1 ? "" : "s";
}

/* "the others wait 41 core-seconds (28 %) for it in MPI_Allreduce at cg.c:260" */
static void put_waits(const struct sca_html *h, const struct sca_report_cause *c)
{
    char seconds[32], share[32], thing[SCA_PHRASE];
    struct sca_report_symptom *places;
    uint32_t n;
    sca_html_say(h, "; the other rank%s %s %s core-seconds (%s) for %s", others(h, c),
                 *others(h, c) ? "wait" : "waits", sca_lines_seconds(seconds, c->cost_core_s),
                 sca_html_percent(share, c->cost_share), c->nranks == 1 ? "it" : "them");
    places = sca_report_cause_places(h->r, c, &n);
    if (n)
        sca_html_say(h, " in %s", sca_html_thing(thing, &h->r->vertices[places[0].vertex]));
    if (n > 1)
        sca_html_say(h, " and %u other place%s", n - 1, n > 2 ? "s" : "");
    free(places);
}

/* Where samples do not tell the place. */
static void put_between(const struct sca_html *h, const struct sca_report_cause *c)
{
    char between[SCA_PHRASE];
    if (*sca_phrase_between(between, h->r, c))
        sca_html_say(h, ", %s", between);
}

/* "2.9x the others' time in the loop at cg.c:24", or that the others have none of it. */
static void put_place(const struct sca_html *h, const struct sca_report_cause *c)
{
    char thing[SCA_PHRASE], none[SCA_PHRASE];
    bool less = !strcmp(sca_report_cause_others(h->r, c), "less");
    const char *spend = c->nranks == 1 ? "spends" : "spend";
    sca_html_thing(thing, &h->r->vertices[c->vertex]);
    if (less)
        sca_html_say(h, " %s %.1f\xc3\x97 the other rank%s time in %s", spend, c->ratio,
                     *others(h, c) ? "s\xe2\x80\x99" : "\xe2\x80\x99s", thing);
    else
        sca_html_say(h, " %s time in %s", spend, thing);
    put_between(h, c);
    if (!less && *sca_phrase_others(none, h->r, c))
        sca_html_say(h, ": %s", none);
}

static void put_delay(const struct sca_html *h, const struct sca_report_cause *c)
{
    if (c->nranks == h->nranks && c->nranks > 1)
        sca_html_say(h, "In rotation, all %u ranks", c->nranks);
    else
        put_ranks(h, c);
    put_place(h, c);
    put_waits(h, c);
}

static void put_growth(const struct sca_html *h, const struct sca_report_cause *c)
{
    const struct sca_report_nonscalable *g = sca_html_growth(h, c->vertex);
    bool weak = !strcmp(h->r->scaling_mode, "weak");
    char thing[SCA_PHRASE], ideal[SCA_PHRASE], seconds[32], share[32];
    sca_html_thing(thing, &h->r->vertices[c->vertex]);
    thing[0] = (char)toupper((unsigned char)thing[0]);
    sca_html_say(h, "%s %s on more %s. It costs %s core-seconds (%s) more than ideal", thing,
                 weak || (g && g->slope > 0.1) || !strcmp(c->category, "communication")
                     ? "takes longer"
                     : "shrinks too little",
                 sca_report_by_threads(h->r) ? "threads" : "ranks",
                 sca_lines_seconds(seconds, c->cost_core_s),
                 sca_html_percent(share, c->cost_share));
    if (g)
        sca_html_say(h, ". Its time per rank grows as %s^%.2f (95 %%: %.2f to %.2f), ideal is %s",
                     sca_report_scale(h->r), g->slope, g->slope_ci[0], g->slope_ci[1],
                     sca_phrase_ideal(ideal, h->r, g));
}

/* "The OpenMP region at a.c:10: the busiest thread takes 1.5x the mean. It costs ..." */
static void put_threads(const struct sca_html *h, const struct sca_report_cause *c)
{
    char thing[SCA_PHRASE], how[SCA_PHRASE], seconds[32], share[32];
    sca_html_thing(thing, &h->r->vertices[c->vertex]);
    thing[0] = (char)toupper((unsigned char)thing[0]);
    sca_html_say(h, "%s: %s. It costs %s core-seconds (%s)", thing, sca_phrase_others(how, h->r, c),
                 sca_lines_seconds(seconds, c->cost_core_s),
                 sca_html_percent(share, c->cost_share));
}

static void put_gain(const struct sca_html *h, const struct sca_report_cause *c)
{
    char seconds[32], share[32], bounds[SCA_PHRASE], what_if[SCA_PHRASE];
    sca_phrase_gain_ci(bounds, c);
    sca_phrase_saved_if(what_if, h->r, c);
    sca_html_say(h, ". Fixing it saves about %s core-seconds (%s%s%s).%s%s%s",
                 sca_lines_seconds(seconds, c->gain_core_s), bounds,
                 *bounds ? " with 95 % certainty, " : "", sca_html_percent(share, c->gain_share),
                 *what_if ? " This assumes that " : "", what_if, *what_if ? "." : "");
}

void sca_html_sentence(const struct sca_html *h, const struct sca_report_cause *c)
{
    bool grows = !strcmp(c->category, "nonscalable") || !strcmp(c->category, "communication");
    (sca_phrase_is_of_threads(c) ? put_threads : grows ? put_growth : put_delay)(h, c);
    put_gain(h, c);
}

static void put_list(const struct sca_html *h)
{
    uint32_t shown = h->r->ncauses < MOST_SENTENCES ? h->r->ncauses : MOST_SENTENCES;
    fputs("<ol class=\"verdict\">\n", h->out);
    for (uint32_t i = 0; i < shown; i++) {
        fputs("<li>", h->out);
        sca_html_sentence(h, &h->r->causes[i]);
        fprintf(h->out, " <a href=\"#cause-%u\">Show cause %u</a></li>\n", i + 1, i + 1);
    }
    fputs("</ol>\n", h->out);
    if (shown < h->r->ncauses)
        fprintf(h->out, "<p>The <a href=\"#tables\">tables</a> have %u more causes.</p>\n",
                h->r->ncauses - shown);
}

static void put_healthy(const struct sca_html *h)
{
    char text[SCA_PHRASE];
    bool good = sca_phrase_no_cause(text, h->r);
    fputs(good ? "<p class=\"good\">" : "<p>", h->out);
    sca_html_text(h, text);
    fputs("</p>\n", h->out);
    if (h->r->nefficiency &&
        h->r->efficiency[0].ranks != h->r->efficiency[h->r->nefficiency - 1].ranks)
        fprintf(h->out, "<p>Computation scales with %.2f. 1 is ideal, 0.8 acceptable.</p>\n",
                h->r->efficiency[h->r->nefficiency - 1].computation);
}

/* What was found with them, marked, and what would decide it. */
static void put_unconfirmed(const struct sca_html *h)
{
    if (!h->r->nunconfirmed)
        return;
    fprintf(h->out, "<ol class=\"verdict unconfirmed\" start=\"%u\">\n", h->r->ncauses + 1);
    for (uint32_t i = 0; i < h->r->nunconfirmed; i++) {
        const struct sca_report_cause *c = &h->r->causes[h->r->ncauses + i];
        fprintf(h->out, "<li id=\"unconfirmed-%u\"><b>Not confirmed.</b> ", i + 1);
        sca_html_sentence(h, c);
        fputs(" <b>In doubt:</b> ", h->out);
        sca_html_text(h, c->doubt);
        fputs(".\n", h->out);
        sca_html_inside(h, c);
        fputs("<p><b>Called through</b> ", h->out);
        sca_html_calling_path(h, c->vertex, UINT32_MAX);
        fputs("</p></li>\n", h->out);
    }
    fputs("</ol>\n", h->out);
}

/* One line each; a long one unfolds. */
static void put_note(const struct sca_html *h, const char *note)
{
    enum { LINE = 110 };
    if (strlen(note) <= LINE) {
        fputs("<li>", h->out);
        sca_html_text(h, note);
        fputs("</li>\n", h->out);
        return;
    }
    size_t cut = LINE;
    while (cut > LINE / 2 && note[cut] != ' ')
        cut--;
    fputs("<li><details><summary>", h->out);
    sca_html_say(h, "%.*s", (int)cut, note);
    fputs(" \xe2\x80\xa6</summary><p>", h->out);
    sca_html_text(h, note);
    fputs("</p></details></li>\n", h->out);
}

void sca_html_verdict(const struct sca_html *h)
{
    fputs("<section id=\"verdict\" aria-labelledby=\"h-verdict\"><h2 id=\"h-verdict\">"
          "Verdict</h2>\n",
          h->out);
    if (h->r->ncauses)
        put_list(h);
    else
        put_healthy(h);
    put_unconfirmed(h);
    if (h->r->nnotes) {
        fputs("<ul class=\"notes\" aria-label=\"Notes\">", h->out);
        for (uint32_t i = 0; i < h->r->nnotes; i++) {
            if (sca_report_note_is_told(h->r, i))
                continue;
            put_note(h, h->r->notes[i]);
        }
        fputs("</ul>\n", h->out);
    }
    fputs("</section>\n", h->out);
}
