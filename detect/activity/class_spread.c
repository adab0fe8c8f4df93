#include "activity/class_spread.h"
#include "activity/rank_summary.h"
#include "stats/median.h"
#include "stats/two_groups.h"

#include <math.h>

struct spreading {
    const struct sca_task_source *source;
    const struct sca_rank_classes *classes;
    const double *own; /* [rank] */
    double border;     /* slower ranks have more */
};

/* In two groups, as by --merge=cluster. */
static void measure(struct spreading *s, struct sca_workspace *space,
                    const struct sca_rank_summary *summary)
{
    uint32_t present = 0;
    double *sorted = sca_workspace_alloc(space, summary->nranks, sizeof *sorted);
    s->own = summary->own_s;
    for (uint32_t r = 0; r < summary->nranks; r++)
        if (summary->graph[r] != SCA_NONE)
            sorted[present++] = s->own[r];
    sca_median_sort(sorted, present);
    struct sca_two_groups groups = sca_two_groups_find(sorted, present);
    s->border = groups.cut ? sorted[groups.cut - 1] : (double)INFINITY;
}

static void add_rank(const struct spreading *s, uint32_t r, struct sca_class_spread *out)
{
    const struct sca_rank *rank = &s->source->run->profile->ranks[r];
    uint32_t peers = s->classes->peers.count[r];
    out->own_mean += s->own[r];
    out->own_least = fmin(out->own_least, s->own[r]);
    out->own_most = fmax(out->own_most, s->own[r]);
    out->slower += s->own[r] > s->border;
    out->mpi_mean += 1e-9 * (double)rank->mpi_ns;
    out->calls += (double)rank->mpi_calls;
    out->least_peers = peers < out->least_peers ? peers : out->least_peers;
    out->most_peers = peers > out->most_peers ? peers : out->most_peers;
}

static struct sca_class_spread spread_of(const struct spreading *s, const struct sca_rank_class *k)
{
    struct sca_class_spread out = {.own_least = INFINITY, .least_peers = UINT32_MAX};
    double squares = 0;
    for (uint32_t i = 0; i < k->n; i++)
        add_rank(s, k->ranks[i], &out);
    out.own_mean /= k->n;
    out.mpi_mean /= k->n;
    out.calls /= k->n;
    for (uint32_t i = 0; i < k->n; i++)
        squares += (s->own[k->ranks[i]] - out.own_mean) * (s->own[k->ranks[i]] - out.own_mean);
    out.own_deviation = k->n > 1 ? sqrt(squares / (k->n - 1)) : (double)NAN;
    return out;
}

struct sca_class_spread *sca_class_spread_find(struct sca_workspace *space,
                                               const struct sca_task_source *source,
                                               const struct sca_rank_classes *classes)
{
    struct spreading s = {.source = source, .classes = classes};
    struct sca_class_spread *out = sca_workspace_alloc(space, classes->n, sizeof *out);
    measure(&s, space, sca_rank_summary_of(space, source));
    for (uint32_t i = 0; i < classes->n; i++)
        out[i] = spread_of(&s, &classes->of[i]);
    return out;
}
