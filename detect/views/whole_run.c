#include "views/whole_run.h"

struct sca_profile *sca_whole_run_load(const struct sca_view_input *in,
                                       const struct sca_ppg_run *run)
{
    const struct sca_profile *packed = run->profile;
    struct sca_profile *whole = NULL;
    if (in->settings->since || packed->nworlds || packed->nranks > SCA_WHOLE_RUN_RANKS ||
        !packed->directory || sca_profile_load(packed->directory, &whole) < 0)
        return NULL;
    if (whole->nsites == packed->nsites && whole->nranks == packed->nranks)
        return whole;
    sca_profile_free(whole); /* it goes on, and has changed since */
    return NULL;
}
