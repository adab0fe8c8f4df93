#include "sca_account.h"

#include <math.h>

#define NEGLIGIBLE 5e-4

static bool is_usual(enum sca_account_kind kind)
{
    return kind != SCA_ACCOUNT_EXTRA && kind != SCA_ACCOUNT_COMMUNICATION &&
           kind != SCA_ACCOUNT_OTHER_WORLD && kind != SCA_ACCOUNT_DISTURBED &&
           kind != SCA_ACCOUNT_BLOCKED && kind != SCA_ACCOUNT_AWAITED && kind != SCA_ACCOUNT_QUEUED;
}

static void add(struct sca_account_parts *out, enum sca_account_kind kind, const char *name,
                double seconds)
{
    if (is_usual(kind) || seconds > 0)
        out->part[out->count++] = (struct sca_account_part){kind, name, seconds};
}

static double unless_little(const struct sca_report_account *a, double seconds)
{
    return fabs(seconds) < NEGLIGIBLE * a->base_core_s ? 0 : seconds;
}

bool sca_account_list(const struct sca_report *report, struct sca_account_parts *out)
{
    return sca_account_list_run(report, report->nruns - 1, out);
}

bool sca_account_list_run(const struct sca_report *report, uint32_t i,
                          struct sca_account_parts *out)
{
    *out = (struct sca_account_parts){0};
    if (i >= report->nruns || !(report->runs[i].account.base_core_s > 0))
        return false;
    const struct sca_report_run *run = &report->runs[i];
    const struct sca_report_account *a = &run->account;
    out->ranks = run->ranks;
    out->base = a->base_core_s;
    out->duration = a->duration_s;
    out->is_virtual = a->is_virtual;
    add(out, SCA_ACCOUNT_USEFUL, "computation", a->useful_core_s);
    add(out, SCA_ACCOUNT_EXTRA, "computation beyond ideal scaling", a->extra_core_s);
    add(out, SCA_ACCOUNT_BLOCKED, "blocked outside MPI", unless_little(a, a->blocked_core_s));
    add(out, SCA_ACCOUNT_AWAITED, "waiting outside MPI, not replayed",
        unless_little(a, a->awaited_core_s));
    add(out, SCA_ACCOUNT_QUEUED, "waiting for a core, others idle", a->queued_core_s);
    add(out, SCA_ACCOUNT_COMMUNICATION, "communication that grows", a->communication_core_s);
    add(out, SCA_ACCOUNT_EXPLAINED,
        report->ncauses ? "waiting, charged to its cause" : "waiting for ranks that compute longer",
        a->explained_core_s);
    add(out, SCA_ACCOUNT_UNEXPLAINED, "waiting, unexplained", a->unexplained_core_s);
    add(out, SCA_ACCOUNT_OTHER_WORLD, "waiting for another world", a->other_world_core_s);
    add(out, SCA_ACCOUNT_DISTURBED, "waiting, by chance on shared cores", a->disturbed_core_s);
    add(out, SCA_ACCOUNT_REST, a->is_virtual ? "rest" : "transfer, scheduling, sampling error",
        unless_little(a, a->rest_core_s)); /* no "-0.0 %" */
    add(out, SCA_ACCOUNT_TOOL, "this tool", a->tool_core_s);
    return true;
}
