#include "base/shared_cores.h"
#include "base/degrees.h"

#include <string.h>

bool sca_shares_cores(const struct sca_profile *profile)
{
    return !strcmp(sca_profile_meta(profile, "oversubscribed", "0"), "1");
}

bool sca_may_share_cores(const struct sca_profile *profile)
{
    double cpu = 0, wall = 0;
    for (uint32_t r = 0; r < profile->nranks; r++) {
        cpu += (double)profile->ranks[r].cpu_ns;
        wall += (double)profile->ranks[r].wall_ns;
    }
    return sca_shares_cores(profile) || cpu < SCA_NEARLY_ALL * wall;
}
