/* What may help in addition to the causes, with what it saves at most. */
#include "views/looking.h"

enum { KIND, GAIN, SHARE, ESTIMATE, NRANKS, TEXT, RANKS, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [KIND] = {"kind", "advice", SCA_CELL_TEXT},
    [GAIN] = {"gain_core_s", "core-s", SCA_CELL_SECONDS},
    [SHARE] = {"gain_share", "at most", SCA_CELL_SHARE},
    [ESTIMATE] = {"estimate", "by", SCA_CELL_TEXT},
    [NRANKS] = {"nranks", "ranks", SCA_CELL_COUNT},
    [TEXT] = {"text", NULL, SCA_CELL_TEXT},
    [RANKS] = {"ranks", NULL, SCA_CELL_SERIES},
};

static void add(struct sca_table *out, const struct sca_report_advice *a)
{
    struct sca_row *row = sca_table_row(out, &out->ppg->vertices[a->vertex]);
    double *ranks = sca_workspace_alloc(out->space, a->nranks, sizeof *ranks);
    for (uint32_t i = 0; i < a->nranks; i++)
        ranks[i] = a->ranks[i];
    /* The table outlives the report. */
    row->cells[KIND].text = sca_table_text(out, "%s", a->kind);
    row->cells[TEXT].text = sca_table_text(out, "%s", a->text);
    row->cells[ESTIMATE].text = sca_table_text(out, "%s", a->estimate);
    row->cells[GAIN].number = a->gain_core_s;
    row->cells[SHARE].number = a->gain_share;
    row->cells[NRANKS].number = a->nranks;
    row->cells[RANKS] = (struct sca_cell){.series = ranks, .count = a->nranks};
    row->detail = row->cells[TEXT].text;
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    const struct sca_report *r = c->report;
    uint32_t shown = in->top && in->top < r->nadvice ? in->top : r->nadvice;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out, "%s on %u ranks: advice, in addition to the causes",
                                in->ppg->program, c->measures[c->last].nranks);
    for (uint32_t i = 0; i < shown; i++)
        add(out, &r->advice[i]);
    out->left_out = r->nadvice - shown;
    if (r->nadvice)
        sca_table_note(out,
                       "None of this is a cause. What it saves is at most, by the replay or by "
                       "a model of messages; gains overlap.");
    else
        sca_table_note(out, "Nothing would save --min-share of the run in addition.");
}

void sca_view_advice(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at_report(in, show, out);
}
