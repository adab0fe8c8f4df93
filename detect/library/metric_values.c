/* Blocks of a metric's values, contexts x locations. */
#include "library/run_metrics.h"
#include "sca_error.h"
#include "metrics/metric_block.h"
#include "metrics/metric_values.h"

int scalana_metric_values(const scalana_runs *runs, uint32_t run, uint32_t metric,
                          enum scalana_values values, uint32_t first_context, uint32_t ncontexts,
                          uint32_t first_location, uint32_t nlocations, double *out)
{
    const struct sca_metric_range range = {first_context, ncontexts, first_location, nlocations};
    struct sca_metric_source source = {0};
    const struct scalana_metric *of;
    int status = sca_run_metrics_take_run(runs, run, &source.run);
    if (status == SCA_OK)
        status = sca_run_metrics_get(runs, run, metric, &of);
    if (status == SCA_OK && values != SCALANA_EXCLUSIVE && values != SCALANA_INCLUSIVE)
        status = sca_fail(SCA_EINVAL, "no values %d: exclusive or inclusive", (int)values);
    if (status == SCA_OK)
        status = sca_run_metrics_check(runs, source.run, &range, out);
    if (status != SCA_OK || !ncontexts || !nlocations)
        return status;
    source.ppg = runs->loaded.ppg;
    source.replayed = run + 1 == source.ppg->nruns ? runs->replayed : NULL;
    return sca_metric_values(&source, runs->ends, of, values == SCALANA_INCLUSIVE, &range, out);
}
