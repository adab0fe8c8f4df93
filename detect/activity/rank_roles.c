#include "activity/rank_roles.h"
#include "activity/rank_grid.h"
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

/* False, and nothing named, if there is no such grid, or none of its dimensions ends. */
static bool name_in_grid(const struct sca_rank_peers *peers, uint32_t nranks,
                         enum sca_rank_role *roles)
{
    struct sca_rank_grid g;
    uint32_t borders, open;
    if (!sca_rank_grid_find(peers, nranks, &g) || !(open = sca_rank_grid_open(&g)))
        return false;
    for (uint32_t r = 0; r < nranks; r++) {
        sca_rank_grid_neighbours(&g, r, &borders);
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
