/* The first screen: three figures, the first cause with its source and ranks, and where the time of
 * each run went. */
#include "html/html_parts.h"
#include "sca_account.h"
#include "sca_phrase.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, BAR = 240, MOST_BARS = 16, ROW = 20, NAME_AT = 84 };

/* ---- three figures ---- */

static void begin_tile(const struct sca_html *h, const char *title)
{
    fprintf(h->out, "<div class=\"tile\"><h3>%s</h3><p class=\"figure\">", title);
}

static void put_efficiency(const struct sca_html *h)
{
    const struct sca_report *r = h->r;
    if (!r->nefficiency)
        return;
    const struct sca_report_efficiency *e = &r->efficiency[r->nefficiency - 1];
    begin_tile(h, "Parallel efficiency");
    fprintf(h->out,
            "%.0f %%</p><p>on %u rank%s: load balance %.0f %%, communication %.0f %%</p></div>\n",
            100 * e->parallel, e->ranks, e->ranks == 1 ? "" : "s", 100 * e->load_balance,
            100 * e->communication);
}

/* The first that is confirmed, else the first that is not; NULL: nothing was found. */
static const struct sca_report_cause *foremost(const struct sca_html *h)
{
    return h->r->ncauses + h->r->nunconfirmed ? h->r->causes : NULL;
}

static void put_saving(const struct sca_html *h)
{
    const struct sca_report_cause *c = foremost(h);
    char seconds[32], share[32], bounds[SCA_PHRASE];
    bool doubted = !h->r->ncauses;
    begin_tile(h, c && doubted ? "May be saved" : "Can be saved");
    if (!c) {
        fputs("0</p><p>no cause was found</p></div>\n", h->out);
        return;
    }
    sca_html_say(h, "%s%s", sca_html_percent(share, c->gain_share), doubted ? "?" : "");
    fputs("</p><p>", h->out);
    sca_phrase_gain_ci(bounds, c);
    sca_html_say(h, "%s core-seconds%s%s%s by mending the first cause%s",
                 sca_lines_seconds(seconds, c->gain_core_s), *bounds ? " (" : "", bounds,
                 *bounds ? ")" : "", doubted ? ", which is not confirmed" : "");
    fputs("</p></div>\n", h->out);
}

static void put_cause(const struct sca_html *h)
{
    const struct sca_report_cause *c = foremost(h);
    char text[SCA_PHRASE], function[SCA_PHRASE];
    begin_tile(h, c && !h->r->ncauses ? "Cause, not confirmed" : "Cause");
    if (!c) {
        fputs("none</p>", h->out);
    } else {
        const struct sca_report_vertex *v = &h->r->vertices[c->vertex];
        fputs(h->r->ncauses ? "<a href=\"#cause-1\">" : "<a href=\"#unconfirmed-1\">", h->out);
        sca_html_say(h, "%s", sca_html_place(text, v));
        fputs("</a></p><p>", h->out);
        sca_html_say(h, "%s%s%s, %s", sca_html_what(text, v), v->function[0] ? " in " : "",
                     sca_html_function(function, v), c->category);
        sca_html_say(h, ", %s", sca_phrase_ranks(text, h->run, c->ranks, c->nranks));
        fputs("</p>", h->out);
    }
    if (h->r->nunconfirmed > (h->r->ncauses == 0)) /* others than this one */
        fprintf(h->out, "<p><a href=\"#unconfirmed-1\">%u not confirmed</a></p>",
                h->r->nunconfirmed);
    fputs("</div>\n", h->out);
}

/* ---- the ranks of the first cause, numbered, with values ---- */

static double seconds_of(const struct sca_html *h, const struct sca_report_cause *c, uint32_t rank)
{
    if (c->nrank_s)
        return rank < c->nrank_s ? c->rank_s[rank] : 0;
    return sca_html_rank_s(&h->r->vertices[c->vertex], rank);
}

static bool is_named(const struct sca_report_cause *c, uint32_t rank)
{
    for (uint32_t i = 0; i < c->nranks; i++)
        if (c->ranks[i] == rank)
            return true;
    return false;
}

/* All where they fit; else those named first, then others from rank 0 on. By rising rank. */
static uint32_t choose(const struct sca_html *h, const struct sca_report_cause *c, uint32_t *ranks)
{
    uint32_t named = c->nranks < MOST_BARS / 2 ? c->nranks : MOST_BARS / 2, n = 0;
    uint32_t others = MOST_BARS - named;
    for (uint32_t r = 0; r < h->nranks && n < MOST_BARS; r++) {
        bool is = is_named(c, r);
        if (is ? named == 0 : others == 0)
            continue;
        ranks[n++] = r;
        named -= is;
        others -= !is;
    }
    return n;
}

static void put_rank_bar(const struct sca_html *h, const struct sca_report_cause *c, uint32_t rank,
                         uint32_t row, double most)
{
    double seconds = seconds_of(h, c, rank);
    char text[32];
    uint32_t y = row * ROW;
    fprintf(h->out,
            "<text class=\"end\" x=\"%d\" y=\"%u\">rank %u</text>"
            "<rect class=\"%s\" x=\"%d\" y=\"%u\" width=\"%.1f\" height=\"14\"/>"
            "<text x=\"%.1f\" y=\"%u\">%s s</text>",
            NAME_AT - 8, y + 14, rank, is_named(c, rank) ? "hot" : "cool", NAME_AT, y + 3,
            fmax(1, BAR * seconds / most), NAME_AT + BAR * seconds / most + 6, y + 14,
            sca_lines_seconds(text, seconds));
}

static void put_ranks(const struct sca_html *h, const struct sca_report_cause *c)
{
    uint32_t ranks[MOST_BARS], n = choose(h, c, ranks);
    double most = 0;
    for (uint32_t r = 0; r < h->nranks; r++)
        most = fmax(most, seconds_of(h, c, r));
    if (most <= 0)
        return;
    fprintf(h->out,
            "<div class=\"ranks\"><p class=\"meaning\">Seconds of each rank in it%s</p><svg "
            "class=\"rankbars\" role=\"img\" aria-labelledby=\"t-rankbars\" "
            "viewBox=\"0 0 %d %u\"><title id=\"t-rankbars\">Seconds of each rank in the first "
            "cause</title>",
            n < h->nranks ? ", some of them" : "", NAME_AT + BAR + 76, n * ROW + 4);
    for (uint32_t i = 0; i < n; i++)
        put_rank_bar(h, c, ranks[i], i, most);
    fputs("</svg></div>\n", h->out);
}

static void put_first_cause(const struct sca_html *h)
{
    const struct sca_report_cause *c = foremost(h);
    if (!c)
        return;
    fputs("<div class=\"two\">\n<div>", h->out);
    sca_html_snippet(h, &h->r->vertices[c->vertex]);
    fputs("</div>\n<div>", h->out);
    put_ranks(h, c);
    fputs("</div>\n</div>\n", h->out);
}

/* ---- where the time of each run went ---- */

static void put_run_bar(const struct sca_html *h, const struct sca_account_parts *a, uint32_t run)
{
    double sum = 0, x = 0;
    char base[32];
    for (int i = 0; i < a->count; i++)
        sum += fmax(0, a->part[i].seconds);
    fprintf(
        h->out,
        "<div class=\"runbar\"><span>%u rank%s, %s core-s</span><svg class=\"bar\" role=\"img\" "
        "aria-labelledby=\"t-bar-%u\" viewBox=\"0 0 %d 40\" preserveAspectRatio=\"none\">"
        "<title id=\"t-bar-%u\">Share of each part; the table of the account has the "
        "numbers</title>",
        a->ranks, a->ranks == 1 ? "" : "s", sca_lines_seconds(base, a->base), run, WIDTH, run);
    for (int i = 0; i < a->count && sum > 0; i++) {
        double width = WIDTH * fmax(0, a->part[i].seconds) / sum;
        if (width > 0)
            fprintf(h->out, "<rect class=\"p%d\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"40\"/>",
                    a->part[i].kind, x, width);
        x += width;
    }
    fputs("</svg></div>\n", h->out);
}

static void put_legend(const struct sca_html *h)
{
    struct sca_account_parts a;
    if (!sca_account_list(h->r, &a))
        return;
    fputs("<ul class=\"legend\">", h->out);
    for (int i = 0; i < a.count; i++)
        if (a.part[i].seconds >= 0.005 * a.base)
            fprintf(h->out, "<li><span class=\"key p%d\"></span>%s</li>", a.part[i].kind,
                    a.part[i].name);
    fputs("</ul>\n", h->out);
}

static void put_runs(const struct sca_html *h)
{
    struct sca_account_parts a;
    for (uint32_t i = 0; i < h->r->nruns; i++)
        if (sca_account_list_run(h->r, i, &a))
            put_run_bar(h, &a, i);
    put_legend(h);
}

/* To be read before the verdict. */
static void put_warnings(const struct sca_html *h)
{
    for (uint32_t i = 0; i < h->r->nwarnings; i++) {
        fputs("<p class=\"warning\"><strong>Warning:</strong> ", h->out);
        sca_html_text(h, h->r->warnings[i]);
        fputs("</p>\n", h->out);
    }
}

void sca_html_summary(const struct sca_html *h)
{
    fputs("<section id=\"summary\" aria-labelledby=\"h-summary\"><h2 id=\"h-summary\" "
          "class=\"unseen\">In short</h2>\n",
          h->out);
    put_warnings(h);
    fputs("<div class=\"tiles\">\n", h->out);
    put_efficiency(h);
    put_saving(h);
    put_cause(h);
    fputs("</div>\n", h->out);
    put_first_cause(h);
    put_runs(h);
    fputs("</section>\n", h->out);
}
