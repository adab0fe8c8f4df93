#include "measure/sides.h"
#include "base/degrees.h"
#include "stats/median.h"

#include <math.h>

struct sca_sides sca_sides_of(struct sca_workspace *space, const struct sca_measure *m,
                              const double *row, const uint32_t *ranks, uint32_t nranks)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    double *others = sca_workspace_alloc(&scratch, m->nranks, sizeof *others);
    struct sca_sides out = {0};
    uint32_t n = 0;
    for (uint32_t r = 0, i = 0; r < m->nranks; r++)
        if (i < nranks && ranks[i] == r) {
            out.named += row[r];
            i++;
        } else if (sca_measure_is_present(m, r)) {
            out.mean += row[r];
            others[n++] = row[r];
        }
    out.usual = sca_median(others, n);
    out.mean /= n ? n : 1;
    sca_workspace_free(&scratch);
    return out;
}

bool *sca_sides_named(struct sca_workspace *space, const struct sca_measure *m,
                      const uint32_t *ranks, uint32_t nranks)
{
    bool *named = sca_workspace_alloc(space, m->nranks, sizeof *named);
    for (uint32_t i = 0; i < nranks; i++)
        named[ranks[i]] = true;
    return named;
}

double sca_sides_ratio(const struct sca_sides *s, uint32_t nranks)
{
    return s->usual > 0 ? s->named / nranks / s->usual : INFINITY;
}

double sca_sides_told_ratio(const struct sca_sides *s, uint32_t nranks)
{
    double named = s->named / nranks;
    double none = SCA_NEGLIGIBLE * named; /* samples are few */
    double others = s->usual > none ? s->usual : s->mean;
    return others > none ? named / others : 0;
}
