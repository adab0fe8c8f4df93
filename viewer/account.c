/* Where the core-seconds of each run went, and how efficient the runs were. */
#include "panes.h"

#include <string.h>

const char *sca_pane_name(enum sca_pane_kind kind)
{
    static const char *const names[SCA_PANES] = {"source", "chain", "ranks", "curve", "account"};
    return names[kind];
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void runs(struct sca_lines *lines, const struct sca_report *r)
{
    char wall[16], all[16];
    sca_lines_say(lines, SCA_HEADER,
                  " ranks      wall  core-time  useful   in MPI  waiting    tool");
    for (uint32_t i = 0; i < r->nruns; i++) {
        const struct sca_report_run *run = &r->runs[i];
        double total = run->ranks * run->wall_s;
        sca_lines_say(lines, SCA_PLAIN, "%6u  %8s  %9s  %5.1f %%  %5.1f %%  %5.1f %%  %4.1f %%",
                      run->ranks, sca_seconds(run->wall_s, wall), sca_seconds(total, all),
                      percent(run->useful_s, total), percent(run->mpi_s, total),
                      percent(run->wait_s, total), percent(run->tool_s, total));
        if (!run->complete)
            sca_lines_add(lines, "  incomplete");
        if (run->oversubscribed)
            sca_lines_add(lines, "  ranks > cores");
    }
}

static void efficiencies(struct sca_lines *lines, const struct sca_report *r)
{
    if (!r->nefficiency)
        return;
    sca_lines_say(lines, SCA_HEADER, "%s",
                  "        parallel = load balance x communication;  computation");
    for (uint32_t i = 0; i < r->nefficiency; i++) {
        const struct sca_report_efficiency *e = &r->efficiency[i];
        sca_lines_say(lines, e->parallel < 0.8 ? SCA_MARKED : SCA_PLAIN,
                      "%6u  %6.1f %%      %6.1f %%      %6.1f %%      %6.1f %%", e->ranks,
                      100 * e->parallel, 100 * e->load_balance, 100 * e->communication,
                      100 * e->computation);
    }
}

void sca_account_pane(struct sca_pane *pane, const struct sca_model *model, int width)
{
    const struct sca_report *r = model->report;
    char text[16];
    runs(&pane->lines, r);
    efficiencies(&pane->lines, r);
    if (r->nruns > 1)
        sca_lines_say(&pane->lines, SCA_PLAIN, "Lost to scaling: %s core-time",
                      sca_seconds(r->loss_core_s, text));
    if (r->nruns > 1 && r->ncauses)
        sca_lines_add(&pane->lines, ", %.0f %% of it explained by the causes",
                      100 * r->explained_share);
    for (uint32_t i = 0; i < r->nnotes; i++)
        sca_lines_wrap(&pane->lines, SCA_WARNING, r->notes[i], 0, width);
}
