#include "report/verdict.h"
#include "load/run_metrics.h"
#include "report/report_fill.h"
#include "sca_error.h"
#include "verdict/analysis_run.h"

/* Alone in its function: locals of a caller of setjmp are lost when it returns twice. */
static int analyse_guarded(struct sca_analysis *c, const struct sca_verdict_look *look)
{
    jmp_buf failure;
    c->space->out_of_memory = c->team->failure = &failure;
    if (setjmp(failure)) /* the team's has a message */
        return c->team->failed ? SCA_EINVAL : sca_fail(SCA_ENOMEM, "out of memory");
    sca_analysis_run(c);
    if (c->team->rank > 0)
        return SCA_OK;
    int status = sca_run_metrics_fill_mpi_time(c->ppg);
    if (status == SCA_OK)
        sca_report_fill(c);
    if (status == SCA_OK && look)
        look->at(look->context, c);
    return status;
}

static int analyse(struct sca_team *team, const struct sca_ppg *ppg,
                   const struct sca_settings *settings, const struct sca_verdict_look *look,
                   struct sca_verdict *out)
{
    struct sca_workspace space = {0};
    struct sca_analysis c = {.team = team, .ppg = ppg, .settings = settings, .space = &space};
    *out = (struct sca_verdict){0};
    c.report = sca_report_new();
    if (!c.report)
        return sca_fail(SCA_ENOMEM, "out of memory");
    int status = analyse_guarded(&c, look);
    for (uint32_t i = 0; c.traces && i < ppg->nruns; i++)
        sca_replay_trace_free(&c.traces[i]);
    if (status == SCA_OK)
        out->report = c.report;
    else
        sca_report_free(c.report);
    sca_workspace_free(&space);
    return status;
}

int sca_verdict_find(const struct sca_ppg *ppg, const struct sca_settings *settings,
                     struct sca_verdict *out)
{
    struct sca_team alone = {.size = 1};
    return sca_verdict_share(&alone, ppg, settings, out);
}

int sca_verdict_share(struct sca_team *team, const struct sca_ppg *ppg,
                      const struct sca_settings *settings, struct sca_verdict *out)
{
    return analyse(team, ppg, settings, NULL, out);
}

int sca_verdict_look(const struct sca_ppg *ppg, const struct sca_settings *settings,
                     const struct sca_verdict_look *look, struct sca_verdict *out)
{
    struct sca_team alone = {.size = 1};
    return analyse(&alone, ppg, settings, look, out);
}

void sca_verdict_free(struct sca_verdict *verdict)
{
    if (verdict->report)
        sca_report_free(verdict->report);
    *verdict = (struct sca_verdict){0};
}
