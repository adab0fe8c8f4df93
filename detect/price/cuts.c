#include "price/cuts.h"

struct cut_range {
    const struct sca_cut *first, *end;
};

/* None of a rank that is not the finding's. */
static struct cut_range cuts_of(const struct sca_finding *f, uint32_t rank)
{
    const struct sca_transform *t = &f->transform;
    uint32_t low = 0, high = f->nranks;
    if (!t->cuts)
        return (struct cut_range){0};
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (f->ranks[middle] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == f->nranks || f->ranks[low] != rank)
        return (struct cut_range){0};
    return (struct cut_range){t->cuts + t->first_cut[low], t->cuts + t->first_cut[low + 1]};
}

static bool is_below(const uint32_t *ends, uint32_t vertex, const struct sca_finding *f)
{
    for (uint32_t k = 0; k < f->nvertices; k++)
        if (vertex >= f->vertices[k] && vertex < ends[f->vertices[k]])
            return true;
    return false;
}

static bool are_nested(const uint32_t *ends, const struct sca_finding *a,
                       const struct sca_finding *b)
{
    return is_below(ends, a->vertex, b) || is_below(ends, b->vertex, a);
}

static double seconds_at(struct cut_range cuts, uint32_t interval)
{
    while (cuts.first < cuts.end) {
        const struct sca_cut *middle = cuts.first + (cuts.end - cuts.first) / 2;
        if (middle->interval == interval)
            return middle->seconds;
        if (middle->interval < interval)
            cuts.first = middle + 1;
        else
            cuts.end = middle;
    }
    return 0;
}

/* Whether another of those before takes as much, or one of those behind takes more. */
static bool is_covered(const struct cut_range *ranges, const bool *nested, uint32_t n, uint32_t k,
                       const struct sca_cut *cut)
{
    for (uint32_t i = 0; i < n; i++) {
        double other = nested[i] ? seconds_at(ranges[i], cut->interval) : 0;
        if (other > cut->seconds || (i < k && other > 0 && other >= cut->seconds))
            return true;
    }
    return false;
}

void sca_cuts_add(struct sca_workspace *space, const uint32_t *ends,
                  const struct sca_finding *const *equalised, uint32_t n, uint32_t rank,
                  double *out)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct cut_range *ranges = sca_workspace_alloc(&scratch, n, sizeof *ranges);
    bool *nested = sca_workspace_alloc(&scratch, n, sizeof *nested);
    for (uint32_t k = 0; k < n; k++)
        ranges[k] = cuts_of(equalised[k], rank);
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < n && ranges[k].first; i++)
            nested[i] = i != k && ranges[i].first && are_nested(ends, equalised[i], equalised[k]);
        for (const struct sca_cut *cut = ranges[k].first; cut < ranges[k].end; cut++)
            if (!is_covered(ranges, nested, n, k, cut))
                out[cut->interval] += cut->seconds;
    }
    sca_workspace_free(&scratch);
}
