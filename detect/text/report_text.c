#include "text/report_text.h"
#include "report/hosts.h"
#include "text/lines.h"
#include "measure/measure.h"
#include "sca_error.h"
#include "text/text_tables.h"
#include "sca_phrase.h"

#include <stdlib.h>
#include <string.h>

enum { USUAL_CAUSES = 5, MOST_SYMPTOMS = 3, CHAIN_BEGIN = 5, CHAIN_END = 5 };

struct writer {
    struct sca_page page;
    const struct sca_report *report;
    const struct sca_settings *settings;
};

static const struct sca_report_run *largest(const struct sca_report *report)
{
    return &report->runs[report->nruns - 1];
}

static void put_title(const struct writer *w)
{
    const struct sca_report *r = w->report;
    char sizes[SCA_PHRASE], scaling[SCA_PHRASE], runs[64] = "";
    if (sca_phrase_sizes(sizes, r) < r->nruns)
        snprintf(runs, sizeof runs, " (%u runs)", r->nruns);
    sca_phrase_scaling(scaling, r);
    sca_lines_page_wrap(&w->page, 0, 2, SCA_INK_BOLD, strlen(r->program), "%s on %s rank%s%s%s%s",
                        r->program, sizes, largest(r)->ranks == 1 ? "" : "s", runs,
                        scaling[0] ? ", " : "", scaling);
    if (sca_hosts_phrase(sizes, largest(r))[0])
        sca_lines_page_wrap(&w->page, 0, 2, SCA_INK_PLAIN, 0, "%s", sizes);
}

/* To be read before the verdict. */
static void put_warnings(const struct writer *w)
{
    if (w->report->nwarnings)
        fputc('\n', w->page.out);
    for (uint32_t i = 0; i < w->report->nwarnings; i++)
        sca_lines_page_wrap(&w->page, 0, 2, SCA_INK_RED, 8, "Warning: %s", w->report->warnings[i]);
}

static const struct sca_report_nonscalable *growth_of(const struct sca_report *report,
                                                      uint32_t vertex)
{
    for (uint32_t i = 0; i < report->nnonscalable; i++)
        if (report->nonscalable[i].vertex == vertex)
            return &report->nonscalable[i];
    return NULL;
}

/* In turn those named wait for each other, too. */
static bool has_one_other(const struct sca_report *report, const struct sca_report_cause *c)
{
    return largest(report)->ranks - c->nranks == 1 && strcmp(c->others, "in-turn") != 0;
}

static void describe_ratio(const struct writer *w, const struct sca_report_cause *c, char *text)
{
    const struct sca_report_nonscalable *g = growth_of(w->report, c->vertex);
    char ideal[SCA_PHRASE];
    if (!strcmp(c->category, "nonscalable") && g)
        snprintf(text, SCA_PHRASE,
                 "time per rank grows as %s^%.2f (95 %%: %.2f to %.2f), ideal is %.32s",
                 sca_report_scale(w->report), g->slope, g->slope_ci[0], g->slope_ci[1],
                 sca_phrase_ideal(ideal, w->report, g));
    else if (!strcmp(c->category, "communication") && g)
        snprintf(text, SCA_PHRASE,
                 "transfers per rank grow as P^%.2f (95 %%: %.2f to %.2f), ideal is P^0", g->slope,
                 g->slope_ci[0], g->slope_ci[1]);
    else if (!*sca_phrase_others(text, w->report, c))
        snprintf(text, SCA_PHRASE, "grows with the %s",
                 sca_report_by_threads(w->report) ? "threads" : "ranks");
}

static void put_verdict(const struct writer *w, uint32_t i)
{
    const struct sca_report_cause *c = &w->report->causes[i];
    char place[SCA_PHRASE], ranks[SCA_PHRASE], host[SCA_PHRASE], ratio[SCA_PHRASE];
    char cost[32], gain[32], head[64], bounds[SCA_PHRASE];
    bool grows = !strcmp(c->category, "nonscalable") || !strcmp(c->category, "communication") ||
                 sca_phrase_is_of_threads(c);
    describe_ratio(w, c, ratio);
    sca_phrase_gain_ci(bounds, c);
    snprintf(head, sizeof head, "%u. %s", i + 1, c->category);
    sca_lines_page_wrap(
        &w->page, 0, 3, SCA_INK_RED, strlen(head),
        "%s  %s, %s%s: %s; %s %s core-s (%.0f %%); fixing it saves %s core-s (%s%s%.0f %%)", head,
        sca_phrase_cause(place, w->report, c),
        sca_phrase_ranks(ranks, largest(w->report), c->ranks, c->nranks),
        sca_hosts_phrase_of_rank(host, largest(w->report), c->ranks, c->nranks), ratio,
        grows                         ? "costs"
        : has_one_other(w->report, c) ? "the other rank waits"
                                      : "other ranks wait",
        sca_lines_seconds(cost, c->cost_core_s), 100 * c->cost_share,
        sca_lines_seconds(gain, c->gain_core_s), bounds, *bounds ? ", " : "", 100 * c->gain_share);
}

/* "waits for rank 4 (1,0): cg.c:13 MPI_Send in exchange" */
static void phrase_step(const struct writer *w, const struct sca_report_cause *c, uint32_t i,
                        char *text)
{
    const struct sca_report_step *s = &c->path[i];
    char place[SCA_PHRASE], rank[SCA_PHRASE];
    bool message = !strcmp(s->via, "p2p"), together = !strcmp(s->via, "collective");
    sca_phrase_vertex(place, &w->report->vertices[s->vertex]);
    if (message || together)
        snprintf(text, 2 * SCA_PHRASE, "waits for %s: %s",
                 sca_phrase_ranks(rank, largest(w->report), &s->rank, 1), place);
    else if (i + 1 == c->npath)
        snprintf(text, 2 * SCA_PHRASE, "late because of %s", place);
    else
        snprintf(text, 2 * SCA_PHRASE, "%s %s", strcmp(s->via, "data") ? "in" : "late from", place);
}

static void put_chain(const struct writer *w, const struct sca_report_cause *c)
{
    char text[2 * SCA_PHRASE], rank[SCA_PHRASE];
    if (c->npath < 2)
        return;
    sca_lines_page_wrap(&w->page, 3, 3, SCA_INK_DIM, 100, "%s:", sca_phrase_chain(w->report, c));
    sca_phrase_vertex(text, &w->report->vertices[c->path[0].vertex]);
    sca_lines_page_wrap(&w->page, 5, 7, SCA_INK_PLAIN, 0, "%s  %s",
                        sca_phrase_ranks(rank, largest(w->report), &c->path[0].rank, 1), text);
    for (uint32_t i = 1; i < c->npath; i++) {
        if (i == CHAIN_BEGIN && c->npath > CHAIN_BEGIN + CHAIN_END + 1) {
            i = c->npath - CHAIN_END;
            sca_lines_page_wrap(&w->page, 5, 18, SCA_INK_DIM, 3, "...          %u more steps",
                                i - CHAIN_BEGIN);
        }
        phrase_step(w, c, i, text);
        sca_lines_page_wrap(&w->page, 5, 18, SCA_INK_DIM, 12, "%-12s %s", c->path[i].via, text);
    }
}

static void put_saved_if(const struct writer *w, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE];
    if (*sca_phrase_saved_if(text, w->report, c))
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 12, "Assumes that %s.", text);
}

static void put_inner(const struct writer *w, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE];
    if (*sca_phrase_inner(text, c))
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Mostly in %s, %.0f %% of it", text,
                            100 * c->inner_share);
}

/* One place after the other between two calls. */
static void put_parts(const struct writer *w, const struct sca_report_cause *c)
{
    char place[SCA_PHRASE];
    for (uint32_t i = 0; i < c->nparts; i++)
        sca_lines_page_wrap(&w->page, 3, 18, SCA_INK_DIM, 11, "%-11s %3.0f %% %s",
                            i ? "" : "Consists of", 100 * c->parts[i].share,
                            sca_phrase_vertex(place, &w->report->vertices[c->parts[i].vertex]));
}

static void put_acts(const struct writer *w, const struct sca_report_cause *c)
{
    if (c->acts && *c->acts)
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Acts      %s", c->acts);
}

static void put_counter(const struct writer *w, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE];
    if (*sca_phrase_counter(text, c))
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Counted   %s", text);
}

static void put_calling_path(const struct writer *w, const struct sca_report_cause *c)
{
    char text[SCA_PHRASE], one_of[32] = "";
    const char *doubt = c->uncertain_path && *c->uncertain_path ? " (uncertain)" : "";
    if (c->ncall_paths > 1)
        snprintf(one_of, sizeof one_of, "; one of %u", c->ncall_paths);
    if (*sca_phrase_calling_path(text, w->report, c->vertex, UINT32_MAX))
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Call path %s%s%s", text, one_of,
                            doubt);
}

static void put_symptoms(const struct writer *w, const struct sca_report_cause *c)
{
    char place[SCA_PHRASE], text[32];
    uint32_t n;
    struct sca_report_symptom *places = sca_report_cause_places(w->report, c, &n);
    for (uint32_t i = 0; i < n && i < MOST_SYMPTOMS; i++)
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "%-9s %s core-s of waiting at %s",
                            i ? "" : "Symptoms", sca_lines_seconds(text, places[i].wait_core_s),
                            sca_phrase_vertex(place, &w->report->vertices[places[i].vertex]));
    free(places);
}

/* How much of all time it will take on more ranks. */
static void put_projections(const struct writer *w, const struct sca_report_cause *c)
{
    const struct sca_report_nonscalable *g = growth_of(w->report, c->vertex);
    char text[SCA_PHRASE] = "";
    for (uint32_t i = 0; g && i < g->nprojections; i++) {
        const struct sca_report_projection *p = &g->projections[i];
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%.0f %% on %u ranks (95 %%: %.0f to %.0f)",
                 i ? ", " : "", 100 * p->share, p->ranks, 100 * p->share_ci[0],
                 100 * p->share_ci[1]);
    }
    if (text[0])
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Forecast  of all time: %s", text);
    else if (g && !sca_report_by_threads(w->report))
        sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "Forecast  %s",
                            sca_phrase_no_forecast);
}

/* "3. not confirmed: imbalance": found, with what would decide it. */
static void put_unconfirmed(const struct writer *w, uint32_t i)
{
    const struct sca_report_cause *c = &w->report->causes[i];
    char place[SCA_PHRASE], ranks[SCA_PHRASE], ratio[SCA_PHRASE], bounds[SCA_PHRASE];
    char gain[32], head[64];
    describe_ratio(w, c, ratio);
    sca_phrase_gain_ci(bounds, c);
    snprintf(head, sizeof head, "%u. not confirmed: %s", i + 1, c->category);
    fputc('\n', w->page.out);
    sca_lines_page_wrap(&w->page, 0, 3, SCA_INK_BOLD, strlen(head),
                        "%s  %s, %s: %s; fixing may save %s core-s (%s%s%.0f %%)", head,
                        sca_phrase_cause(place, w->report, c),
                        sca_phrase_ranks(ranks, largest(w->report), c->ranks, c->nranks), ratio,
                        sca_lines_seconds(gain, c->gain_core_s), bounds, *bounds ? ", " : "",
                        100 * c->gain_share);
    sca_lines_page_wrap(&w->page, 3, 13, SCA_INK_DIM, 9, "In doubt  %s", c->doubt);
    put_acts(w, c);
    put_parts(w, c);
    put_inner(w, c);
    put_calling_path(w, c);
}

static void put_all_unconfirmed(const struct writer *w)
{
    for (uint32_t i = 0; i < w->report->nunconfirmed; i++)
        put_unconfirmed(w, w->report->ncauses + i);
}

static void put_causes(const struct writer *w)
{
    const struct sca_report *r = w->report;
    uint32_t shown = r->ncauses;
    uint32_t most = w->settings->top == SCA_TOP_USUAL ? USUAL_CAUSES : w->settings->top;
    if (most && most < shown)
        shown = most;
    for (uint32_t i = 0; i < shown; i++) {
        fputc('\n', w->page.out);
        put_verdict(w, i);
        put_saved_if(w, &r->causes[i]);
        put_acts(w, &r->causes[i]);
        put_parts(w, &r->causes[i]);
        put_inner(w, &r->causes[i]);
        put_counter(w, &r->causes[i]);
        put_chain(w, &r->causes[i]);
        put_calling_path(w, &r->causes[i]);
        put_symptoms(w, &r->causes[i]);
        put_projections(w, &r->causes[i]);
    }
    if (shown < r->ncauses)
        fprintf(w->page.out, "\n%u more (--top=%u shows them).\n", r->ncauses - shown, r->ncauses);
}

static void put_healthy(const struct writer *w)
{
    char text[SCA_PHRASE];
    bool good = sca_phrase_no_cause(text, w->report);
    fputc('\n', w->page.out);
    sca_lines_page_wrap(&w->page, 0, 0, good ? SCA_INK_GREEN : SCA_INK_BOLD, 30, "%s", text);
}

static void put_notes(const struct writer *w)
{
    if (w->report->nnotes > w->report->nunconfirmed)
        sca_lines_page_heading(&w->page, "Notes");
    for (uint32_t i = 0; i < w->report->nnotes; i++)
        if (!sca_report_note_is_told(w->report, i))
            sca_lines_page_wrap(&w->page, 2, 4, SCA_INK_PLAIN, 0, "- %s", w->report->notes[i]);
}

int sca_text_print(FILE *out, const struct sca_verdict *verdict,
                   const struct sca_settings *settings, bool colour)
{
    struct writer w = {{out, colour}, verdict->report, settings};
    put_title(&w);
    put_warnings(&w);
    if (w.report->ncauses)
        put_causes(&w);
    else
        put_healthy(&w);
    put_all_unconfirmed(&w);
    sca_text_tables_efficiencies(&w.page, w.report);
    sca_text_tables_account(&w.page, w.report);
    sca_text_tables_phases(&w.page, w.report);
    sca_text_tables_waits(&w.page, w.report);
    put_notes(&w);
    sca_text_tables_meta(&w.page, w.report);
    if (fflush(out) || ferror(out))
        return sca_fail(SCA_EIO, "standard output: cannot be written");
    return SCA_OK;
}
