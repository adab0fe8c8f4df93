#include "show/heavy.h"

#include <stdlib.h>

struct known { /* of the earlier look */
    uint64_t key;
    double seconds;
};

static int by_key(const void *a, const void *b)
{
    uint64_t x = ((const struct known *)a)->key, y = ((const struct known *)b)->key;
    return (x > y) - (x < y);
}

static struct known *table_of(const struct sca_look *look)
{
    struct known *all = calloc(look->ncontexts + 1ul, sizeof *all);
    for (uint32_t c = 0; all && c < look->ncontexts; c++)
        all[c] = (struct known){look->keys[c], look->seconds[c]};
    if (all)
        qsort(all, look->ncontexts, sizeof *all, by_key);
    return all;
}

static double earlier(const struct known *all, uint32_t n, uint64_t key)
{
    const struct known wanted = {key, 0};
    const struct known *found = all ? bsearch(&wanted, all, n, sizeof *all, by_key) : NULL;
    return found ? found->seconds : 0;
}

/* Kept in order: few of many. */
static void insert(struct sca_heavy *out, uint32_t *n, uint32_t room, struct sca_heavy fresh)
{
    uint32_t at = *n;
    for (; at && out[at - 1].core_s < fresh.core_s; at--)
        if (at < room)
            out[at] = out[at - 1];
    if (at < room)
        out[at] = fresh;
    *n += *n < room;
}

uint32_t sca_heavy_find(const struct sca_look *look, const struct sca_look *before,
                        struct sca_heavy *out, uint32_t room)
{
    struct known *all = before ? table_of(before) : NULL;
    uint32_t n = 0;
    for (uint32_t c = 0; c < look->ncontexts; c++) {
        double more =
            look->seconds[c] - earlier(all, before ? before->ncontexts : 0, look->keys[c]);
        if (more > 0)
            insert(out, &n, room, (struct sca_heavy){c, more});
    }
    free(all);
    return n;
}

double sca_heavy_rate(const struct sca_look *look, const struct sca_look *before)
{
    if (look->loop == SCALANA_NONE)
        return 0;
    if (before && before->loop != SCALANA_NONE && look->at_s > before->at_s &&
        look->iterations >= before->iterations)
        return (look->iterations - before->iterations) / (look->at_s - before->at_s);
    double s = look->duration_s;
    return s > 0 ? look->iterations / s : 0;
}
