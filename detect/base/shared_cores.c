#include "base/shared_cores.h"
#include "base/degrees.h"

#include <string.h>

bool sca_shares_cores(const struct sca_profile *profile)
{
    return !strcmp(sca_profile_meta(profile, "oversubscribed", "0"), "1");
}

struct core_times { /* sums over ranks, ns */
    double cpu, wall, waited;
    bool told; /* what each waited for a core */
};

static struct core_times add_up(const struct sca_profile *profile)
{
    struct core_times sum = {.told = true};
    for (uint32_t r = 0; r < profile->nranks; r++) {
        const struct sca_rank *rank = &profile->ranks[r];
        sum.cpu += (double)rank->cpu_ns;
        sum.wall += (double)rank->wall_ns;
        sum.waited += (double)rank->core_waited_ns;
        sum.told &= !rank->wall_ns || (rank->core_use && *rank->core_use);
    }
    return sum;
}

bool sca_may_share_cores(const struct sca_profile *profile)
{
    struct core_times sum = add_up(profile);
    bool few = sum.told ? sum.wall - sum.waited < SCA_NEARLY_ALL * sum.wall
                        : sum.cpu < SCA_NEARLY_ALL * sum.wall;
    return sca_shares_cores(profile) || few;
}
