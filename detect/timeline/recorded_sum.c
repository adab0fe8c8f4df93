/* Sums of recorded points (recorded.h). */
#include "timeline/recorded.h"

#include <stdlib.h>

static int by_vertex(const void *a, const void *b)
{
    const struct sca_recorded_context *x = a, *y = b;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static void merge_same(struct sca_recorded_point *sum)
{
    uint32_t kept = 0;
    if (sum->ncontexts)
        qsort(sum->contexts, sum->ncontexts, sizeof *sum->contexts, by_vertex);
    for (uint32_t i = 0; i < sum->ncontexts; i++) {
        const struct sca_recorded_context from = sum->contexts[i];
        if (!kept || sum->contexts[kept - 1].vertex != from.vertex) {
            sum->contexts[kept++] = from;
            continue;
        }
        struct sca_recorded_context *to = &sum->contexts[kept - 1];
        to->own += from.own;
        to->own_max += from.own_max;
        to->wait += from.wait;
        to->calls += from.calls;
    }
    sum->ncontexts = kept;
}

struct sca_recorded_point sca_recorded_sum(struct sca_workspace *space,
                                           const struct sca_recorded *of, uint32_t first,
                                           uint32_t n, const uint8_t *chosen, uint8_t value)
{
    struct sca_recorded_point sum = {0};
    uint32_t room = 0;
    for (uint32_t i = 0; i < n; i++)
        room += !chosen || chosen[i] == value ? of->points[first + i].ncontexts : 0;
    sum.contexts = sca_workspace_alloc(space, room, sizeof *sum.contexts);
    for (uint32_t i = 0; i < n; i++) {
        const struct sca_recorded_point *p = &of->points[first + i];
        if (chosen && chosen[i] != value)
            continue;
        sum.iterations += p->iterations;
        sum.own += p->own;
        sum.own_max += p->own_max;
        sum.span += p->span;
        for (uint32_t k = 0; k < p->ncontexts; k++)
            sum.contexts[sum.ncontexts++] = p->contexts[k];
    }
    merge_same(&sum);
    return sum;
}
