/* Did the change help? What became of each cause, what was promised, what was obtained. */
#include "views/diff.h"
#include "text/lines.h"

#include <math.h>
#include <string.h>

enum { CAUSE, STATE, PROMISED, LOW, HIGH, REMAINS, OBTAINED, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [CAUSE] = {"cause", NULL, SCA_CELL_COUNT},
    [STATE] = {"state", NULL, SCA_CELL_TEXT},
    [PROMISED] = {"promised_core_s", NULL, SCA_CELL_SECONDS},
    [LOW] = {"promised_low_core_s", NULL, SCA_CELL_SECONDS},
    [HIGH] = {"promised_high_core_s", NULL, SCA_CELL_SECONDS},
    [REMAINS] = {"remains_core_s", NULL, SCA_CELL_SECONDS},
    [OBTAINED] = {"obtained_core_s", NULL, SCA_CELL_SECONDS},
};

struct question {
    const struct sca_diff_side *before, *after;
    const uint32_t *to;
    double obtained; /* by the whole program; NAN: the two cannot be compared */
    struct sca_table *out;
};

static bool is_one_place(const struct sca_ppg_vertex *a, const struct sca_ppg_vertex *b)
{
    return a->kind == b->kind && a->line == b->line && !strcmp(a->function, b->function) &&
           !strcmp(a->file, b->file) && !strcmp(a->name, b->name);
}

/* The cause after the change that stands where cause `i` stood before; NULL: it is gone. */
static const struct sca_report_cause *successor(const struct question *q, uint32_t i)
{
    const struct sca_report *r = q->after->report;
    uint32_t v = q->to[q->before->report->causes[i].vertex];
    for (uint32_t k = 0; v != SCA_NONE && k < r->ncauses; k++)
        if (is_one_place(&q->after->vertices[v], &q->after->vertices[r->causes[k].vertex]))
            return &r->causes[k];
    return NULL;
}

static bool was_before(const struct question *q, const struct sca_report_cause *now)
{
    for (uint32_t i = 0; i < q->before->report->ncauses; i++)
        if (successor(q, i) == now)
            return true;
    return false;
}

/* Bounds that overlap tell no difference. */
static const char *state_of(const struct sca_report_cause *was, const struct sca_report_cause *now)
{
    if (!now)
        return "gone";
    if (now->gain_ci[1] < was->gain_ci[0])
        return "smaller";
    return now->gain_ci[0] > was->gain_ci[1] ? "larger" : "unchanged";
}

static const char *seconds(struct sca_table *t, double value)
{
    char text[32];
    return sca_table_text(t, "%s", sca_lines_seconds(text, value));
}

static struct sca_row *add(const struct question *q, const struct sca_ppg_vertex *place)
{
    struct sca_row *row = sca_table_row(q->out, place);
    for (uint32_t c = 0; c < COLUMNS; c++)
        row->cells[c].number = NAN;
    row->bold = true;
    return row;
}

static void phrase_cause(const struct question *q, struct sca_row *row, bool alone)
{
    struct sca_table *t = q->out;
    double remains = row->cells[REMAINS].number, obtained = row->cells[OBTAINED].number;
    const char *left =
        isnan(remains) ? ""
                       : sca_table_text(t, ", %s core-s can still be saved", seconds(t, remains));
    const char *got = !alone || isnan(obtained)
                          ? " core-s"
                          : sca_table_text(t, ", obtained %s core-s", seconds(t, obtained));
    row->label = sca_table_text(t, "Cause %.0f (%s): %s%s; promised %s%s.",
                                row->cells[CAUSE].number, row->label, row->cells[STATE].text, left,
                                seconds(t, row->cells[PROMISED].number), got);
}

static void answer_cause(const struct question *q, uint32_t i, bool alone)
{
    const struct sca_report_cause *was = &q->before->report->causes[i], *now = successor(q, i);
    struct sca_row *row = add(q, &q->before->vertices[was->vertex]);
    row->cells[CAUSE].number = i + 1;
    row->cells[STATE].text = state_of(was, now);
    row->cells[PROMISED].number = was->gain_core_s;
    row->cells[LOW].number = was->gain_ci[0];
    row->cells[HIGH].number = was->gain_ci[1];
    if (now)
        row->cells[REMAINS].number = now->gain_core_s;
    if (alone)
        row->cells[OBTAINED].number = q->obtained;
    phrase_cause(q, row, alone);
}

static void tell_new(const struct question *q)
{
    const struct sca_report *r = q->after->report;
    for (uint32_t k = 0; k < r->ncauses; k++) {
        if (was_before(q, &r->causes[k]))
            continue;
        struct sca_row *row = add(q, &q->after->vertices[r->causes[k].vertex]);
        row->bold = false;
        row->cells[CAUSE].number = k + 1;
        row->cells[STATE].text = "new";
        row->cells[REMAINS].number = r->causes[k].gain_core_s;
        row->label =
            sca_table_text(q->out, "New after the change: cause %u (%s); fixing saves %s core-s.",
                           k + 1, row->label, seconds(q->out, r->causes[k].gain_core_s));
    }
}

/* What is obtained is the change's alone where nothing else changed. */
static void tell_other_input(const struct question *q)
{
    const struct sca_report *a = q->before->report, *b = q->after->report;
    const struct sca_report_run *was = &a->runs[a->nruns - 1], *now = &b->runs[b->nruns - 1];
    if (!was->directory || !now->directory || !*was->directory || !*now->directory ||
        !strcmp(was->arguments, now->arguments))
        return;
    struct sca_row *row = add(q, NULL);
    row->cells[STATE].text = "other arguments";
    row->label = sca_table_text(q->out,
                                "Warning: the runs had different arguments, \"%.60s\" before and "
                                "\"%.60s\" after. What was obtained is not the change's alone.",
                                was->arguments, now->arguments);
}

static void tell_whole(const struct question *q, double promised)
{
    struct sca_table *t = q->out;
    struct sca_row *row = add(q, NULL);
    row->bold = false;
    row->cells[STATE].text = "whole program";
    row->cells[PROMISED].number = promised;
    row->cells[OBTAINED].number = q->obtained;
    if (isnan(q->obtained))
        row->label = sca_table_text(t,
                                    "What was obtained is not known: the runs have %u and %u "
                                    "ranks. Compare runs on the same number.",
                                    q->before->ranks, q->after->ranks);
    else
        row->label =
            sca_table_text(t, "The whole program took %s core-s before and takes %s after: %s %s.",
                           seconds(t, q->before->core_s), seconds(t, q->after->core_s),
                           seconds(t, fabs(q->obtained)), q->obtained >= 0 ? "less" : "more");
}

/* Less of the cause remains than was. */
static bool is_mended(const struct question *q, uint32_t i)
{
    const struct sca_report_cause *now = successor(q, i);
    const char *state = state_of(&q->before->report->causes[i], now);
    return !strcmp(state, "gone") || !strcmp(state, "smaller");
}

static uint32_t count_mended(const struct question *q)
{
    uint32_t mended = 0;
    for (uint32_t i = 0; i < q->before->report->ncauses; i++)
        mended += is_mended(q, i);
    return mended;
}

const struct sca_table *sca_diff_answer(const struct sca_diff_side *before,
                                        const struct sca_diff_side *after,
                                        struct sca_workspace *space)
{
    if (!before->report || !after->report || !(before->core_s > 0) || !(after->core_s > 0))
        return NULL;
    struct sca_table *out = sca_workspace_alloc(space, 1, sizeof *out);
    *out = (struct sca_table){.space = space, .columns = columns, .ncolumns = COLUMNS};
    struct question q = {
        before, after, sca_diff_match(space, before, after),
        before->ranks == after->ranks ? before->core_s - after->core_s : (double)NAN, out};
    bool one = count_mended(&q) == 1;
    tell_other_input(&q);
    double promised = 0;
    for (uint32_t i = 0; i < before->report->ncauses; i++) {
        answer_cause(&q, i, one && is_mended(&q, i));
        promised += is_mended(&q, i) ? before->report->causes[i].gain_core_s : 0;
    }
    if (!before->report->ncauses) {
        struct sca_row *row = add(&q, NULL);
        row->cells[STATE].text = "no cause before";
        row->label = "The report before has no cause, so that nothing was promised.";
    }
    tell_new(&q);
    tell_whole(&q, promised);
    return out;
}
