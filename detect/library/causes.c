/* The causes of a report, their symptoms and their chains of waits. */
#include "library/arguments.h"
#include "library/handles.h"
#include "library/plain_numbers.h"
#include "library/rows.h"
#include "sca_error.h"
#include "sca_phrase.h"
#include "scalana/verdict.h"

#include <stdio.h>

static void fill_row(const struct sca_report *source, const struct sca_report_cause *c, void *row)
{
    *(struct scalana_cause *)row =
        (struct scalana_cause){.vertex = c->vertex,
                               .category = c->category,
                               .nranks = c->nranks,
                               .ranks = c->ranks,
                               .cost_core_s = c->cost_core_s,
                               .cost_share = c->cost_share,
                               .gain_core_s = c->gain_core_s,
                               .gain_share = c->gain_share,
                               .direct_core_s = c->direct_core_s,
                               .indirect_core_s = c->indirect_core_s,
                               .ratio = c->ratio,
                               .others = sca_report_cause_others(source, c),
                               .at_site = c->at_site,
                               .site = c->site,
                               .between = c->between,
                               .after = c->after,
                               .before = c->before,
                               .inner_share = c->inner_share,
                               .inner_function = c->inner_function,
                               .inner_file = c->inner_file,
                               .inner_line = c->inner_line,
                               .inner_inlined = c->inner_inlined,
                               .inner_foreign = c->inner_foreign,
                               .nrank_s = c->nrank_s,
                               .rank_s = c->rank_s,
                               .nsymptoms = c->nsymptoms,
                               .npath = c->npath,
                               .gain_low_core_s = c->gain_ci[0],
                               .gain_high_core_s = c->gain_ci[1],
                               .counter = c->counter,
                               .counter_each = c->counter_each,
                               .counter_others_each = c->counter_others_each,
                               .counter_fewest = c->counter_fewest,
                               .counter_fewest_each = c->counter_fewest_each,
                               .counter_expected_each = c->counter_expected_each,
                               .gain_shared_core_s = c->gain_shared_core_s,
                               .gain_alike_core_s = c->gain_alike_core_s,
                               .doubt = c->doubt ? c->doubt : ""};
}

static void fill_cause(const void *source, uint32_t i, void *row)
{
    const struct sca_report *report = source;
    fill_row(report, &report->causes[i], row);
}

static void fill_unconfirmed(const void *source, uint32_t i, void *row)
{
    const struct sca_report *report = source;
    fill_row(report, &report->causes[report->ncauses + i], row);
}

int scalana_report_causes(const scalana_report *report, uint32_t first, uint32_t count,
                          struct scalana_cause *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"causes", report->of->ncauses, sizeof *out, fill_cause, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

int scalana_report_unconfirmed(const scalana_report *report, uint32_t first, uint32_t count,
                               struct scalana_cause *out, size_t size)
{
    int status = sca_arguments_there(report, "report");
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"unconfirmed causes", report->of->nunconfirmed, sizeof *out,
                               fill_unconfirmed, report->of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static int take_cause(const scalana_report *report, uint32_t cause,
                      const struct sca_report_cause **out)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_index(cause, report->of->ncauses, "cause");
    if (status == SCA_OK)
        *out = &report->of->causes[cause];
    return status;
}

static void fill_symptoms(const void *source, uint32_t i, void *row)
{
    const struct sca_report_symptom *s = &((const struct sca_report_cause *)source)->symptoms[i];
    *(struct scalana_symptom *)row =
        (struct scalana_symptom){.vertex = s->vertex, .wait_core_s = s->wait_core_s};
}

int scalana_cause_symptoms(const scalana_report *report, uint32_t cause, uint32_t first,
                           uint32_t count, struct scalana_symptom *out, size_t size)
{
    const struct sca_report_cause *of;
    int status = take_cause(report, cause, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"symptoms", of->nsymptoms, sizeof *out, fill_symptoms, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

static void fill_path(const void *source, uint32_t i, void *row)
{
    const struct sca_report_step *s = &((const struct sca_report_cause *)source)->path[i];
    *(struct scalana_step *)row =
        (struct scalana_step){.vertex = s->vertex, .rank = s->rank, .via = s->via};
}

int scalana_cause_path(const scalana_report *report, uint32_t cause, uint32_t first, uint32_t count,
                       struct scalana_step *out, size_t size)
{
    const struct sca_report_cause *of;
    int status = take_cause(report, cause, &of);
    if (status != SCA_OK)
        return status;
    struct sca_listing rows = {"steps", of->npath, sizeof *out, fill_path, of};
    return sca_rows_copy(&rows, first, count, out, size);
}

/* "imbalance  cg.c:109 loop in conj_grad, rank 4: only on this rank" */
static void phrase(const struct sca_report *report, const struct sca_report_cause *c, char *text,
                   size_t space)
{
    char place[SCA_PHRASE], ranks[SCA_PHRASE], others[SCA_PHRASE];
    sca_phrase_cause(place, report, c);
    sca_phrase_ranks(ranks, &report->runs[report->nruns - 1], c->ranks, c->nranks);
    sca_phrase_others(others, report, c);
    snprintf(text, space, "%s  %s%s%s%s%s", c->category, place, c->nranks ? ", " : "",
             c->nranks ? ranks : "", *others ? ": " : "", others);
}

static int copy_phrase(const scalana_report *report, const struct sca_report_cause *of, char *text,
                       size_t space, size_t *length)
{
    char line[4 * SCA_PHRASE];
    int status = space ? sca_arguments_there(text, "text") : SCA_OK;
    if (status != SCA_OK)
        return status;
    struct sca_plain_numbers numbers;
    sca_plain_numbers_begin(&numbers);
    phrase(report->of, of, line, sizeof line);
    sca_plain_numbers_end(&numbers);
    int used = snprintf(text, space, "%s", line);
    if (length)
        *length = (size_t)used;
    return SCA_OK;
}

int scalana_cause_text(const scalana_report *report, uint32_t cause, char *text, size_t space,
                       size_t *length)
{
    const struct sca_report_cause *of;
    int status = take_cause(report, cause, &of);
    return status == SCA_OK ? copy_phrase(report, of, text, space, length) : status;
}

int scalana_unconfirmed_text(const scalana_report *report, uint32_t unconfirmed, char *text,
                             size_t space, size_t *length)
{
    int status = sca_arguments_there(report, "report");
    if (status == SCA_OK)
        status = sca_arguments_index(unconfirmed, report->of->nunconfirmed, "unconfirmed cause");
    return status == SCA_OK
               ? copy_phrase(report, &report->of->causes[report->of->ncauses + unconfirmed], text,
                             space, length)
               : status;
}
