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
    struct sca_diff_sides sides;
    double obtained; /* by the whole program; NAN: the two cannot be compared */
    struct sca_table *out;
};

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

/* What of the cause is left, in the words behind its state. */
static const char *phrase_left(const struct question *q, const struct sca_diff_fate *fate)
{
    struct sca_table *t = q->out;
    if (fate->still_s > 0)
        return sca_table_text(t, ", but its ranks still take %s core-s more than the others",
                              seconds(t, fate->still_s));
    if (!fate->now)
        return "";
    return sca_table_text(t, ", %s core-s %s still be saved", seconds(t, fate->now->gain_core_s),
                          strcmp(fate->state, "not confirmed") ? "can" : "may");
}

static const char *phrase_place(const struct question *q, const struct sca_diff_fate *fate,
                                uint32_t was)
{
    uint32_t there = q->sides.to[was];
    if (!fate->now || there == SCA_NONE ||
        q->sides.after->vertices[there].line == q->sides.after->vertices[fate->now->vertex].line)
        return "";
    return sca_table_text(q->out, ", now at line %u",
                          q->sides.after->vertices[fate->now->vertex].line);
}

static const char *phrase_obtained(const struct question *q, double obtained)
{
    if (isnan(obtained))
        return " core-s";
    if (obtained <= 0)
        return " core-s, obtained nothing";
    return sca_table_text(q->out, ", obtained %s core-s", seconds(q->out, obtained));
}

static void phrase_cause(const struct question *q, struct sca_row *row, uint32_t i,
                         const struct sca_diff_fate *fate)
{
    struct sca_table *t = q->out;
    row->label = sca_table_text(
        t, "Cause %u (%s): %s%s%s; promised %s%s.", i + 1, row->label, fate->state,
        phrase_place(q, fate, q->sides.before->report->causes[i].vertex), phrase_left(q, fate),
        seconds(t, row->cells[PROMISED].number), phrase_obtained(q, row->cells[OBTAINED].number));
}

/* Another number of ranks: a share of that run's time is what can be compared. */
static const char *share_there(const struct question *q, const struct sca_diff_side *side,
                               const struct sca_report_cause *cause)
{
    return sca_table_text(q->out, "%.0f %% on %u ranks", 100 * cause->gain_share, side->ranks);
}

static void phrase_other_size(const struct question *q, struct sca_row *row, uint32_t i,
                              const struct sca_diff_fate *fate)
{
    struct sca_table *t = q->out;
    const struct sca_diff_side *before = q->sides.before, *after = q->sides.after;
    const char *there = share_there(q, before, &before->report->causes[i]);
    if (!fate->now)
        row->label = sca_table_text(t, "Cause %u (%s): fixing saves %s; not found on %u ranks.",
                                    i + 1, row->label, there, after->ranks);
    else
        row->label =
            sca_table_text(t, "Cause %u (%s): on both%s; fixing saves %s, %s%s.", i + 1, row->label,
                           phrase_place(q, fate, before->report->causes[i].vertex), there,
                           share_there(q, after, fate->now),
                           strcmp(fate->state, "both") ? " (not confirmed there)" : "");
}

static void answer_cause(const struct question *q, uint32_t i, bool alone)
{
    const struct sca_report_cause *was = &q->sides.before->report->causes[i];
    struct sca_diff_fate fate = sca_diff_fate(&q->sides, i);
    struct sca_row *row = add(q, &q->sides.before->vertices[was->vertex]);
    row->cells[CAUSE].number = i + 1;
    row->cells[STATE].text = fate.state;
    row->cells[PROMISED].number = was->gain_core_s;
    row->cells[LOW].number = was->gain_ci[0];
    row->cells[HIGH].number = was->gain_ci[1];
    if (fate.now)
        row->cells[REMAINS].number = fate.now->gain_core_s;
    if (alone && fate.mended)
        row->cells[OBTAINED].number = q->obtained;
    if (q->sides.before->ranks == q->sides.after->ranks)
        phrase_cause(q, row, i, &fate);
    else
        phrase_other_size(q, row, i, &fate);
}

static const char *phrase_new(const struct question *q, const char *place, uint32_t k, bool doubted)
{
    const struct sca_diff_side *before = q->sides.before, *after = q->sides.after;
    const struct sca_report_cause *now = &after->report->causes[k];
    struct sca_table *t = q->out;
    if (before->ranks != after->ranks)
        return sca_table_text(t, "Cause %u after (%s): fixing saves %s; not %s on %u ranks.", k + 1,
                              place, share_there(q, after, now), doubted ? "confirmed" : "found",
                              before->ranks);
    return sca_table_text(t, "%s: cause %u (%s); fixing saves %s core-s.",
                          doubted ? "Not confirmed before the change" : "New after the change",
                          k + 1, place, seconds(t, now->gain_core_s));
}

static void tell_new(const struct question *q)
{
    const struct sca_diff_side *before = q->sides.before, *after = q->sides.after;
    const struct sca_report *r = after->report;
    for (uint32_t k = 0; k < r->ncauses; k++) {
        const struct sca_report_cause *was = sca_diff_predecessor(&q->sides, &r->causes[k]);
        bool doubted = was && was->doubt && *was->doubt;
        if (was && !doubted)
            continue;
        struct sca_row *row = add(q, &after->vertices[r->causes[k].vertex]);
        row->bold = false;
        row->cells[CAUSE].number = k + 1;
        row->cells[STATE].text = before->ranks != after->ranks ? "after only"
                                 : doubted                     ? "confirmed"
                                                               : "new";
        row->cells[REMAINS].number = r->causes[k].gain_core_s;
        row->label = phrase_new(q, row->label, k, doubted);
    }
}

/* What is obtained is the change's alone where nothing else changed. */
static void tell_other_input(const struct question *q)
{
    const struct sca_report *a = q->sides.before->report, *b = q->sides.after->report;
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
                                    "Gains on %u and on %u ranks cannot be compared, so what was "
                                    "obtained is not known. Compare runs on the same number.",
                                    q->sides.before->ranks, q->sides.after->ranks);
    else
        row->label =
            sca_table_text(t, "The whole program took %s core-s before and takes %s after: %s %s.",
                           seconds(t, q->sides.before->core_s), seconds(t, q->sides.after->core_s),
                           seconds(t, fabs(q->obtained)), q->obtained >= 0 ? "less" : "more");
}

static void tell_no_cause(const struct question *q)
{
    const struct sca_report *r = q->sides.before->report;
    if (r->ncauses)
        return;
    struct sca_row *row = add(q, NULL);
    row->cells[STATE].text = "no cause before";
    row->label = r->nunconfirmed ? "The report before has no confirmed cause, so that nothing was "
                                   "promised."
                                 : "The report before has no cause, so that nothing was promised.";
}

static uint32_t count_mended(const struct question *q)
{
    uint32_t mended = 0;
    for (uint32_t i = 0; i < q->sides.before->report->ncauses; i++)
        mended += sca_diff_fate(&q->sides, i).mended;
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
    struct question q = {{before, after, sca_diff_match(space, before, after)},
                         before->ranks == after->ranks ? before->core_s - after->core_s
                                                       : (double)NAN,
                         out};
    bool one = count_mended(&q) == 1;
    double promised = 0;
    tell_other_input(&q);
    for (uint32_t i = 0; i < before->report->ncauses; i++) {
        answer_cause(&q, i, one);
        if (sca_diff_fate(&q.sides, i).mended)
            promised += before->report->causes[i].gain_core_s;
    }
    tell_no_cause(&q);
    tell_new(&q);
    tell_whole(&q, promised);
    return out;
}
