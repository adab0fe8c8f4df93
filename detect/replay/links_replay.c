/* Links while a trace is played: numbered as events are entered, and when an event can be left. */
#include "replay/links.h"

static const double tiny = 1e-12;

uint32_t sca_links_location(const struct sca_replay_links *links, uint32_t event)
{
    uint32_t place = links->place ? links->place[event] : event;
    uint32_t location = links->near[place / SCA_PLACES_APART];
    while (links->trace->location[location + 1] <= place)
        location++;
    return location;
}

uint32_t sca_links_rank(const struct sca_replay_links *links, uint32_t event)
{
    uint32_t location = sca_links_location(links, event);
    return links->rank_of ? links->rank_of[location] : location;
}

static void renumber_row(const struct sca_replay_links *from, uint32_t place,
                         const uint32_t *number, uint32_t *filled, struct sca_replay_links *to)
{
    for (uint32_t i = from->first_input[place]; i < from->first_input[place + 1]; i++) {
        bool collective = sca_input_is_collective(from->kind[i]);
        if (!collective && from->input[i] == SCA_NO_EVENT)
            continue; /* a lock that was free */
        to->input[*filled] = collective ? from->input[i] : number[from->input[i]];
        to->kind[(*filled)++] = from->kind[i];
    }
}

static void renumber_groups(struct sca_workspace *space, const struct sca_replay_links *from,
                            const uint32_t *number, struct sca_replay_links *to)
{
    uint32_t nmembers = 0;
    to->groups =
        sca_workspace_grow(space, from->groups, from->ngroups, from->ngroups, sizeof *to->groups);
    for (uint32_t g = 0; g < to->ngroups; g++) {
        uint32_t root = to->groups[g].root;
        to->groups[g].root = root == SCA_NO_EVENT ? root : number[root];
        nmembers += to->groups[g].nmembers;
    }
    to->members = sca_workspace_alloc_dense(space, nmembers, sizeof *to->members);
    for (uint32_t i = 0; i < nmembers; i++)
        to->members[i] = number[from->members[i]];
}

struct sca_replay_links *sca_links_renumber(struct sca_workspace *space,
                                            const struct sca_replay_links *links,
                                            const uint32_t *number, uint32_t *place)
{
    struct sca_replay_links *to = sca_workspace_alloc(space, 1, sizeof *to);
    uint32_t n = links->trace->nevents, filled = 0;
    *to = (struct sca_replay_links){.trace = links->trace, .ngroups = links->ngroups};
    to->place = place;
    if (links->rank_of)
        to->rank_of = sca_workspace_grow(space, links->rank_of, links->trace->nlocations,
                                         links->trace->nlocations, sizeof *to->rank_of);
    to->near = sca_workspace_grow(space, links->near, n / SCA_PLACES_APART + 1,
                                  n / SCA_PLACES_APART + 1, sizeof *to->near);
    to->first_input = sca_workspace_alloc_dense(space, (size_t)n + 1, sizeof *to->first_input);
    to->input = sca_workspace_alloc_dense(space, links->first_input[n], sizeof *to->input);
    to->kind = sca_workspace_alloc_dense(space, links->first_input[n], sizeof *to->kind);
    for (uint32_t event = 0; event < n; event++) {
        to->first_input[event] = filled;
        renumber_row(links, place[event], number, &filled, to);
    }
    to->first_input[n] = filled;
    renumber_groups(space, links, number, to);
    return to;
}

void sca_links_drop_messages(struct sca_replay_links *links)
{
    uint32_t kept = 0, i = 0;
    links->locks = NULL;
    for (uint32_t event = 0; event < links->trace->nevents; event++) {
        uint32_t end = links->first_input[event + 1];
        links->first_input[event] = kept;
        for (; i < end; i++)
            if (sca_input_is_collective(links->kind[i])) {
                links->input[kept] = links->input[i];
                links->kind[kept++] = links->kind[i];
            }
    }
    links->first_input[links->trace->nevents] = kept;
}

void sca_links_reset(struct sca_replay_links *links)
{
    for (uint32_t g = 0; g < links->ngroups; g++) {
        links->groups[g].seen = 0;
        links->groups[g].latest = 0;
        links->groups[g].last = SCA_NO_EVENT;
    }
}

void sca_links_enter(struct sca_replay_links *links, uint32_t event, double time)
{
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++) {
        struct sca_group *g = &links->groups[links->input[i]];
        if (!sca_input_is_collective(links->kind[i]) || links->kind[i] == SCA_OP_COLLECTIVE_DONE)
            continue;
        if (g->last == SCA_NO_EVENT || time > g->latest) {
            g->latest = time;
            g->last = event;
        }
    }
}

struct leaving {
    const double *enter;
    uint32_t event, waited_for;
    double exit;
};

static void wait_for(struct leaving *l, uint32_t other)
{
    if (other == SCA_NO_EVENT || other == l->event || l->enter[other] <= l->exit + tiny)
        return;
    l->exit = l->enter[other];
    l->waited_for = other;
}

static void wait_for_lower(const struct sca_replay_links *links, const struct sca_group *g,
                           struct leaving *l)
{
    uint32_t rank = sca_links_rank(links, l->event);
    for (uint32_t i = 0; i < g->nmembers; i++) {
        uint32_t member = links->members[g->first + i];
        if (sca_links_rank(links, member) >= rank)
            return; /* members stand by rank */
        wait_for(l, member);
    }
}

static void wait_for_group(const struct sca_replay_links *links, const struct sca_group *g,
                           struct leaving *l)
{
    switch (g->shape) {
    case SCA_ONE_TO_ALL:
        wait_for(l, g->root);
        return;
    case SCA_ALL_TO_ONE:
        if (sca_links_is_root(links, g, l->event))
            wait_for(l, g->last);
        return;
    case SCA_PREFIX:
        wait_for_lower(links, g, l);
        return;
    default:
        wait_for(l, g->last);
    }
}

bool sca_links_is_root(const struct sca_replay_links *links, const struct sca_group *g,
                       uint32_t event)
{
    return g->root == event || (g->root != SCA_NO_EVENT &&
                                sca_links_rank(links, g->root) == sca_links_rank(links, event));
}

double sca_links_leave(const struct sca_replay_links *links, const double *enter, uint32_t event,
                       uint32_t *waited_for)
{
    struct leaving l = {enter, event, SCA_NO_EVENT, enter[event]};
    for (uint32_t i = links->first_input[event]; i < links->first_input[event + 1]; i++)
        if (!sca_input_is_collective(links->kind[i]))
            wait_for(&l, links->input[i]);
        else if (links->kind[i] != SCA_OP_COLLECTIVE_POST)
            wait_for_group(links, &links->groups[links->input[i]], &l);
    *waited_for = l.waited_for;
    return l.exit;
}
