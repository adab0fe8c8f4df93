#include "series/kinds.h"
#include "base/degrees.h"

#include <stdbool.h>
#include <stdlib.h>

/* Kinds, rising, each once; and the first one that has the same calls (a forest). */
struct kinds_of_calls {
    uint32_t *kind, *like;
    uint32_t n;
};

static int by_kind(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static struct kinds_of_calls all_kinds(struct sca_workspace *space,
                                       const struct sca_series_point *points, uint32_t n)
{
    struct kinds_of_calls k = {.kind = sca_workspace_alloc(space, n, sizeof *k.kind),
                               .like = sca_workspace_alloc(space, n, sizeof *k.like)};
    uint32_t *all = sca_workspace_alloc(space, n, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        all[i] = points[i].kind;
    sca_workspace_put_in_order(space, all, n, sizeof *all, by_kind);
    for (uint32_t i = 0; i < n; i++)
        if (!k.n || k.kind[k.n - 1] != all[i])
            k.kind[k.n++] = all[i];
    for (uint32_t i = 0; i < k.n; i++)
        k.like[i] = i;
    return k;
}

/* k->n: there is none. */
static uint32_t find(const struct kinds_of_calls *k, uint32_t kind)
{
    const uint32_t *at = bsearch(&kind, k->kind, k->n, sizeof kind, by_kind);
    return at ? (uint32_t)(at - k->kind) : k->n;
}

static uint32_t first_like(const struct kinds_of_calls *k, uint32_t i)
{
    while (k->like[i] != i)
        i = k->like[i] = k->like[k->like[i]];
    return i;
}

static void unite(const struct kinds_of_calls *k, uint32_t a, uint32_t b)
{
    a = first_like(k, a);
    b = first_like(k, b);
    k->like[a > b ? a : b] = a > b ? b : a;
}

/* Sums wrap around. */
static void unite_rounds(const struct kinds_of_calls *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        for (uint32_t middle = 0; middle < k->n; middle++) {
            uint32_t third = find(k, 2 * k->kind[middle] - k->kind[i]);
            if (middle == i || third == k->n || third == i)
                continue;
            unite(k, i, middle);
            unite(k, middle, third);
        }
}

static uint32_t count_different(const struct kinds_of_calls *k)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < k->n; i++)
        n += k->like[i] == i;
    return n;
}

const uint32_t *sca_series_kinds(struct sca_workspace *space, const struct sca_series_point *points,
                                 uint32_t n)
{
    uint32_t *of = sca_workspace_alloc(space, n, sizeof *of);
    const struct kinds_of_calls k = all_kinds(space, points, n);
    unite_rounds(&k);
    bool recur = (uint64_t)count_different(&k) * SCA_SEVERAL <= n;
    for (uint32_t i = 0; i < n && recur; i++)
        of[i] = first_like(&k, find(&k, points[i].kind));
    return of;
}
