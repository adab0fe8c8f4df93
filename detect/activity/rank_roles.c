#include "activity/rank_roles.h"
#include "activity/rank_summary.h"

enum { MOST_DEGREES = 6 }; /* numbers of neighbours in a grid: few different */
enum { IDLE = 100 };       /* an idle rank computes less than one part in so many */

const char *sca_rank_role_name(enum sca_rank_role role)
{
    static const char *const names[] = {
        [SCA_ROLE_MASTER] = "master",     [SCA_ROLE_WORKER] = "worker",
        [SCA_ROLE_CORNER] = "corner",     [SCA_ROLE_BORDER] = "border",
        [SCA_ROLE_INTERIOR] = "interior", [SCA_ROLE_NONE] = "",
        [SCA_ROLE_IDLE] = "idle"};
    return names[role];
}

/* ---- master and workers ---- */

/* The rank that most ranks have as their only partner. Two ranks alone are no such pattern. */
static uint32_t find_master(struct sca_workspace *space, const struct sca_rank_peers *peers,
                            uint32_t nranks)
{
    uint32_t *asked = sca_workspace_alloc(space, nranks, sizeof *asked), master = 0;
    for (uint32_t r = 0; r < nranks; r++)
        if (peers->only[r] != SCA_NONE)
            asked[peers->only[r]]++;
    for (uint32_t r = 1; r < nranks; r++)
        master = asked[r] > asked[master] ? r : master;
    return asked[master] >= 2 && 2 * asked[master] >= nranks - 1 ? master : SCA_NONE;
}

static void name_workers(const struct sca_rank_peers *peers, uint32_t nranks, uint32_t master,
                         enum sca_rank_role *roles)
{
    for (uint32_t r = 0; r < nranks; r++)
        if (peers->only[r] == master)
            roles[r] = SCA_ROLE_WORKER;
    roles[master] = SCA_ROLE_MASTER;
}

/* ---- grids of neighbours along each dimension ---- */

enum { MOST_DIMENSIONS = 8, LEAST_ROUND = 3 /* ranks along a dimension that goes round */ };

struct grid { /* numbered dimension by dimension */
    uint32_t n, stride[MOST_DIMENSIONS], extent[MOST_DIMENSIONS];
    bool round[MOST_DIMENSIONS]; /* the last rank along it is the first one's neighbour */
};

struct strides { /* rising */
    uint32_t n, of[2 * MOST_DIMENSIONS];
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
static bool add_dimensions(struct grid *g, const struct strides *all)
{
    for (uint32_t i = 0; i < all->n; i++) {
        uint32_t last = g->n ? g->stride[g->n - 1] : 0;
        if (last && i + 1 < all->n && all->of[i + 1] == all->of[i] + last) {
            g->round[g->n - 1] = true;
            continue;
        }
        if (g->n == MOST_DIMENSIONS)
            return false;
        g->stride[g->n++] = all->of[i];
    }
    return true;
}

static bool make_grid(const struct sca_rank_peers *peers, uint32_t nranks, struct grid *g)
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

/* Neighbours it must have, and along how many dimensions it is the first or the last. */
static uint32_t neighbours_of(const struct grid *g, uint32_t rank, uint32_t *borders)
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

/* Dimensions that end. */
static uint32_t open_of(const struct grid *g)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < g->n; i++)
        open += !g->round[i];
    return open;
}

/* False: some rank has other neighbours. */
static bool fits(const struct grid *g, const struct sca_rank_peers *peers, uint32_t nranks)
{
    uint32_t borders;
    for (uint32_t r = 0; r < nranks; r++)
        if (neighbours_of(g, r, &borders) != peers->count[r])
            return false;
    return true;
}

/* Round the last dimension it is a stride, too: the numbers of neighbours tell whether it ends. */
static bool find_grid(const struct sca_rank_peers *peers, uint32_t nranks, struct grid *g)
{
    if (!make_grid(peers, nranks, g))
        return false;
    if (fits(g, peers, nranks))
        return true;
    g->round[g->n - 1] = g->extent[g->n - 1] >= LEAST_ROUND;
    return fits(g, peers, nranks);
}

/* False, and nothing named, if there is no such grid, or none of its dimensions ends. */
static bool name_in_grid(const struct sca_rank_peers *peers, uint32_t nranks,
                         enum sca_rank_role *roles)
{
    struct grid g = {0};
    uint32_t borders, open;
    if (!find_grid(peers, nranks, &g) || !(open = open_of(&g)))
        return false;
    for (uint32_t r = 0; r < nranks; r++) {
        neighbours_of(&g, r, &borders);
        roles[r] = !borders                      ? SCA_ROLE_INTERIOR
                   : open > 1 && borders == open ? SCA_ROLE_CORNER
                                                 : SCA_ROLE_BORDER;
    }
    return true;
}

/* ---- other grids ---- */

struct degrees { /* different numbers of neighbours, rising */
    uint32_t n, of[MOST_DEGREES];
};

static bool add_degree(struct degrees *d, uint32_t degree)
{
    uint32_t at = 0;
    while (at < d->n && d->of[at] < degree)
        at++;
    if (at < d->n && d->of[at] == degree)
        return true;
    if (d->n == MOST_DEGREES)
        return false;
    for (uint32_t i = d->n++; i > at; i--)
        d->of[i] = d->of[i - 1];
    d->of[at] = degree;
    return true;
}

/* One stencil, cut off at the borders: all distances there are, some rank has all of. */
static bool is_grid(const struct sca_rank_peers *peers, uint32_t nranks, struct degrees *d)
{
    for (uint32_t r = 0; r < nranks; r++)
        if (peers->count[r] && !add_degree(d, peers->count[r]))
            return false;
    return d->n >= 2 && peers->ndistances == d->of[d->n - 1];
}

static void name_places(const struct sca_rank_peers *peers, uint32_t nranks,
                        const struct degrees *d, enum sca_rank_role *roles)
{
    for (uint32_t r = 0; r < nranks; r++) {
        uint32_t degree = peers->count[r];
        if (degree == d->of[d->n - 1])
            roles[r] = SCA_ROLE_INTERIOR;
        else if (degree == d->of[0] && d->n > 2)
            roles[r] = SCA_ROLE_CORNER;
        else if (degree)
            roles[r] = SCA_ROLE_BORDER;
    }
}

/* ---- all ---- */

/* Neither messages nor bytes in collectives, while others have some. */
static void name_idle(struct sca_workspace *space, const struct sca_task_source *source,
                      const struct sca_rank_peers *peers, enum sca_rank_role *roles)
{
    bool any = false;
    uint32_t nranks = source->run->nranks;
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    const struct sca_rank_summary *summary = sca_rank_summary_of(&scratch, source);
    for (uint32_t r = 0; r < nranks; r++)
        any |= peers->count[r] > 0;
    for (uint32_t r = 0; any && r < nranks; r++) {
        double wall_ns = (double)source->run->profile->ranks[r].wall_ns;
        if (summary->graph[r] != SCA_NONE && !peers->count[r] &&
            IDLE * summary->own_ns[r] < wall_ns)
            roles[r] = SCA_ROLE_IDLE;
    }
    sca_workspace_free(&scratch);
}

enum sca_rank_role *sca_rank_roles_find(struct sca_workspace *space,
                                        const struct sca_task_source *source,
                                        const struct sca_rank_peers *peers)
{
    uint32_t nranks = source->run->nranks;
    enum sca_rank_role *roles = sca_workspace_alloc(space, nranks, sizeof *roles);
    struct degrees degrees = {0};
    for (uint32_t r = 0; r < nranks; r++)
        roles[r] = SCA_ROLE_NONE;
    uint32_t master = find_master(space, peers, nranks);
    if (master != SCA_NONE)
        name_workers(peers, nranks, master, roles);
    else if (!name_in_grid(peers, nranks, roles) && is_grid(peers, nranks, &degrees))
        name_places(peers, nranks, &degrees, roles);
    name_idle(space, source, peers, roles);
    return roles;
}
