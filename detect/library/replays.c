/* The replay of the largest run, kept for its metrics. */
#include "library/arguments.h"
#include "library/run_metrics.h"
#include "report/verdict.h"
#include "sca_error.h"
#include "verdict/analysis.h"

struct keeping {
    struct scalana_runs *runs;
    struct sca_replayed *kept;
    int status;
};

static void keep(void *context, const struct sca_analysis *analysis)
{
    struct keeping *k = context;
    k->kept = sca_arena_alloc(&k->runs->memory, 1, sizeof *k->kept);
    k->status =
        k->kept ? sca_replayed_copy(&k->runs->memory, &analysis->replayed, k->kept) : SCA_ENOMEM;
}

static int replay(const struct sca_ppg *ppg, const scalana_options *options, void *context)
{
    struct keeping *k = context;
    const struct sca_verdict_look look = {keep, k};
    struct sca_verdict verdict;
    int status = sca_verdict_look(ppg, &options->settings, &look, &verdict);
    sca_verdict_free(&verdict);
    return status == SCA_OK ? k->status : status;
}

int scalana_runs_replay(scalana_runs *runs, const scalana_options *options)
{
    struct keeping k = {.runs = runs};
    int status = sca_arguments_there(runs, "runs");
    if (status != SCA_OK || runs->replayed)
        return status;
    status = sca_library_analyse(runs, options, replay, &k);
    if (status == SCA_OK) {
        runs->replayed = k.kept;
        sca_run_metrics_make(runs);
    }
    return status;
}
