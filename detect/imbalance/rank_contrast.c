#include "imbalance/rank_contrast.h"
#include "base/degrees.h"
#include "imbalance/code_intervals.h"
#include "imbalance/skew.h"

/* Work that is shared out unevenly. True: its ranks are most of all, and of one kind. */
static bool judge_uneven(struct sca_workspace *space, const struct sca_measure *m,
                         const double *seconds, const struct sca_abnormal_limits *limits,
                         bool *found, struct sca_abnormal *out)
{
    *found = sca_skew_judge(space, m, seconds, limits->least_uneven, out);
    return *found && out->two_kinds && out->nranks > SCA_HALF * m->nranks;
}

static bool is_worth(const struct sca_measure *m, const struct sca_abnormal_limits *limits,
                     const struct sca_abnormal *a)
{
    return a->most * m->nranks >= limits->least;
}

bool sca_rank_contrast_between(struct sca_workspace *space, const struct sca_measure *m,
                               const struct sca_interval_bounds *bounds,
                               const struct sca_interval_bounds_times *of,
                               const struct sca_abnormal_limits *limits, struct sca_abnormal *out)
{
    struct sca_abnormal uneven = {0};
    bool is_uneven, of_most = judge_uneven(space, m, of->seconds, limits, &is_uneven, &uneven);
    if (!of_most && sca_abnormal_judge_bounds(space, m, bounds, of, limits->threshold, out) &&
        is_worth(m, limits, out))
        return true;
    *out = uneven;
    return is_uneven;
}

bool sca_rank_contrast_around(struct sca_workspace *space, const struct sca_measure *m,
                              const struct sca_within *place,
                              const struct sca_abnormal_limits *limits, struct sca_abnormal *out)
{
    struct sca_abnormal uneven = {0};
    double *seconds = sca_workspace_alloc(space, m->nranks, sizeof *seconds);
    bool *on = sca_workspace_alloc(space, m->run->intervals.n, sizeof *on);
    sca_code_intervals_mark(space, m, place, NULL, on);
    sca_code_intervals_time(m, on, seconds);
    bool is_uneven, of_most = judge_uneven(space, m, seconds, limits, &is_uneven, &uneven);
    if (!of_most && sca_abnormal_judge_around(space, m, place, on, limits->threshold, out) &&
        is_worth(m, limits, out))
        return true;
    *out = uneven;
    return is_uneven;
}
