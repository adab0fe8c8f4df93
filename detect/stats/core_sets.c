#include "stats/core_sets.h"
#include "base/degrees.h"

#include <string.h>

enum { MOST_CORES = 1024 }; /* of a host: bounds the search */
enum mapping { BY_TURNS, IN_BLOCKS };

struct core_search {
    const uint32_t *ranks; /* those that are named */
    uint32_t n, nranks, ncores;
    enum mapping mapping;
    uint32_t *named; /* per core */
};

static uint32_t block_of(const struct core_search *s)
{
    return (s->nranks + s->ncores - 1) / s->ncores;
}

static uint32_t core_of(const struct core_search *s, uint32_t rank)
{
    return s->mapping == BY_TURNS ? rank % s->ncores : rank / block_of(s);
}

/* How many ranks it has. */
static uint32_t size_of(const struct core_search *s, uint32_t core)
{
    uint32_t block = block_of(s), left = s->nranks > core * block ? s->nranks - core * block : 0;
    if (s->mapping == BY_TURNS)
        return (s->nranks - core - 1) / s->ncores + 1;
    return left < block ? left : block;
}

/* The ranks of each core that are named, or those that are not, whichever are fewer. */
static bool fits(const struct core_search *s)
{
    uint32_t amiss = 0;
    memset(s->named, 0, s->ncores * sizeof *s->named);
    for (uint32_t i = 0; i < s->n; i++)
        s->named[core_of(s, s->ranks[i])]++;
    for (uint32_t core = 0; core < s->ncores; core++) {
        uint32_t others = size_of(s, core) - s->named[core];
        amiss += others < s->named[core] ? others : s->named[core];
    }
    return amiss <= SCA_HALF * s->n;
}

bool sca_core_sets_may_be(struct sca_workspace *space, const uint32_t *ranks, uint32_t n,
                          uint32_t nranks, uint32_t ncores)
{
    struct sca_workspace scratch = {.out_of_memory = space->out_of_memory};
    struct core_search s = {.ranks = ranks, .n = n, .nranks = nranks};
    bool found = ncores > nranks / 2; /* some hold one rank only */
    s.named = sca_workspace_alloc(&scratch, MOST_CORES, sizeof *s.named);
    for (s.ncores = 2; s.ncores <= nranks / 2 && s.ncores <= MOST_CORES && !found; s.ncores++)
        for (s.mapping = BY_TURNS; s.mapping <= IN_BLOCKS && !found; s.mapping++)
            found = (!ncores || s.ncores == ncores) && fits(&s);
    sca_workspace_free(&scratch);
    return found;
}

bool sca_core_sets_may_be_so_many(uint32_t n, uint32_t nranks, uint32_t ncores)
{
    if (!ncores)
        return true;
    uint32_t fewest = nranks / ncores, most = (nranks + ncores - 1) / ncores;
    uint32_t cores = (n + most - 1) / most;
    return cores * fewest <= n;
}
