/* Are there such events here at all? Asked before sampling starts, in event sets that never run. */
#include "sampling/papi_event.h"
#include "sampling/papi_library.h"
#include "sampling/sampler_backend.h"

#include <stdio.h>

static bool exists(const struct sca_metric *metric)
{
    int set = PAPI_NULL, code;
    if (sca_papi_event_code(metric->name, &code) != PAPI_OK ||
        sca_papi.create_eventset(&set) != PAPI_OK)
        return false;
    bool found = sca_papi.add_event(set, code) == PAPI_OK;
    sca_papi.cleanup_eventset(set);
    sca_papi.destroy_eventset(&set);
    return found;
}

/* A PAPI that is older than the processor has no events of it at all, not the kernel's either. */
static void ask_why(char *says)
{
    const PAPI_component_info_t *info =
        sca_papi.get_component_info(sca_papi.get_component_index("perf_event"));
    if (info && info->disabled)
        snprintf(says, SCA_PAPI_SAYS, "%.*s", SCA_PAPI_SAYS - 1, info->disabled_reason);
}

bool sca_papi_probe_is_in_vain(struct sca_sampling *sampling)
{
    if (sca_papi_library_open())
        return false;
    for (unsigned i = 0; i < sampling->nmetrics; i++)
        if (exists(&sampling->metric[i]))
            return false;
    ask_why(sampling->why_in_vain);
    sca_papi_library_close();
    return true;
}
