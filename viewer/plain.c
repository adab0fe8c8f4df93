#include "plain.h"
#include "metrics_pane.h"
#include "sca_function_name.h"
#include "sca_phrase.h"

static void cause(struct sca_lines *lines, const struct sca_model *model, uint32_t i)
{
    const struct sca_report_cause *c = &model->report->causes[i];
    const struct sca_report_vertex *v = &model->report->vertices[c->vertex];
    char gain[16], cost[16], text[SCA_PHRASE], bounds[SCA_PHRASE];
    sca_phrase_gain_ci(bounds, c);
    sca_lines_begin(lines, SCA_PLAIN, c->vertex);
    bool doubted = c->doubt && *c->doubt;
    sca_lines_add(lines, "%u. %s", i + 1, doubted ? "not confirmed: " : "");
    sca_lines_text(lines, c->category, 0, SCA_CUT_END);
    sca_lines_add(lines, ": ");
    sca_lines_text(lines, *v->file ? v->file : "?", 0, SCA_CUT_END);
    sca_lines_add(lines, ":%u ", v->line);
    sca_lines_text(lines, *v->function ? sca_function_name_written(text, v->function) : "?", 0,
                   SCA_CUT_END);
    sca_lines_add(lines, ", %s",
                  sca_phrase_ranks(text, sca_model_largest(model), c->ranks, c->nranks));
    sca_lines_say(lines, SCA_PLAIN, "   gain %s (%s%s%.1f %%), cost %s (%.1f %%)",
                  sca_label_seconds(c->gain_core_s, gain), bounds, *bounds ? " s, " : "",
                  100 * c->gain_share, sca_label_seconds(c->cost_core_s, cost),
                  100 * c->cost_share);
    if (*sca_phrase_others(text, model->report, c))
        sca_lines_add(lines, ", %s", text);
    if (doubted)
        sca_lines_say(lines, SCA_PLAIN, "   in doubt: %s", c->doubt);
    if (*sca_phrase_saved_if(text, model->report, c))
        sca_lines_say(lines, SCA_PLAIN, "   assumes that %s", text);
    sca_lines_begin(lines, SCA_PLAIN, c->vertex);
    sca_lines_add(lines, "   ");
    sca_model_path(lines, model, c->vertex, 0);
    if (*sca_phrase_between(text, model->report, c)) {
        sca_lines_add(lines, ", ");
        sca_lines_text(lines, text, 0, SCA_CUT_END);
    }
    if (*sca_phrase_inner(text, c)) {
        sca_lines_add(lines, ", mostly in ");
        sca_lines_text(lines, text, 0, SCA_CUT_END);
    }
    if (c->acts && *c->acts) {
        sca_lines_add(lines, ", acts ");
        sca_lines_text(lines, c->acts, 0, SCA_CUT_END);
    }
    if (*sca_phrase_counter(text, c)) {
        sca_lines_add(lines, ", ");
        sca_lines_text(lines, text, 0, SCA_CUT_END);
    }
}

static void no_cause(struct sca_lines *lines, const struct sca_report *r)
{
    char text[SCA_PHRASE];
    sca_phrase_no_cause(text, r);
    sca_lines_wrap(lines, SCA_PLAIN, text, 0, 80);
}

static void metrics(struct sca_lines *lines, const struct sca_model *model)
{
    struct sca_pane pane = {0};
    if (!model->report->nmetrics)
        return;
    sca_metrics_pane(&pane, model, SCA_NO_VERTEX);
    for (size_t i = 0; i < pane.lines.count; i++)
        sca_lines_say(lines, SCA_PLAIN, "%s", pane.lines.line[i].text);
    sca_lines_free(&pane.lines);
}

void sca_plain_list(const struct sca_view *view, struct sca_lines *lines)
{
    const struct sca_report *r = view->model.report;
    struct sca_pane account = {0};
    if (!r->ncauses)
        no_cause(lines, r);
    for (uint32_t i = 0; i < r->ncauses + r->nunconfirmed; i++)
        cause(lines, &view->model, i);
    sca_account_pane(&account, &view->model, 80);
    for (size_t i = 0; i < account.lines.count; i++)
        sca_lines_say(lines, SCA_PLAIN, "%s", account.lines.line[i].text);
    sca_lines_free(&account.lines);
    metrics(lines, &view->model);
}
