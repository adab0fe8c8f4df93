#include "load.h"
#include "sca_error.h"

#include <stdlib.h>

static int by_ranks(const void *a, const void *b)
{
    const struct sca_profile *x = *(struct sca_profile *const *)a;
    const struct sca_profile *y = *(struct sca_profile *const *)b;
    return (x->nranks > y->nranks) - (x->nranks < y->nranks);
}

static int check(const struct sca_profile *profile)
{
    for (uint32_t r = 0; r < profile->nranks; r++)
        if (profile->ranks[r].present)
            return SCA_OK;
    return sca_fail(SCA_EFORMAT, "%s: no rank left anything readable", profile->directory);
}

int sca_runs_load(char *const *directories, uint32_t count, uint32_t max_loop_depth,
                  struct sca_runs *out)
{
    *out = (struct sca_runs){0};
    out->profiles = calloc(count, sizeof *out->profiles);
    if (!out->profiles)
        return sca_fail(SCA_ENOMEM, "out of memory");
    for (uint32_t i = 0; i < count; i++) {
        int status = sca_profile_load(directories[i], &out->profiles[i]);
        if (status == SCA_OK)
            status = check(out->profiles[out->count++]);
        if (status != SCA_OK)
            return status;
    }
    qsort(out->profiles, count, sizeof *out->profiles, by_ranks);
    return sca_ppg_build(out->profiles, count, max_loop_depth, &out->ppg);
}

void sca_runs_free(struct sca_runs *runs)
{
    if (runs->ppg)
        sca_ppg_free(runs->ppg);
    for (uint32_t i = 0; i < runs->count; i++)
        sca_profile_free(runs->profiles[i]);
    free(runs->profiles);
    *runs = (struct sca_runs){0};
}
