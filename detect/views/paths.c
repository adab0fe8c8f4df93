/* All backtracking paths as text: step by step from what is problematic back to what made it late.
 */
#include "views/looking.h"

#include <math.h>

enum { PATH, RANK, VIA, WAIT, START, CAUSE, COLUMNS };

static const struct sca_column columns[COLUMNS] = {
    [PATH] = {"path", "path", SCA_CELL_COUNT}, [RANK] = {"rank", "rank", SCA_CELL_COUNT},
    [VIA] = {"via", "via", SCA_CELL_TEXT},     [WAIT] = {"wait_s", "waits s", SCA_CELL_SECONDS},
    [START] = {"start", NULL, SCA_CELL_TEXT},  [CAUSE] = {"cause", "cause", SCA_CELL_COUNT},
};

static void add_step(const struct sca_report *r, uint32_t i, uint32_t k, struct sca_table *out)
{
    const struct sca_report_path *p = &r->paths[i];
    const struct sca_report_step *s = &p->steps[k];
    struct sca_row *row = sca_table_row(out, &out->ppg->vertices[s->vertex]);
    bool last = k + 1 == p->nsteps;
    row->interval = i && !k;
    row->bold = last && p->to_cause;
    row->depth = k;
    row->cells[PATH].number = i + 1;
    row->cells[RANK].number = s->rank;
    row->cells[START].text =
        sca_table_text(out, "%s", p->start); /* the table outlives the report */
    row->cells[VIA].text = k ? sca_table_text(out, "%s", s->via) : row->cells[START].text;
    row->cells[WAIT].number = !k && p->wait_s > 0 ? p->wait_s : (double)NAN;
    row->cells[CAUSE].number = last && p->to_cause ? p->cause + 1 : (double)NAN;
}

static void show(const struct sca_view_input *in, const struct sca_analysis *c,
                 struct sca_table *out)
{
    const struct sca_report *r = c->report;
    out->columns = columns;
    out->ncolumns = COLUMNS;
    out->title = sca_table_text(out,
                                "%s on %u ranks: backtracking paths, from waits and places that do "
                                "not scale or are abnormal, back to their causes",
                                in->ppg->program, c->measures[c->last].nranks);
    uint32_t shown = in->top && in->top < r->npaths ? in->top : r->npaths;
    for (uint32_t i = 0; i < shown; i++)
        for (uint32_t k = 0; k < r->paths[i].nsteps; k++)
            add_step(r, i, k, out);
    out->left_out = r->npaths - shown;
    out->left_what = out->left_out == 1 ? " path" : " paths";
    if (r->npaths_left_out)
        sca_table_note(out, "Paths from %u more calls or places are omitted.", r->npaths_left_out);
    if (!r->npaths)
        sca_table_note(out, "No place waits long, fails to scale or is abnormal.");
}

void sca_view_paths(const struct sca_view_input *in, struct sca_table *out)
{
    sca_looking_at_report(in, show, out);
}
