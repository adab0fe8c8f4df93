#include "activity/rank_grid.h"
#include "activity/mix.h"

enum { LEAST_ROUND = 3 /* ranks along a dimension that goes round */ };

struct strides { /* rising */
    uint32_t n, of[2 * SCA_GRID_DIMENSIONS];
};

/* False: too many. */
static bool add_stride(struct strides *all, uint32_t stride)
{
    uint32_t at = 0;
    while (at < all->n && all->of[at] < stride)
        at++;
    if (at < all->n && all->of[at] == stride)
        return true;
    if (all->n == sizeof all->of / sizeof *all->of)
        return false;
    for (uint32_t i = all->n++; i > at; i--)
        all->of[i] = all->of[i - 1];
    all->of[at] = stride;
    return true;
}

/* From one end of a dimension that goes round to the other it is a stride less than to the next
 * dimension's neighbour. No stride of a grid is that, for it divides the next one. */
static bool add_dimensions(struct sca_rank_grid *g, const struct strides *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        uint32_t last = g->n ? g->stride[g->n - 1] : 0;
        if (last && i + 1 < all->n && all->of[i + 1] == all->of[i] + last) {
            g->round[g->n - 1] = true;
            continue;
        }
        if (g->n == SCA_GRID_DIMENSIONS)
            return false;
        g->stride[g->n++] = all->of[i];
    }
    return true;
}

static bool make_grid(const struct sca_rank_peers *peers, uint32_t nranks, struct sca_rank_grid *g)
{
    struct strides all = {0};
    for (uint32_t i = 0; i < peers->ndistances; i++) {
        uint32_t d = peers->distances[i];
        if (!add_stride(&all, d < nranks - d ? d : nranks - d))
            return false;
    }
    if (!add_dimensions(g, &all))
        return false;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t whole = i + 1 < g->n ? g->stride[i + 1] : nranks;
        if (whole % g->stride[i])
            return false;
        g->extent[i] = whole / g->stride[i];
    }
    return g->n && g->stride[0] == 1;
}

uint32_t sca_rank_grid_neighbours(const struct sca_rank_grid *g, uint32_t rank, uint32_t *borders)
{
    uint32_t n = 0;
    *borders = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t at = rank / g->stride[i] % g->extent[i];
        uint32_t here = g->round[i] ? 2 : (at > 0) + (at + 1 < g->extent[i]);
        n += here;
        *borders += here < 2;
    }
    return n;
}

uint32_t sca_rank_grid_open(const struct sca_rank_grid *g)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < g->n; i++)
        open += !g->round[i];
    return open;
}

/* False: some rank has other neighbours. */
static bool fits(const struct sca_rank_grid *g, const struct sca_rank_peers *peers, uint32_t nranks)
{
    uint32_t borders;
    for (uint32_t r = 0; r < nranks; r++)
        if (sca_rank_grid_neighbours(g, r, &borders) != peers->count[r])
            return false;
    return true;
}

static bool find(const struct sca_rank_peers *peers, uint32_t nranks, struct sca_rank_grid *g)
{
    if (!make_grid(peers, nranks, g))
        return false;
    if (fits(g, peers, nranks))
        return true;
    g->round[g->n - 1] = g->extent[g->n - 1] >= LEAST_ROUND;
    return fits(g, peers, nranks);
}

/* Round the last dimension it is a stride, too: the numbers of neighbours tell whether it ends. */
bool sca_rank_grid_find(const struct sca_rank_peers *peers, uint32_t nranks,
                        struct sca_rank_grid *out)
{
    *out = (struct sca_rank_grid){0};
    return find(peers, nranks, out);
}

uint64_t sca_rank_grid_way(const struct sca_rank_grid *g, uint32_t from, uint32_t to)
{
    uint64_t way = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t a = from / g->stride[i] % g->extent[i], b = to / g->stride[i] % g->extent[i];
        uint32_t steps = b + g->extent[i] - a;
        way = sca_mix(way, g->round[i] ? steps % g->extent[i] : steps);
    }
    return way;
}
