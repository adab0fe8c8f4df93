#include "plain.h"

static void cause(struct sca_lines *lines, const struct sca_model *model, uint32_t i)
{
    const struct sca_report_cause *c = &model->report->causes[i];
    const struct sca_report_vertex *v = &model->report->vertices[c->vertex];
    char gain[16], cost[16];
    sca_lines_begin(lines, SCA_PLAIN, c->vertex);
    sca_lines_add(lines, "%u. ", i + 1);
    sca_lines_text(lines, c->category, 0, SCA_CUT_END);
    sca_lines_add(lines, ": ");
    sca_lines_text(lines, *v->file ? v->file : "?", 0, SCA_CUT_END);
    sca_lines_add(lines, ":%u ", v->line);
    sca_lines_text(lines, *v->function ? v->function : "?", 0, SCA_CUT_END);
    sca_lines_add(lines, ", rank%s ", c->nranks == 1 ? "" : "s");
    sca_model_ranks(lines, c->ranks, c->nranks, 60);
    sca_lines_say(lines, SCA_PLAIN, "   gain %s (%.1f %%), cost %s (%.1f %%)",
                  sca_seconds(c->gain_core_s, gain), 100 * c->gain_share,
                  sca_seconds(c->cost_core_s, cost), 100 * c->cost_share);
    sca_lines_begin(lines, SCA_PLAIN, c->vertex);
    sca_lines_add(lines, "   ");
    sca_model_path(lines, model, c->vertex, 0);
    if (c->between)
        sca_lines_add(lines, ", between lines %u and %u", model->report->vertices[c->after].line,
                      model->report->vertices[c->before].line);
}

void sca_plain_list(const struct sca_view *view, struct sca_lines *lines)
{
    const struct sca_report *r = view->model.report;
    struct sca_pane account = {0};
    for (uint32_t i = 0; i < r->ncauses; i++)
        cause(lines, &view->model, i);
    if (!r->ncauses)
        sca_lines_say(lines, SCA_PLAIN, "No cause found.");
    sca_account_pane(&account, &view->model, 80);
    for (size_t i = 0; i < account.lines.count; i++)
        sca_lines_say(lines, SCA_PLAIN, "%s", account.lines.line[i].text);
    sca_lines_free(&account.lines);
}
