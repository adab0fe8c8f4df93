#include "base/shared_cores.h"
#include "base/degrees.h"

#include <string.h>

bool sca_shares_cores(const struct sca_profile *profile)
{
    return !strcmp(sca_profile_meta(profile, "oversubscribed", "0"), "1");
}

bool sca_may_share_cores(const struct sca_profile *profile)
{
    double wall = 0, waited = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        wall += (double)profile->ranks[r].wall_ns;
        waited += (double)profile->ranks[r].core_waited_ns;
    }
    return sca_shares_cores(profile) || wall - waited < SCA_NEARLY_ALL * wall;
}
