/* The findings of an analysis, copied while it stands: what they say is in sentences of its own. */
#include "scalana/findings.h"
#include "sca_arena.h"
#include "library/arguments.h"
#include "library/handles.h"
#include "library/rows.h"
#include "report/finding_phrase.h"
#include "report/verdict.h"
#include "sca_error.h"

#include <stdlib.h>
#include <string.h>

struct kept_finding {
    struct scalana_finding row;
    struct scalana_evidence *evidence;
};

struct scalana_findings {
    uint32_t count;
    struct kept_finding *items;
    struct sca_arena arena;
};

struct copying { /* into, from, and where to go without memory */
    struct sca_arena *arena;
    const struct sca_analysis *c;
};

static void *take(const struct copying *to, size_t count, size_t size)
{
    void *memory = sca_arena_alloc(to->arena, count ? count : 1, size);
    if (!memory)
        longjmp(*to->c->space->out_of_memory, 1);
    return memory;
}

static const char *take_text(const struct copying *to, const char *text)
{
    char *copy = take(to, strlen(text) + 1, 1);
    return strcpy(copy, text);
}

static const uint32_t *take_numbers(const struct copying *to, const uint32_t *numbers, uint32_t n)
{
    uint32_t *copy = take(to, n, sizeof *copy);
    if (n)
        memcpy(copy, numbers, n * sizeof *copy);
    return copy;
}

/* ---- evidence ---- */

static bool names_run(enum sca_evidence_kind kind)
{
    return kind == SCA_EVIDENCE_LINE_IDENTIFIED || kind == SCA_EVIDENCE_CONFIRMED ||
           kind == SCA_EVIDENCE_STANDS_IN || kind == SCA_EVIDENCE_NOT_IN ||
           kind == SCA_EVIDENCE_REPLICATED;
}

static bool names_finding(enum sca_evidence_kind kind)
{
    return kind == SCA_EVIDENCE_REFINED || kind == SCA_EVIDENCE_JOINED;
}

static struct scalana_evidence evidence_row(const struct copying *to, const struct sca_evidence *e)
{
    char text[SCA_PHRASE];
    sca_finding_phrase_evidence(text, to->c, e);
    return (struct scalana_evidence){.kind = sca_finding_phrase_evidence_word(e->kind),
                                     .text = take_text(to, text),
                                     .run = names_run(e->kind) ? e->of : SCALANA_NONE,
                                     .finding = names_finding(e->kind) ? e->of : SCALANA_NONE,
                                     .number = e->number,
                                     .second = e->other};
}

static struct scalana_evidence *copy_evidence(const struct copying *to,
                                              const struct sca_evidence_list *list)
{
    struct scalana_evidence *rows = take(to, list->count, sizeof *rows);
    for (uint32_t i = 0; i < list->count; i++)
        rows[i] = evidence_row(to, &list->items[i]);
    return rows;
}

/* ---- findings ---- */

static void add_interval(const struct sca_finding *f, struct scalana_finding *row)
{
    row->between = sca_finding_is_between(f);
    row->after = row->before = SCALANA_NONE;
    if (!row->between)
        return;
    row->next_call = f->interval.any;
    row->after = sca_finding_reported_after(f);
    row->before = f->interval.before;
    row->on_core_s = f->interval.core.on;
    row->off_core_s = f->interval.core.off;
}

static void add_price(const struct sca_analysis *c, const struct sca_finding *f,
                      struct scalana_finding *row)
{
    const struct sca_price *price = &c->prices[f->number];
    row->priced = f->number < c->ngains;
    if (!row->priced)
        return;
    row->cost_core_s = price->cost;
    row->gain_core_s = price->gain;
    row->alone_core_s = price->alone;
}

static struct scalana_finding finding_row(const struct copying *to, const struct sca_finding *f)
{
    char where[SCA_FINDING_WHERE], why[SCA_PHRASE];
    const struct sca_outcome *outcome = &to->c->findings.outcomes[f->number];
    struct scalana_finding row = {.category = sca_finding_phrase_category_word(f),
                                  .where = take_text(to, sca_finding_phrase_where(where, to->c, f)),
                                  .context = f->vertex,
                                  .ncontexts = f->nvertices,
                                  .contexts = take_numbers(to, f->vertices, f->nvertices),
                                  .nranks = f->nranks,
                                  .ranks = take_numbers(to, f->ranks, f->nranks),
                                  .ratio = f->ratio,
                                  .excess_core_s = f->excess,
                                  .outcome = sca_finding_phrase_outcome_word(outcome->kind),
                                  .why = take_text(to, sca_finding_phrase_outcome(why, to->c, f)),
                                  .other = sca_finding_phrase_other(outcome),
                                  .nevidence = f->evidence.count};
    add_interval(f, &row);
    add_price(to->c, f, &row);
    return row;
}

static void copy_all(void *context, const struct sca_analysis *c)
{
    scalana_findings *out = context;
    const struct copying to = {&out->arena, c};
    out->items = take(&to, c->findings.count, sizeof *out->items);
    for (uint32_t i = 0; i < c->findings.count; i++) {
        const struct sca_finding *f = c->findings.all[i];
        out->items[i] =
            (struct kept_finding){finding_row(&to, f), copy_evidence(&to, &f->evidence)};
    }
    out->count = c->findings.count;
}

struct wanted {
    scalana_report **report; /* NULL: not wanted */
    scalana_findings *findings;
};

static int find(const struct sca_ppg *ppg, const scalana_options *options, void *context)
{
    const struct wanted *wanted = context;
    const struct sca_verdict_look look = {copy_all, wanted->findings};
    struct sca_verdict verdict;
    int status = sca_verdict_look(ppg, &options->settings, &look, &verdict);
    if (status == SCA_OK && wanted->report)
        status = sca_library_hand_out(verdict.report, wanted->report);
    else
        sca_verdict_free(&verdict);
    return status;
}

int scalana_findings_find(scalana_runs *runs, const scalana_options *options,
                          scalana_report **report, scalana_findings **out)
{
    int status = sca_arguments_there(out, "out");
    if (status != SCA_OK)
        return status;
    struct wanted wanted = {report, calloc(1, sizeof *wanted.findings)};
    *out = NULL;
    if (report)
        *report = NULL;
    if (!wanted.findings)
        return sca_fail(SCA_ENOMEM, "out of memory");
    status = sca_library_analyse(runs, options, find, &wanted);
    if (status == SCA_OK)
        *out = wanted.findings;
    else
        scalana_findings_free(wanted.findings);
    return status;
}

void scalana_findings_free(scalana_findings *findings)
{
    if (!findings)
        return;
    sca_arena_free(&findings->arena);
    free(findings);
}

/* ---- reading ---- */

uint32_t scalana_findings_count(const scalana_findings *findings)
{
    return findings ? findings->count : 0;
}

static void fill_finding(const void *source, uint32_t i, void *row)
{
    *(struct scalana_finding *)row = ((const struct kept_finding *)source)[i].row;
}

int scalana_findings_get(const scalana_findings *findings, uint32_t first, uint32_t count,
                         struct scalana_finding *out, size_t size)
{
    int status = sca_arguments_there(findings, "findings");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"findings", findings->count, sizeof *out, fill_finding,
                               findings->items};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_evidence(const void *source, uint32_t i, void *row)
{
    *(struct scalana_evidence *)row = ((const struct kept_finding *)source)->evidence[i];
}

int scalana_finding_evidence(const scalana_findings *findings, uint32_t finding, uint32_t first,
                             uint32_t count, struct scalana_evidence *out, size_t size)
{
    int status = sca_arguments_there(findings, "findings");
    if (status == SCA_OK)
        status = sca_arguments_index(finding, findings->count, "finding");
    if (status != SCA_OK)
        return status;
    const struct kept_finding *of = &findings->items[finding];
    struct sca_listing rows = {"rows of evidence", of->row.nevidence, sizeof *out, fill_evidence,
                               of};
    return sca_rows_copy(&rows, first, count, out, size);
}
