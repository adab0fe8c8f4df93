/* Where the core-seconds of each run went, and how efficient the runs were. */
#include "panes.h"
#include "sca_account.h"
#include "sca_efficiency.h"
#include "sca_phrase.h"
#include "lines.h"
#include "model.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ACCEPTABLE 0.8 /* efficiency, by POP */

const char *sca_panes_name(enum sca_pane_kind kind)
{
    static const char *const names[SCA_PANES] = {"source",  "chain",    "ranks",  "curve",
                                                 "account", "metrics",  "matrix", "classes",
                                                 "series",  "timeline", "locks"};
    return names[kind];
}

char sca_panes_key(enum sca_pane_kind kind)
{
    static const char keys[] = "1234567890L";
    return keys[kind];
}

bool sca_panes_is_whole(enum sca_pane_kind kind)
{
    return kind == SCA_ACCOUNT || kind >= SCA_COMMUNICATION;
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void put_part(struct sca_lines *lines, const struct sca_account_part *part, double base,
                     int width)
{
    enum { NAME = 44, FIGURES = 20 };
    char text[16];
    int room = width - NAME - FIGURES - 4;
    double share = percent(part->seconds, base);
    sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
    sca_lines_add(lines, "  ");
    sca_lines_text(lines, part->name, NAME, SCA_CUT_END);
    sca_lines_pad(lines, NAME + 2);
    sca_lines_add(lines, "%9s %6.1f %%  ", sca_label_seconds(part->seconds, text), share);
    if (room > 0 && share > 0)
        sca_lines_repeat(lines, sca_text_glyphs()->bar, (int)(share * room / 100 + 0.5));
}

static void lacks(struct sca_lines *lines, const char *what)
{
    sca_lines_say(lines, SCA_WARNING, "The report %s: an older release wrote it.", what);
}

static void account(struct sca_lines *lines, const struct sca_report *r, int width)
{
    struct sca_account_parts account;
    char duration[16], base[16];
    if (!sca_account_list(r, &account)) {
        lacks(lines, "has no account of core-seconds");
        return;
    }
    sca_lines_say(lines, SCA_HEADER, "Where %u rank%s %s %s = %s core-time went%s", account.ranks,
                  account.ranks == 1 ? "" : "s", sca_text_glyphs()->times,
                  sca_label_seconds(account.duration, duration),
                  sca_label_seconds(account.base, base),
                  account.is_virtual ? ", assuming one core per rank" : "");
    for (int i = 0; i < account.count; i++)
        put_part(lines, &account.part[i], account.base, width);
}

/* Of at most SCA_EFFICIENCY_RUNS runs; marked where the largest run has less than POP accepts. */
static void efficiency_block(struct sca_lines *lines, const struct sca_report *r, uint32_t first)
{
    char line[SCA_EFFICIENCY_LINE];
    uint32_t n;
    const struct sca_efficiency_row *rows = sca_efficiency_rows(r, &n);
    sca_lines_say(lines, SCA_HEADER, "%s", sca_efficiency_ranks(line, r, first));
    if (sca_efficiency_threads(line, r, first))
        sca_lines_say(lines, SCA_HEADER, "%s", line);
    sca_lines_say(lines, SCA_PLAIN, "%s", sca_efficiency_wall(line, r, first));
    for (uint32_t i = 0; i < n; i++) {
        bool low = sca_efficiency_value(&r->efficiency[r->nefficiency - 1], &rows[i]) < ACCEPTABLE;
        sca_lines_say(lines, low ? SCA_MARKED : SCA_PLAIN, "%s",
                      sca_efficiency_line(line, r, &rows[i], first));
    }
}

/* POP's efficiencies, as in the text report. */
static void runs(struct sca_lines *lines, const struct sca_report *r)
{
    const char *notes[SCA_EFFICIENCY_NOTES];
    if (!r->nefficiency)
        lacks(lines, "has no efficiencies");
    for (uint32_t first = 0; first < r->nefficiency; first += SCA_EFFICIENCY_RUNS)
        efficiency_block(lines, r, first);
    for (uint32_t i = 0, n = r->nefficiency ? sca_efficiency_notes(r, notes) : 0; i < n; i++)
        sca_lines_say(lines, SCA_DIM, "  %s", notes[i]);
}

/* Who calls it: MPI calls often stand in helpers. Of a long path the inner end is kept. */
static void wait_paths(struct sca_lines *lines, const struct sca_model *model,
                       const struct sca_report_wait *row, int width)
{
    enum { MOST_PATHS = 3, MOST_FRAMES = 3, INDENT = 18 };
    const struct sca_report *r = model->report;
    struct sca_report_symptom paths[MOST_PATHS];
    char path[SCA_PHRASE], text[16];
    uint32_t n = sca_report_wait_paths(r, row, paths, MOST_PATHS);
    for (uint32_t i = 0; i < n; i++) {
        sca_phrase_calling_path(path, r, paths[i].vertex, MOST_FRAMES);
        if (n == 1 && !strstr(path, " > "))
            return;
        sca_lines_begin(lines, SCA_DIM, paths[i].vertex);
        sca_lines_pad(lines, INDENT);
        sca_lines_add(lines, "%8s through ",
                      n > 1 ? sca_label_seconds(paths[i].wait_core_s, text) : "");
        sca_lines_text(lines, path, width - sca_lines_width(lines), SCA_CUT_START);
    }
}

static void wait_row(struct sca_lines *lines, const struct sca_model *model,
                     const struct sca_report_wait *row, int width)
{
    const struct sca_report_vertex *v = &model->report->vertices[row->vertex];
    char name[SCA_PHRASE], direct[SCA_PHRASE], text[16];
    sca_lines_begin(lines, SCA_PLAIN, row->vertex);
    sca_lines_add(lines, " ");
    sca_lines_text(lines, sca_phrase_wait_class(name, row->wait_class), 16, SCA_CUT_END);
    sca_lines_pad(lines, 17);
    sca_lines_add(lines, "%9s %s  ", sca_label_seconds(row->wait_core_s, text),
                  sca_phrase_wait_direct(direct, row));
    sca_model_label(lines, v, 16);
    sca_lines_add(lines, " ");
    sca_model_place(lines, v, width - sca_lines_width(lines));
}

/* The longest waits by what they are for, as in the text report. */
static void waits(struct sca_lines *lines, const struct sca_model *model, int width)
{
    enum { MOST = 8 };
    struct sca_report_wait longest[MOST];
    uint32_t n = sca_report_waits_by_place(model->report, longest, MOST);
    if (n)
        sca_lines_say(lines, SCA_HEADER,
                      "Longest waits by wait state (direct: the awaited rank was computing)");
    for (uint32_t i = 0; i < n; i++) {
        wait_row(lines, model, &longest[i], width);
        wait_paths(lines, model, &longest[i], width);
    }
}

static void hosts(struct sca_lines *lines, const struct sca_report_run *run, int width)
{
    if (run->nhosts < 2)
        return;
    sca_lines_say(lines, SCA_HEADER, "%u ranks on %u hosts", run->ranks, run->nhosts);
    for (uint32_t i = 0; i < run->nhosts; i++) {
        const struct sca_report_host *h = &run->hosts[i];
        sca_lines_begin(lines, SCA_PLAIN, SCA_NO_VERTEX);
        sca_lines_add(lines, "  ");
        sca_lines_text(lines, h->name, 32, SCA_CUT_END);
        sca_lines_add(lines, *h->name && *h->address ? " (" : "");
        sca_lines_text(lines, h->address, 40, SCA_CUT_END);
        sca_lines_add(lines, "%s%s ", *h->name && *h->address ? ")" : "",
                      h->nranks == 1 ? ": rank" : ": ranks");
        sca_model_ranks(lines, h->ranks, h->nranks, width - sca_lines_width(lines));
    }
}

static void put_range(struct sca_lines *lines, const struct sca_model *model, int width)
{
    const struct sca_time_range *r = &model->range;
    char span[16], own[16], text[SCA_PHRASE], unseen[64] = "", serialisation[32] = "n/a";
    if (!r->chosen)
        return;
    if (!isnan(r->serialisation))
        snprintf(serialisation, sizeof serialisation, "%.2f", r->serialisation);
    if (r->unseen_s > 0)
        snprintf(unseen, sizeof unseen, " Of %.0f %% of the computation no place is known.",
                 100 * r->unseen_s / r->own_s);
    snprintf(text, sizeof text,
             "Iterations %.0f to %.0f take %s, second %.4g to %.4g. A rank computes %s. Load "
             "balance %.2f, serialisation %s.%s Below: the whole run.",
             r->from, r->to, sca_label_seconds(r->span_s, span), r->begin_s, r->end_s,
             sca_label_seconds(r->own_s, own), r->load_balance, serialisation, unseen);
    sca_lines_wrap(lines, SCA_MARKED, text, 0, width);
}

void sca_account_pane(struct sca_pane *pane, const struct sca_model *model, int width)
{
    const struct sca_report *r = model->report;
    char text[16];
    put_range(&pane->lines, model, width);
    account(&pane->lines, r, width);
    runs(&pane->lines, r);
    if (r->nruns > 1)
        sca_lines_say(&pane->lines, SCA_PLAIN, "Lost to scaling: %s core-time",
                      sca_label_seconds(r->loss_core_s, text));
    if (r->nruns > 1 && r->ncauses)
        sca_lines_add(&pane->lines, ", %.0f %% of it explained by the causes",
                      100 * r->explained_share);
    for (uint32_t i = 0; i < r->nwarnings; i++)
        sca_lines_wrap(&pane->lines, SCA_MARKED, r->warnings[i], 0, width);
    for (uint32_t i = 0; i < r->nnotes; i++)
        if (!sca_report_note_is_told(r, i))
            sca_lines_wrap(&pane->lines, SCA_WARNING, r->notes[i], 0, width);
    waits(&pane->lines, model, width);
    if (sca_model_largest(model))
        hosts(&pane->lines, sca_model_largest(model), width);
}
